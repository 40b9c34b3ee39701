/**
 * Meanings of addresses: the recipe, text, lesson and other state that the page reads from one. The
 * fixtures hold the meanings of version ca373f4f; update the imports here when modules move.
 */
import { plain, sha256 } from './plain.ts';
import { fragmentOf, pageParams } from '../../web/embed/lesson-params.ts';
import { isAllowed } from '../../web/embed/host-messages.ts';
import type { OptionTable } from '../../web/engine/options.ts';
import { snippetOf, SNIPPETS } from '../../web/instruments/share/snippets.ts';
import {
  ADDRESS_PARAMS,
  PAGE_PARAMS,
  unknownParams,
} from '../../web/store/address/address-params.ts';
import { LESSON_ATTRIBUTES } from '../../web/store/address/lesson-attributes.ts';
import {
  CONTROLS,
  LOCKS,
  PANELS,
  readLesson,
  writeLesson,
} from '../../web/store/address/lesson.ts';
import {
  isPlain,
  namesSettings,
  PACES,
  readAddress,
  readAsk,
  readTab,
  readPace,
  readRecipe,
  TABS,
  writeAddress,
} from '../../web/store/address/page-settings.ts';
import { readSent, TEXT_PARAMS } from '../../web/store/text/sent-text.ts';
import { packText } from '../../web/store/text/packed-text.ts';
import { SAMPLE_TEXTS } from '../../web/store/text/texts.ts';

const BASE = 'https://school.example/course/embed.html';

/** Names that addresses may contain; later versions may know more. */
export const VOCABULARY = {
  words: Object.keys(ADDRESS_PARAMS),
  pageWords: Object.keys(PAGE_PARAMS),
  textWords: [...TEXT_PARAMS],
  attributes: [...LESSON_ATTRIBUTES],
  panels: [...PANELS],
  locks: [...LOCKS],
  controls: [...CONTROLS],
  tabs: [...TABS],
  paces: [...PACES],
  samples: SAMPLE_TEXTS.map(({ id }) => id),
};

export const PACKED_TEXTS = ['', 'anna\nbea\n', '红豆生南国\n春来发几枝\n', '\ufeffa\r\nb\r\n\0'];

/** Addresses: each parameter alone with values that it accepts and refuses, then combinations. */
export async function addresses(table: OptionTable): Promise<string[]> {
  const packed = await Promise.all(
    PACKED_TEXTS.map((text) => packText(new TextEncoder().encode(text))),
  );
  const options = table.options.flatMap(({ name, choices }) =>
    choices.length > 0
      ? [...choices.map((choice) => `${name}=${choice}`), `${name}=1`, `${name}=none`]
      : [`${name}=1`, `${name}=0.25`, `${name}=`, `${name}=1e400`],
  );
  return [
    '',
    ...options,
    ...['names', 'moby', 'tang', 'own', 'host', 'Tang', ''].map((id) => `text=${id}`),
    ...[...table.presets, 'gpt5'].map((preset) => `preset=${preset}`),
    ...['left_out=8:40,3:5', 'left_out=8-40', 'text=own&left_out=8:40', 'fit=', 'fit=1', 'fit=0'],
    ...['probe=hanna', 'probe=', 'scored=anna%0Abea', `scored=${'a'.repeat(401)}`, 'prompt=an'],
    ...['prompt=', 'text=moby&prompt=', 'temperature=0', 'temperature=hot', 'topK=5', 'topP=0.9'],
    ...['maxTokens=20', 'askSeed=7', 'askSeed=', 'pace=full', 'pace=31', 'stop=300', 'stop=-1'],
    ...PACES.map((pace) => `pace=${String(pace)}`),
    ...[...TABS, 'tour'].map((tab) => `view=${tab}`),
    ...['en', 'zh', 'zh-CN', 'EN-gb', 'fr'].map((lang) => `lang=${lang}`),
    ...['auto', 'light', 'dark', 'pink'].map((theme) => `theme=${theme}`),
    ...[...PANELS, 'Loss', 'text,loss', 'text loss', ''].map((panel) => `show=${panel}`),
    ...[...LOCKS, 'run', 'text,settings'].map((panel) => `lock=${panel}`),
    ...[...CONTROLS, 'start', 'seed,pace'].map((control) => `hide=${control}`),
    ...['task=Find+the+head.%0A%0AThen+say+why.', 'name=Two+names', 'host=*'],
    ...['autostart', 'autostart=1', 'autostart=0', 'autostart=no', 'autostart=false'],
    ...packed.map((text) => `packed=${text}`),
    ...[`packed=${packed[1]!}&name=Mine&lr=0.1`, 'packed=AAAA____', 'file=a.txt', 'layes=3'],
    `file=../a.txt&sha256=${'0'.repeat(64)}`,
    'text=tang&preset=microgpt&layers=3&lr=0.01&activation=gelu&seed=7&lang=zh&view=tokens',
    'text=moby&preset=gpt2&tokenizer=char&steps=500&pace=30&temperature=0.5&topK=40&prompt=Call',
    'show=text,loss&lock=text&hide=seed,pace&task=Read+it.&autostart=1&stop=300&theme=dark&lang=zh&host=https://a.b/c',
  ];
}

/** The meaning of one address (the fragment without its `#`). */
export async function meaningOf(hash: string, table: OptionTable) {
  const sent = await readSent(`#${hash}`, BASE).catch((error: unknown) => error);
  const found = sent as Partial<Awaited<ReturnType<typeof readSent>>> & { code?: string };
  const address = readAddress(found.hash ?? `#${hash}`);
  const { params } = address;
  const recipe = readRecipe(address, table);
  const [ask, pace, tab] = [readAsk(address), readPace(address), readTab(address)];
  const { show, lock, hide, ...lesson } = readLesson(params);
  const means = {
    ...{ lang: address.lang, source: address.source, recipe, ask, pace, closer: tab },
    ...{ probe: params.get('probe'), scored: params.get('scored') },
  };
  return {
    address: hash,
    sent:
      found.code === undefined
        ? {
            ...{ hash: found.hash, name: found.textName, awaited: found.awaited },
            text: found.text === undefined ? null : sha256(found.text),
          }
        : { error: found.code },
    means: (await plain({
      ...means,
      ...{ isPlain: isPlain(address), namesSettings: namesSettings(address, table) },
      theme: params.get('theme'),
      lesson: { ...lesson, show: show && [...show], lock: [...lock], hide: [...hide] },
    })) as object,
    written: writeAddress({ ...means, tab }, table),
    lessonWritten: lessonParams(params),
    whole: pageParams(`#${params.toString()}`, `#${hash}`),
    strange: unknownParams(params, table, ADDRESS_PARAMS),
    strangeOnPage: unknownParams(params, table, PAGE_PARAMS),
  };
}

function lessonParams(params: URLSearchParams): string {
  const written = new URLSearchParams();
  writeLesson(readLesson(params), written);
  return written.toString();
}

/** Attributes of the element; the fixtures hold the fragment for each set. */
export const ATTRIBUTES: readonly Readonly<Record<string, string>>[] = [
  {},
  { sample: 'tang', preset: 'microgpt', settings: 'layers=3&lr=0.01', seed: '7', autostart: '' },
  { show: 'text,loss', lock: 'text', hide: 'seed', task: 'Read & say.', stop: '30', lang: 'zh' },
  { probe: 'hanna', prompt: 'an', pace: '30', view: 'write', fit: '', theme: 'dark', name: 'Mine' },
];

export const fragments = () =>
  ATTRIBUTES.map((attributes) => ({
    attributes,
    fragment: fragmentOf((name) => attributes[name] ?? null, false),
    ownText: fragmentOf((name) => attributes[name] ?? null, true),
  }));

/** Snippets for teachers in each form, for a sample text and for an own text. */
export async function snippets(): Promise<Record<string, string>> {
  const params = new URLSearchParams(
    'text=tang&layers=2&lr=0.01&show=text,loss&lock=text&task=Say "why" & how.\nThen more.&lang=zh',
  );
  const text = 'anna\nbea "b" <c>\n';
  const packed = await packText(new TextEncoder().encode(text));
  const file = { name: 'lesson/text.txt', sha256: sha256(new TextEncoder().encode(text)) };
  const shared = { home: 'https://school.example/', params, title: 'A lesson' };
  const found: Record<string, string> = {};
  for (const form of SNIPPETS) {
    found[form] = snippetOf(form, { ...shared, own: null });
    found[`${form}-own`] = snippetOf(form, { ...shared, own: { text, packed, file: null } });
    found[`${form}-file`] = snippetOf(form, { ...shared, own: { text: null, packed: '', file } });
  }
  return found;
}

/** Hosts whose messages a frame accepts. */
export const hosts = () =>
  [
    ['https://us.example', null],
    ['https://school.example', null],
    ['https://school.example', 'https://school.example'],
    ['https://a.b', 'https://c.d, https://a.b'],
    ['https://a.b', 'https://a.b/course/'],
    ['https://anybody.example', '*'],
    ['http://school.example', 'https://school.example'],
    ['null', 'null'],
    ['null', '*'],
  ].map(([origin, named]) => ({
    origin,
    named,
    isAllowed: isAllowed(origin!, named ?? null, 'https://us.example'),
  }));
