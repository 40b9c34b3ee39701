/** Report section with the maps of all heads. */
import { spokenLabel, withControlSigns } from '../../data/attention-data.ts';
import type { AttentionData, AttentionToken, HeadPlace } from '../../data/attention-data.ts';
import { groupBytes, textOf } from '../../data/byte-groups.ts';
import type { AllWords } from '../../i18n/index.ts';
import { returnsNoise } from '../../kit/canvas-noise.ts';
import { el, svg } from '../../kit/dom.ts';
import {
  HEAD_FRAME,
  headImage,
  headLetters,
  pictureTitle,
  scaleImage,
} from '../../kit/pictures/attention-picture.ts';
import { placeOfWeight, WEIGHT_TICKS } from '../../kit/weight-colour.ts';
import type { MakeSection } from '../panel.ts';

/** Id of the token labels around the maps. */
const LETTERS = 'letters';

/** Formats a length in the frame of a small map as a percentage of its side. */
function share(length: number): string {
  return `${String((100 * length) / HEAD_FRAME.side)}%`;
}

const STYLE = `
.heads{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,16rem),1fr));gap:1rem}
figure{margin:0}.map{position:relative}.map svg{display:block;width:100%;fill:var(--muted)}
.map img{position:absolute;right:0;bottom:0;width:${share(HEAD_FRAME.side - HEAD_FRAME.margin)};aspect-ratio:1;image-rendering:pixelated}
figcaption,.scale{font-size:.85rem;color:var(--muted)}
figure.scale{max-width:20rem;margin:1rem 0 1.5rem;padding:0 .5rem}
.scale img{display:block;width:100%;height:.6rem;margin:.2rem 0}
.scale div{position:relative;height:1.2rem}.scale span{position:absolute;transform:translateX(-50%)}
`;

export const attentionSection: MakeSection = ({ session, words }) => {
  const run = session()?.run ?? null;
  const parts = attentionParts(run?.attention ?? null, run?.history.length ?? 0, words);
  return { title: 'report.attention', parts, style: STYLE };
};

/** Parts of the section; `step` is that of the other report sections. */
function attentionParts(attention: AttentionData | null, step: number, words: AllWords): Node[] {
  const { t } = words;
  if (attention === null) return [el('p', { class: 'muted' }, t('report.none'))];
  if (returnsNoise()) return [el('p', {}, t('error.canvas-noise'))];
  // Drawn once and reused by all heads.
  const drawn = headLetters(attention);
  drawn.setAttribute('id', LETTERS);
  const letters = svg('svg', { width: 0, height: 0, 'aria-hidden': 'true' });
  letters.append(svg('defs', {}, drawn));
  const heads = el('div', { class: 'heads' });
  for (let layer = 0; layer < attention.layers; layer++) {
    for (let head = 0; head < attention.heads; head++) {
      const name = pictureTitle(attention, { layer, head }, words);
      heads.append(headFigure(attention, { layer, head }, name));
    }
  }
  const list = tokenNames(attention.tokens, words).join(t('list.separator'));
  return [
    el('p', {}, t('report.probe', { text: withControlSigns(textOf(attention.tokens)) })),
    ...(attention.step === step
      ? []
      : [el('p', {}, t('report.attention.step', { step: words.number(attention.step) }))]),
    el('p', {}, t('picture.attention.axes')),
    weightScale(words),
    el('p', { class: 'muted' }, t('report.tokens', { tokens: list })),
    letters,
    heads,
  ];
}

/** Names of all tokens; tokens of one character have its name. */
function tokenNames(tokens: readonly AttentionToken[], words: AllWords): string[] {
  return groupBytes(tokens).flatMap(({ start, end, text }) => {
    const some = tokens.slice(start, end);
    if (text === '') return some.map((token) => spokenLabel(token, words));
    return [words.t('report.bytes', { text, bytes: some.map(({ hex }) => hex).join(' ') })];
  });
}

/** The colour scale of the maps, for light and dark paper. */
function weightScale(words: AllWords): HTMLElement {
  const dark = el('source', { media: '(prefers-color-scheme: dark)', srcset: scaleImage(true) });
  const bar = el('picture', {}, dark, el('img', { src: scaleImage(false), alt: '' }));
  const ticks = WEIGHT_TICKS.map((weight) => {
    const tick = el('span', {}, words.short(weight));
    tick.style.left = `${String(100 * placeOfWeight(weight))}%`;
    return tick;
  });
  const name = el('figcaption', {}, words.t('attention.scale'));
  return el('figure', { class: 'scale' }, name, bar, el('div', {}, ...ticks));
}

/** One head for light and dark paper, with token labels at rows and columns. */
function headFigure(attention: AttentionData, place: HeadPlace, name: string): HTMLElement {
  const { side } = HEAD_FRAME;
  const frame = svg('svg', {
    viewBox: `0 0 ${String(side)} ${String(side)}`,
    'aria-hidden': 'true',
  });
  frame.append(svg('use', { href: `#${LETTERS}` }));
  const dark = el('source', {
    media: '(prefers-color-scheme: dark)',
    srcset: headImage(attention, place, true),
  });
  const image = el('img', { src: headImage(attention, place, false), alt: name });
  const map = el('div', { class: 'map' }, frame, el('picture', {}, dark, image));
  return el('figure', {}, map, el('figcaption', {}, name));
}
