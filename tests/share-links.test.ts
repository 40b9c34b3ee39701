/** Links from strangers: any content gives a text or a clear error, within the size limits. */
import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanFragment } from '../web/store/address/address-store.ts';
import { ADDRESS_PARAMS, PAGE_PARAMS, unknownParams } from '../web/store/address/address-params.ts';
import { LESSON_ATTRIBUTES } from '../web/store/address/lesson-attributes.ts';
import {
  CONTROLS,
  LOCKS,
  PANELS,
  readLesson,
  TASK_LIMIT,
  writeLesson,
} from '../web/store/address/lesson.ts';
import { PACES, TABS } from '../web/store/address/page-settings.ts';
import { SAMPLE_TEXTS } from '../web/store/text/texts.ts';
import { DirectTrainer } from '../web/engine/direct.ts';
import { engineBytes } from './node/load-engine.ts';
import { HeightGuard } from '../web/embed/height.ts';
import { isAllowed } from '../web/embed/host-messages.ts';
import { FRAGMENT_LIMIT, readSent, TEXT_PARAMS } from '../web/store/text/sent-text.ts';
import { pagesOf } from '../web/docs/build/site.ts';
import { LANGS } from '../web/docs/build/words.ts';
import { fragmentOf, pageParams } from '../web/embed/lesson-params.ts';
import { givenText, NAME_LENGTH } from '../web/store/text/text-source.ts';
import {
  PACKED_LIMIT,
  packText,
  UNPACKED_LIMIT,
  unpackText,
} from '../web/store/text/packed-text.ts';

const encodeText = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** A deterministic pseudo-random generator. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const letters = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64url').replace(/=+$/, '');

describe('a text in a link', () => {
  test('comes out as it went in, whatever it is made of', async () => {
    const next = random(1);
    for (let round = 0; round < 300; round++) {
      const points = Array.from({ length: Math.floor(next() * 200) }, () => {
        const point = Math.floor(next() * (next() < 0.5 ? 128 : 0x11_0000));
        // A lone surrogate is not valid text.
        return point >= 0xd800 && point < 0xe000 ? 0x20 : point;
      });
      const text = encodeText(String.fromCodePoint(...points));
      expect(await unpackText(await packText(text))).toEqual(text);
    }
    // Receipts depend on the exact bytes: byte order mark, line ends, invalid UTF-8.
    const odd = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 13, 10, 0, 0xff, 0xfe);
    expect(await unpackText(await packText(odd))).toEqual(odd);
  });

  test('is read in links of before, which have no checksum, whatever they begin with', async () => {
    const next = random(4);
    for (let round = 0; round < 300; round++) {
      const text = encodeText(
        Array.from({ length: 1 + round }, () => String.fromCharCode(97 + next() * 26)).join(''),
      );
      expect(await unpackText(letters(deflateRawSync(text)))).toEqual(text);
    }
  });

  test('is not another one with a letter changed', async () => {
    const good = await packText(encodeText('the whale and the sea\n'.repeat(40)));
    for (let at = 0; at < good.length - 1; at++) {
      const broken = good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1);
      await expect(unpackText(broken)).rejects.toMatchObject({ code: 'link-text' });
    }
  });

  test.each(['_', '__'])('is read before Markdown’s %s, and if cut, not', async (marks) => {
    for (let length = 1; length < 40; length++) {
      const text = encodeText('the whale'.repeat(length).slice(0, length));
      for (const packed of [await packText(text), letters(deflateRawSync(text))]) {
        expect(await unpackText(packed + marks)).toEqual(text);
        const cut = unpackText(packed.slice(0, -1 - marks.length) + marks);
        await expect(cut).rejects.toMatchObject({ code: 'link-text' });
      }
    }
  });

  test('is too much for a browser without the format, which is said', async () => {
    const own = globalThis.DecompressionStream;
    vi.stubGlobal(
      'DecompressionStream',
      class extends own {
        constructor(format: CompressionFormat) {
          if (format === 'deflate-raw') throw new TypeError('unsupported format');
          super(format);
        }
      },
    );
    try {
      const text = encodeText('anna\nbob\n');
      expect(await unpackText(await packText(text))).toEqual(text);
      const before = letters(deflateRawSync(text));
      await expect(unpackText(before)).rejects.toMatchObject({ code: 'link-browser' });
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test('never becomes more than a megabyte, however small the bomb', async () => {
    const bomb = letters(deflateRawSync(new Uint8Array(40_000_000), { level: 9 }));
    expect(bomb.length).toBeLessThan(PACKED_LIMIT);
    await expect(unpackText(bomb)).rejects.toMatchObject({ code: 'link-size' });
    const most = letters(deflateRawSync(new Uint8Array(UNPACKED_LIMIT).fill(97), { level: 9 }));
    expect((await unpackText(most)).length).toBe(UNPACKED_LIMIT);
    const checked = letters(deflateSync(new Uint8Array(40_000_000), { level: 9 }));
    await expect(unpackText(checked)).rejects.toMatchObject({ code: 'link-size' });
    await expect(unpackText('A'.repeat(PACKED_LIMIT + 1))).rejects.toMatchObject({
      code: 'link-size',
    });
    await expect(packText(new Uint8Array(UNPACKED_LIMIT + 1))).rejects.toMatchObject({
      code: 'share-size',
    });
  });

  test('that was cut, changed or made up gives an error of its own, never another one', async () => {
    const next = random(2);
    const good = await packText(encodeText('the whale and the sea\n'.repeat(40)));
    let refused = 0;
    for (let round = 0; round < 500; round++) {
      const at = Math.floor(next() * good.length);
      const letter = String.fromCharCode(33 + Math.floor(next() * 90));
      const broken =
        round % 3 === 0
          ? good.slice(0, at)
          : round % 3 === 1
            ? good.slice(0, at) + letter + good.slice(at + 1)
            : letters(Uint8Array.from({ length: 1 + at }, () => Math.floor(next() * 256)));
      try {
        expect(await unpackText(broken)).toBeInstanceOf(Uint8Array);
      } catch (thrown) {
        refused += 1;
        expect(thrown).toMatchObject({ name: 'GlasshouseError' });
        expect(['link-text', 'link-size']).toContain((thrown as { code: string }).code);
      }
    }
    expect(refused).toBeGreaterThan(300);
  });
});

describe('a fragment', () => {
  test('of any letters whatever is read or refused, and never asks another host for anything', async () => {
    const next = random(3);
    const words = [
      'packed',
      'file',
      'sha256',
      'text',
      'show',
      'lock',
      'hide',
      'task',
      'host',
      'lr',
    ];
    const values = [
      '../x',
      'https://a.b/c',
      'own',
      'host',
      '%00',
      'a/b.txt',
      '"><script>',
      '1e999',
    ];
    const asked: string[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = (input) => {
      asked.push(input instanceof URL ? input.href : input instanceof Request ? input.url : input);
      return Promise.reject(new Error('no network'));
    };
    try {
      for (let round = 0; round < 400; round++) {
        const pick = <Item>(items: readonly Item[]): Item =>
          items[Math.floor(next() * items.length)]!;
        const hash = `#${Array.from({ length: 5 }, () => `${pick(words)}=${pick(values)}`).join('&')}`;
        const base = 'https://school.example/course/embed.html';
        await readSent(hash.replaceAll('%00', round % 2 ? '%00' : 'f'.repeat(64)), base).catch(
          (thrown: unknown) => {
            expect(thrown).toMatchObject({ name: 'GlasshouseError' });
          },
        );
        const lesson = readLesson(new URLSearchParams(hash.slice(1)));
        for (const name of lesson.show ?? []) expect(PANELS).toContain(name);
      }
    } finally {
      globalThis.fetch = fetch;
    }
    expect(asked.filter((url) => !url.startsWith('https://school.example/course/'))).toEqual([]);
    await expect(readSent(`#${'a'.repeat(FRAGMENT_LIMIT)}`, 'https://a.b/')).rejects.toMatchObject({
      code: 'link-size',
    });
  });

  test('names the text that it brings, on one line and no longer than fits', async () => {
    const packed = await packText(encodeText('anna\nbea\n'));
    const found = await readSent(`#packed=${packed}&name=Two+names&lr=0.1`, 'https://a.b/');
    expect(found).toMatchObject({ hash: '#lr=0.1&text=own', textName: 'Two names' });
    const named = (name: string): unknown => givenText(found.text!, name);
    expect(named('Two\n\u0007 names ')).toMatchObject({ name: 'Two names', size: 9 });
    expect(named('字'.repeat(500))).toMatchObject({ name: '字'.repeat(NAME_LENGTH) });
    // A text without a name counts as typed; a typed text may also have a name.
    expect(named(' ')).toBe('anna\nbea\n');
    expect(givenText('anna', 'One name')).toMatchObject({ name: 'One name', size: 4 });
    expect(givenText('', 'No text')).toBe('');
    expect(
      new URLSearchParams(pageParams('#text=own', `#packed=${packed}&name=A`)).get('name'),
    ).toBe('A');
  });

  test('says of a lesson what the lesson says, and no more than fits', () => {
    const lesson = {
      show: new Set(['loss', 'text']),
      lock: new Set(['text']),
      hide: new Set(['seed']),
      task: 'Read the loss at step 200.\n\nThen say why & how = much + more.',
      autostart: true,
      stop: 300,
    };
    const params = new URLSearchParams();
    writeLesson(lesson, params);
    expect(readLesson(new URLSearchParams(params.toString()))).toEqual(lesson);
    const long = readLesson(new URLSearchParams({ task: '字'.repeat(10_000) }));
    expect(Array.from(long.task)).toHaveLength(TASK_LIMIT);
    expect(readLesson(new URLSearchParams('autostart=0')).autostart).toBe(false);
  });

  test('is what the attributes of the element say', () => {
    const attributes: Record<string, string> = {
      sample: 'tang',
      preset: 'microgpt',
      settings: 'layers=3&lr=0.01',
      seed: '7',
      autostart: '',
    };
    const read = (name: string): string | null => attributes[name] ?? null;
    const params = new URLSearchParams(fragmentOf(read, false).slice(1));
    expect(Object.fromEntries(params)).toEqual({
      ...{ text: 'tang', preset: 'microgpt', layers: '3', lr: '0.01', seed: '7', autostart: '' },
    });
    expect(new URLSearchParams(fragmentOf(read, true).slice(1)).get('text')).toBe('own');
  });

  test('is told which of its words nobody knows, and of no others', async () => {
    const trainer = new DirectTrainer(engineBytes());
    const table = await trainer.options();
    trainer.close();
    const strange = (fragment: string) =>
      unknownParams(new URLSearchParams(fragment), table, ADDRESS_PARAMS);
    expect(
      strange(
        'preset=microgpt&layers=0.5&lr=&text=tang&show=loss,text&lock=ask&hide=seed pace&pace=30' +
          '&left_out=8:40,3:5&lang=zh-CN&theme=dark&view=tokens&prompt=&temperature=0.5&autostart=&task=x&host=https://a.b',
      ),
    ).toEqual([]);
    expect(
      strange('preset=zzz&show=Loss&sample=tang&text=Tang&layes=3&theme=pink&temperature=hot'),
    ).toEqual(['preset=zzz', 'show=Loss', 'sample=tang', 'text=Tang', 'layes=3']);
    expect(strange(`${'x'.repeat(500)}=1`)[0]!.length).toBeLessThan(50);
    // An invalid option value blocks the run and has its own message beside the field.
    expect(strange('lr=nonsense&activation=no&bias=1')).toEqual([]);
    expect(strange('constructor=1')).toEqual(['constructor=1']);
    expect(strange('left_out=8-40')).toEqual(['left_out=8-40']);
    // A parameter without a value is reported without `=`.
    expect(strange('layes')).toEqual(['layes']);
    // Lesson parameters are unknown to the plain page.
    const page = unknownParams(
      new URLSearchParams('packed=a&show=loss&text=tang'),
      table,
      PAGE_PARAMS,
    );
    expect(page).toEqual(['packed=a', 'show=loss']);
  });

  test.each(LANGS)('has all its words in the page for teachers: %s', (lang) => {
    const page = pagesOf(join(import.meta.dirname, '..'))(lang, 'teaching');
    const rowOf = (name: string): string =>
      page.split('\n').find((row) => row.startsWith(`| \`${name}\` |`)) ?? '';
    const names = [...Object.keys(ADDRESS_PARAMS), ...TEXT_PARAMS, ...LESSON_ATTRIBUTES];
    const paces = PACES.map(String);
    const samples = SAMPLE_TEXTS.map(({ id }) => id);
    for (const name of [...names, ...CONTROLS, ...paces, ...samples]) {
      expect(page, name).toContain(`\`${name}\``);
    }
    // The docs build writes these rows.
    for (const [name, values] of Object.entries({ view: TABS, show: PANELS, lock: LOCKS })) {
      expect(
        rowOf(name)
          .match(/`[\w-]+`/g)!
          .slice(-values.length),
      ).toEqual(values.map((one) => `\`${one}\``));
    }
    const readme = readFileSync(new URL('../web/package/README.md', import.meta.url), 'utf8');
    for (const name of ['text', ...LESSON_ATTRIBUTES]) expect(readme).toContain(`\`${name}\``);
  });
});

describe('a host', () => {
  test('is obeyed when it is at home or named, and by no other likeness', () => {
    const own = 'https://us.example';
    expect(isAllowed(own, null, own)).toBe(true);
    expect(isAllowed('https://school.example', 'https://school.example', own)).toBe(true);
    expect(isAllowed('https://a.b', 'https://c.d, https://a.b', own)).toBe(true);
    expect(isAllowed('https://a.b', 'https://a.b/course/', own)).toBe(true);
    expect(isAllowed('https://anybody.example', '*', own)).toBe(true);
    for (const origin of ['https://school.example.evil', 'http://school.example', 'null', '']) {
      expect(isAllowed(origin, 'https://school.example', own), origin).toBe(false);
    }
    expect(isAllowed('null', 'null', own)).toBe(false);
    expect(isAllowed('null', null, 'null')).toBe(false);
  });

  test('that answers each height with the other one is told the larger, and then no more', () => {
    const guard = new HeightGuard();
    const told: number[] = [];
    for (let turn = 0; turn < 100; turn++) {
      const height = guard.next(turn % 2 === 0 ? 500.2 : 700);
      if (height !== null) told.push(height);
    }
    expect(told.length).toBeLessThan(8);
    expect(told.at(-1)).toBe(700);
    expect(guard.next(900)).toBe(900);
  });
});

test.each([
  ['#text=tang.', '#text=tang'],
  ['#text=names&preset=gpt2).', '#text=names&preset=gpt2'],
  ['#text=names&show=text,loss,', '#text=names&show=text,loss'],
  ['#text=names&steps=30%E2%80%9D', '#text=names&steps=30'],
  ['#packed=AbC_-%E3%80%82', '#packed=AbC_-'],
  ['#packed=AbC_-).', '#packed=AbC_-'],
  ['#packed=AbC_-%3E', '#packed=AbC_-'],
  ['#packed=AbC_-”', '#packed=AbC_-'],
  ['#packed=AbC_-%60', '#packed=AbC_-'],
  ['#packed=AbC_-%29.', '#packed=AbC_-'],
  ['#packed=AbC_-%20and', '#packed=AbC_-'],
  ['#packed=AbC%5F%2D**', '#packed=AbC%5F%2D'],
  ['#packed=AbC_-…', '#packed=AbC_-'],
  ['#packed=', '#packed='],
  ['#text=names&steps=30%5D', '#text=names&steps=30'],
  ['#text=names&steps=30%7D|', '#text=names&steps=30'],
  ['#text=names&steps=30%29%60%27%20.', '#text=names&steps=30'],
  ['#text=names&preset=microgpt%E2%80%A6', '#text=names&preset=microgpt'],
  ['#text=names&lang=zh_**', '#text=names&lang=zh'],
  ['#text=names&steps=30%E2%80%A6', '#text=names&steps=30%E2%80%A6'],
  ['#file=%E5%90%8D%E3%80%82', '#file=%E5%90%8D'],
  ['#text=host&host=*).', '#text=host&host=*'],
  ['#autostart.', '#autostart'],
  ['#text=names&autostart=', '#text=names&autostart='],
  ['#text=names&prompt=a&', '#text=names&prompt=a&'],
  ['#text=names%E2%80', '#text=names'],
  ['#text%3Dtang%26lang%3Dzh.', '#text=tang&lang=zh'],
  ['#text=names&prompt=Anna.', '#text=names&prompt=Anna.'],
  ['#task=Look%20closely!', '#task=Look%20closely!'],
  ['', ''],
])('the fragment %s means %s: punctuation behind a link is no part of it', (sent, meant) => {
  expect(cleanFragment(sent)).toBe(meant);
});
