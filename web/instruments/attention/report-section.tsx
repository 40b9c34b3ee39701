/** The maps of all heads, for the report of a run. */
import { spokenLabel, withControlSigns } from '../../data/attention-data.ts';
import type { AttentionData, AttentionToken } from '../../data/attention-data.ts';
import { groupBytes, textOf } from '../../data/byte-groups.ts';
import type { AllWords } from '../../i18n/index.ts';
import { returnsNoise } from '../../kit/canvas-noise.ts';
import { el } from '../../kit/dom.ts';
import { Paragraphs } from '../../kit/note.tsx';
import { textWidth } from '../../kit/picture-key.ts';
import { headImage, pictureTitle, ThemedImage } from '../../kit/pictures/attention-picture.tsx';
import { axisMarks, marksThatFit } from '../../kit/row-labels.ts';
import { colourScale, placeOfWeight, WEIGHT_TICKS } from '../../kit/weight-colour.ts';
import type { MakeSection } from '../panel.ts';

/** Element id of the token labels, which all maps share. */
const LETTERS = 'letters';

/** Side of a map, its margin for labels, and the side of its image, in drawing units. */
const SIDE = 256;
const MARGIN = 32;
const IMAGE = SIDE - MARGIN;

const STYLE = `
.heads{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,16rem),1fr));gap:1rem}
figure{margin:0}.map{position:relative}.map svg{display:block;width:100%;fill:var(--muted)}
.map img{position:absolute;right:0;bottom:0;width:${String((100 * IMAGE) / SIDE)}%;aspect-ratio:1;image-rendering:pixelated}
figcaption,.scale{font-size:.85rem;color:var(--muted)}
figure.scale{max-width:20rem;margin:1rem 0 1.5rem;padding:0 .5rem}
.scale img{display:block;width:100%;height:.6rem;margin:.2rem 0}
.scale div{position:relative;height:1.2rem}.scale span{position:absolute;transform:translateX(-50%)}
`;

export const attentionSection: MakeSection = ({ session, words }) => {
  const run = session()?.run ?? null;
  const body = attentionMaps(run?.attention ?? null, run?.history.length ?? 0, words);
  return { title: 'report.attention', body, style: STYLE };
};

/** `step`: the last step of the run, which the rest of the report describes. */
function attentionMaps(attention: AttentionData | null, step: number, words: AllWords) {
  const { t, number } = words;
  if (attention === null) return <p class="muted">{t('report.none')}</p>;
  if (returnsNoise()) return <p>{t('error.canvas-noise')}</p>;
  const { tokens, layers, heads } = attention;
  const list = tokenNames(tokens, words).join(t('list.separator'));
  const texts = [
    t('report.probe', { text: withControlSigns(textOf(tokens)) }),
    attention.step === step ? '' : t('report.attention.step', { step: number(attention.step) }),
    t('picture.attention.axes'),
  ];
  const places = Array.from({ length: layers * heads }, (_, at) => ({
    layer: Math.floor(at / heads),
    head: at % heads,
  }));
  return (
    <>
      <Paragraphs texts={texts} />
      <WeightScale words={words} />
      <p class="muted">{t('report.tokens', { tokens: list })}</p>
      <svg width={0} height={0} aria-hidden="true">
        <defs>{letters(tokens)}</defs>
      </svg>
      <div class="heads">
        {places.map((place) => {
          const name = pictureTitle(attention, place, words);
          return (
            <figure>
              <div class="map">
                <svg viewBox={`0 0 ${String(SIDE)} ${String(SIDE)}`} aria-hidden="true">
                  <use href={`#${LETTERS}`} />
                </svg>
                <ThemedImage alt={name} source={(isDark) => headImage(attention, place, isDark)} />
              </div>
              <figcaption>{name}</figcaption>
            </figure>
          );
        })}
      </div>
    </>
  );
}

/**
 * Token labels of a map, stored once for all heads. If cells are smaller than letters, only every
 * n-th token has a label, and the bytes of a character share one.
 */
function letters(tokens: readonly AttentionToken[]) {
  const cell = IMAGE / tokens.length;
  const font = Math.max(8, Math.min(14, cell * 0.8));
  const every = Math.max(1, Math.ceil(9 / cell));
  const marks = marksThatFit(axisMarks(tokens, every > 1), every);
  return (
    <g font-size={decimals(font)} id={LETTERS}>
      {marks.map(({ label, start, end }) => {
        const centre = MARGIN + ((start + end) / 2) * cell;
        const across = decimals(centre + font * 0.35);
        const width = Array.from(label).length === 1 ? 0 : (textWidth(label) * font) / 13;
        // Rotates a label that is wider than its column of cells.
        const column =
          width < every * cell * 0.8
            ? ({ x: decimals(centre), y: MARGIN - 5, 'text-anchor': 'middle' } as const)
            : { transform: `translate(${across} ${String(MARGIN - 5)}) rotate(-90)` };
        return [
          <text x={MARGIN - 4} y={across} text-anchor="end">
            {label}
          </text>,
          <text {...column}>{label}</text>,
        ];
      })}
    </g>
  );
}

/** Rounds a length to two decimals, to keep files short. */
function decimals(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Names of all tokens; bytes that form a character have one name, with the character. */
function tokenNames(tokens: readonly AttentionToken[], words: AllWords): string[] {
  return groupBytes(tokens).flatMap(({ start, end, text }) => {
    const some = tokens.slice(start, end);
    if (text === '') return some.map((token) => spokenLabel(token, words));
    return [words.t('report.bytes', { text, bytes: some.map(({ hex }) => hex).join(' ') })];
  });
}

/** The colour key of the maps. */
function WeightScale({ words }: { readonly words: AllWords }) {
  return (
    <figure class="scale">
      <figcaption>{words.t('attention.scale')}</figcaption>
      <ThemedImage alt="" source={scaleImage} />
      <div>
        {WEIGHT_TICKS.map((weight) => (
          <span style={{ left: `${String(100 * placeOfWeight(weight))}%` }}>
            {words.short(weight)}
          </span>
        ))}
      </div>
    </figure>
  );
}

/** The bar of the colour key as a `data:` URL, for a light or dark theme. */
function scaleImage(dark: boolean): string {
  const scale = colourScale(dark);
  const canvas = el('canvas', { width: scale.length / 4, height: 1 });
  const context = canvas.getContext('2d');
  if (context === null) return '';
  const image = context.createImageData(scale.length / 4, 1);
  image.data.set(scale);
  context.putImageData(image, 0, 0);
  return canvas.toDataURL('image/png');
}
