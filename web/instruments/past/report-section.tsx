/** Report section on the past: for some steps in a row, the map of one head and a text. */
import { headStatistics } from '../../engine/head-statistics.ts';
import { placeWithin, withControlSigns } from '../../data/attention-data.ts';
import { returnsNoise } from '../../kit/canvas-noise.ts';
import { headImage, pictureTitle, ThemedImage } from '../../kit/pictures/attention-picture.tsx';
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
  // If the browser returns noise for pictures, the section on attention says so.
  if (run === null || last === undefined || probes.length < 2 || returnsNoise()) return null;
  const clearest = kept(ClearestHead).find(run.number, last, headStatistics(last));
  const head = placeWithin(state.head ?? clearest, last);
  const at = (index: number): number => Math.round((index * (probes.length - 1)) / (MOST - 1));
  const chosen = new Set(
    probes.length <= MOST ? probes : Array.from({ length: MOST }, (_, index) => probes[at(index)]!),
  );
  const body = (
    <div class="film">
      {[...chosen].map((probe) => {
        const texts = sampleAt(run.samples, probe.step)?.texts ?? [];
        const text = texts.find((one) => one.trim() !== '') ?? '';
        const step = words.t('past.film.step', { step: words.number(probe.step) });
        return (
          <figure>
            <ThemedImage
              alt={pictureTitle(probe, head, words)}
              source={(isDark) => headImage(probe, head, isDark)}
            />
            <figcaption>{`${step} · ${withControlSigns(text.slice(0, 40))}`}</figcaption>
          </figure>
        );
      })}
    </div>
  );
  return { title: 'past.report', body, style: STYLE };
};
