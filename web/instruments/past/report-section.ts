/** Report section on the development of the run: a head and a text at some steps, in a row. */
import { headStatistics } from '../../engine/head-statistics.ts';
import { placeWithin, withControlSigns } from '../../data/attention-data.ts';
import { returnsNoise } from '../../kit/canvas-noise.ts';
import { el } from '../../kit/dom.ts';
import { headImage, pictureTitle } from '../../kit/pictures/attention-picture.ts';
import { sampleAt } from '../../store/timeline.ts';
import { ClearestHead } from '../../store/training/head-habits.ts';
import type { MakeSection } from '../panel.ts';

/** Maximum number of steps in the row. */
const MOST = 6;

const STYLE = `
.film{display:grid;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr));gap:1rem}
.film figure{margin:0}.film img{display:block;width:100%;aspect-ratio:1;image-rendering:pixelated}
.film figcaption{font-size:.85rem;color:var(--muted);overflow-wrap:anywhere}
`;

export const pastSection: MakeSection = ({ session, state, kept, words }) => {
  const run = session()?.run ?? null;
  const probes = run?.attentions.entries ?? [];
  const last = probes.at(-1);
  // A browser that returns noise for pictures is reported at the attention maps.
  if (run === null || last === undefined || probes.length < 2 || returnsNoise()) {
    return { title: 'past.report', parts: [] };
  }
  const clearest = kept(ClearestHead).find(run.number, last, headStatistics(last));
  const head = placeWithin(state.head ?? clearest, last);
  const at = (index: number): number => Math.round((index * (probes.length - 1)) / (MOST - 1));
  const chosen = new Set(
    probes.length <= MOST ? probes : Array.from({ length: MOST }, (_, index) => probes[at(index)]),
  );
  const figures = [...chosen].flatMap((probe) => {
    if (probe === undefined) return [];
    const name = pictureTitle(probe, head, words);
    const dark = el('source', {
      media: '(prefers-color-scheme: dark)',
      srcset: headImage(probe, head, true),
    });
    const image = el('img', { src: headImage(probe, head, false), alt: name });
    const step = words.t('past.film.step', { step: words.number(probe.step) });
    const text = sampleAt(run.samples, probe.step)?.texts.find((one) => one.trim() !== '') ?? '';
    const caption = el('figcaption', {}, `${step} · ${withControlSigns(text.slice(0, 40))}`);
    return [el('figure', {}, el('picture', {}, dark, image), caption)];
  });
  return { title: 'past.report', parts: [el('div', { class: 'film' }, ...figures)], style: STYLE };
};
