/**
 * A run as one HTML file that needs nothing else: settings, curve, samples, attention, and where it
 * comes from. It has no script, and its policy allows none. Everything a person or a model wrote goes
 * in as text nodes, which the browser's serializer escapes.
 */
import { presetValue, valueOf } from '../engine/options.ts';
import type { OptionTable, Recipe } from '../engine/options.ts';
import type { Key, Words } from '../i18n/index.ts';
import { spokenLabel } from '../views/attention-data.ts';
import type { AttentionData } from '../views/attention-data.ts';
import { headImage, pictureTitle } from '../views/attention-picture.ts';
import { el, table } from '../views/dom.ts';
import { PLAIN_LOOK, unitFactor } from '../views/loss-data.ts';
import type { LossData } from '../views/loss-data.ts';
import { lossPicture } from '../views/loss-picture.ts';
import type { Palette } from '../views/palette.ts';
import type { SampleEntry } from '../views/samples.ts';
import { isIdle } from '../views/settings-form.ts';
import { optionText } from './earlier-runs.ts';

export interface ReportFacts {
  readonly table: OptionTable;
  readonly recipe: Recipe;
  readonly text: { readonly name: string; readonly bytes: number; readonly sha256: string };
  readonly model: { readonly parameters: number; readonly vocab: number; readonly tokens: number };
  readonly loss: LossData;
  readonly samples: readonly SampleEntry[];
  readonly attention: AttentionData | null;
  /** The line of the receipt; empty when there is none. */
  readonly receipt: string;
}

/** Colours that the report's own style fills in, so that the curve follows its theme. */
const PALETTE: Palette = {
  paper: 'var(--paper)',
  ink: 'var(--ink)',
  muted: 'var(--muted)',
  grid: 'var(--grid)',
  accent: 'var(--accent)',
  amber: 'var(--amber)',
  lines: ['var(--line-1)', 'var(--line-2)', 'var(--line-3)', 'var(--line-4)'],
};

const STYLE = `
:root{--paper:#fbfaf6;--ink:#21261f;--muted:#5e6459;--grid:#e2e0d6;--accent:#2c7a3f;--amber:#b06a00;
--line-1:#3b62a8;--line-2:#8a4a9e;--line-3:#a63d57;--line-4:#4f6670;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--paper:#141814;--ink:#e7eae2;--muted:#a2ab9d;--grid:#303730;
--accent:#7cc687;--amber:#e2a94c;--line-1:#8fb0ee;--line-2:#cf9be0;--line-3:#f09aaf;--line-4:#a9bcc4}}
body{margin:0 auto;padding:2rem 1rem;max-width:60rem;background:var(--paper);color:var(--ink);
font:1rem/1.55 system-ui,"Segoe UI","PingFang SC","Noto Sans CJK SC",sans-serif}
h1{margin:0;line-height:1.2}h2{margin:2rem 0 .5rem;border-top:1px solid var(--grid);padding-top:1rem}
p{margin:.4rem 0;max-width:44rem}.muted{color:var(--muted)}
svg{display:block;width:100%;height:auto}
code,.written{font-family:ui-monospace,Menlo,Consolas,"Noto Sans Mono CJK SC",monospace;overflow-wrap:anywhere}
.written{white-space:pre-wrap;margin:.15rem 0}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--muted)}
th,td{padding:.15rem .9rem .15rem 0;text-align:left;font-weight:400;vertical-align:top}
thead th{color:var(--muted);border-bottom:1px solid var(--grid)}
.heads{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:1rem}
figure{margin:0}figure img{width:100%;aspect-ratio:1;image-rendering:pixelated;background:#fff}
figcaption{font-size:.85rem;color:var(--muted)}
@media print{body{max-width:none}figure,svg,tr{break-inside:avoid}}
`;

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";
const SAMPLES_OF_A_STEP = 6;

/** The whole file. */
export function runReport(facts: ReportFacts, words: Words): string {
  const { t } = words;
  const title = t('report.title', { text: facts.text.name });
  const body = el(
    'body',
    {},
    el('header', {}, el('h1', {}, title), el('p', { class: 'muted' }, subtitle(facts, words))),
    section('report.loss', words, ...lossParts(facts.loss, words)),
    section('report.samples', words, ...sampleParts(facts.samples, words)),
    section('report.attention', words, ...attentionParts(facts.attention, words)),
    section('report.settings', words, settingsTable(facts, words)),
    section('report.source', words, ...sourceParts(facts, words)),
  );
  const head = el('title', {}, title).outerHTML;
  return `<!doctype html>
<html lang="${words.lang === 'zh' ? 'zh-Hans' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
${head}
<style>${STYLE}</style>
</head>
${body.outerHTML}
</html>
`;
}

function section(title: Key, words: Words, ...parts: Node[]): HTMLElement {
  return el('section', {}, el('h2', {}, words.t(title)), ...parts);
}

function subtitle({ recipe, loss, model, table: options }: ReportFacts, words: Words): string {
  const seed = optionText(options, recipe, 'seed', words);
  return [
    recipe.preset,
    words.t('report.steps', { step: loss.history.length }),
    words.t('report.parameters', { count: model.parameters }),
    seed,
  ].join(' · ');
}

function lossParts(data: LossData, words: Words): Node[] {
  const { t } = words;
  const { history, randomLoss, tokensPerCharacter } = data;
  const bits = unitFactor({ ...PLAIN_LOOK, unit: 'bits' }, tokensPerCharacter.train);
  const smoothed = history.smoothedLast ?? NaN;
  const facts = [
    t('report.loss.end', {
      smoothed: words.number(smoothed, 3),
      random: words.number(randomLoss, 3),
    }),
  ];
  if (Number.isFinite(bits)) {
    facts.push(t('report.loss.bits', { bits: words.number(smoothed * bits, 3) }));
  }
  const held = history.lastValidation;
  if (held !== undefined) {
    const step = words.number(held.step);
    facts.push(t('report.loss.validation', { loss: words.number(held.loss, 3), step }));
  }
  const heads = [t('loss.col.steps'), t('loss.col.mean'), t('loss.validation')];
  const rows = history
    .blocks(history.blockSize())
    .map((block) => [
      `${words.number(block.from)}–${words.number(block.to)}`,
      words.number(block.mean, 4),
      words.number(history.validationIn(block.from - 1, block.to) ?? NaN, 4),
    ]);
  const picture = lossPicture(data, PLAIN_LOOK, {
    words,
    title: t('loss.picture', { step: history.length }),
    palette: PALETTE,
  });
  return [
    el('p', {}, facts.join(words.lang === 'zh' ? '' : ' ')),
    picture,
    el('div', { class: 'wide' }, table(t('loss.table.caption'), heads, rows)),
  ];
}

function sampleParts(entries: readonly SampleEntry[], words: Words): Node[] {
  if (entries.length === 0) return [el('p', { class: 'muted' }, words.t('report.none'))];
  return entries.flatMap(({ step, texts }) => [
    el('p', { class: 'muted' }, words.t('samples.step', { step: words.number(step) })),
    ...texts.slice(0, SAMPLES_OF_A_STEP).map((text) => el('p', { class: 'written' }, text)),
  ]);
}

function attentionParts(attention: AttentionData | null, words: Words): Node[] {
  const { t } = words;
  if (attention === null) return [el('p', { class: 'muted' }, t('report.none'))];
  const heads = el('div', { class: 'heads' });
  for (let layer = 0; layer < attention.layers; layer++) {
    for (let head = 0; head < attention.heads; head++) {
      const name = pictureTitle(attention, { layer, head }, words);
      const image = el('img', { src: headImage(attention, { layer, head }), alt: name });
      heads.append(el('figure', {}, image, el('figcaption', {}, name)));
    }
  }
  const tokens = attention.tokens.map((token) => spokenLabel(token, words));
  const list = tokens.join(t('list.separator'));
  return [
    el('p', {}, t('picture.attention.axes')),
    el('p', { class: 'muted' }, t('report.tokens', { tokens: list })),
    heads,
  ];
}

/** Every option with its value, and the preset's own where it was changed. */
function settingsTable({ table: options, recipe }: ReportFacts, words: Words): HTMLElement {
  const { t } = words;
  const preset: Recipe = { preset: recipe.preset, changes: {} };
  const values = Object.fromEntries(
    options.options.map(({ name }) => [name, valueOf(options, recipe, name)]),
  );
  const shown = options.options.filter(({ name }) => !isIdle(name, options.options, values));
  const rows = shown.map((option) => {
    const changed = recipe.changes[option.name];
    const same = changed === undefined || changed === presetValue(options, recipe.preset, option);
    return [
      optionText(options, recipe, option.name, words),
      same ? '' : optionText(options, preset, option.name, words),
    ];
  });
  const heads = [t('report.setting'), t('report.preset', { preset: recipe.preset })];
  return el('div', { class: 'wide' }, table(t('report.settings.caption'), heads, rows));
}

function sourceParts({ text, model, receipt }: ReportFacts, words: Words): Node[] {
  const { t } = words;
  const parts: Node[] = [
    el('p', {}, t('report.text', { name: text.name, bytes: text.bytes, tokens: model.tokens })),
  ];
  if (text.sha256 !== '') {
    parts.push(el('p', {}, 'SHA-256: ', el('code', {}, text.sha256)));
  }
  if (receipt !== '') {
    parts.push(el('p', {}, t('report.receipt'), ' ', el('code', {}, receipt)));
  }
  parts.push(el('p', { class: 'muted' }, t('report.repeat')));
  return parts;
}
