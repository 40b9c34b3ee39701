/** Trains two runs again with other seeds: button, progress, table and conclusion. */
import { useEffect } from 'preact/hooks';
import { unitKey } from '../../data/loss-data.ts';
import type { LossUnit } from '../../data/loss-data.ts';
import { findOption, valueOf, withChange } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { messageOf } from '../../store/messages.ts';
import type { Session } from '../../store/training/session.ts';
import { useInstrument } from '../component.tsx';
import { judge, keyOf, MORE_SEEDS } from './seeds.ts';
import type { Pair, Seeded, SeedRow, Seeds, Two } from './seeds.ts';
import { StackedTable } from './stacked-table.tsx';

export interface SeedsPartProps {
  readonly seeds: Seeds;
  /** The pair to train again; null if that is impossible. */
  readonly pair: Pair | null;
}

export function SeedsPart({ seeds, pair }: SeedsPartProps) {
  const { words, session, startQuestions } = useInstrument();
  const { t, number } = words;
  const { key, unit, rows, progress, error } = seeds.state.value;
  const isIt = pair !== null && keyOf(pair) === key;
  const isOther = !isIt && progress !== null;
  useEffect(() => {
    // Stops a pair that is no longer shown, because its results would not be shown either.
    if (isOther) seeds.stop();
  }, [isOther]);
  if (pair === null || startQuestions === null) return null;

  const train = (): void => {
    const now = session();
    if (now === null) return;
    void seeds.train(pair, withSeeds(pair, now), startQuestions);
    void now.trainer.closed.then(() => seeds.stop());
  };
  const shown = isIt ? rows : [];
  const trains = isIt && progress !== null;
  const { names } = pair;
  const failed = isIt && error !== null ? messageOf(error, words) : '';
  const said = failed !== '' ? failed : verdictText(names, unit, shown, words);
  return (
    <div class="twin-seeds">
      <div class="twin-controls">
        {trains || shown.length <= MORE_SEEDS ? (
          // The same button starts and stops, so that it keeps the focus.
          <button
            type="button"
            class="secondary"
            onClick={() => {
              if (trains) seeds.stop();
              else train();
            }}
          >
            {trains ? t('twin.seeds.stop') : t('twin.seeds', { count: MORE_SEEDS })}
          </button>
        ) : null}
        {trains ? (
          <span class="note">
            {/* Before the first run has begun, its steps are unknown. */}
            {progress.steps === 0
              ? ''
              : t('twin.seeds.progress', {
                  run: progress.run,
                  runs: progress.runs,
                  step: number(progress.step),
                  steps: number(progress.steps),
                })}
          </span>
        ) : null}
      </div>
      {said === '' ? null : (
        <p
          class={failed === '' ? 'twin-verdict' : 'twin-verdict error'}
          role="status"
          data-part="seeds"
        >
          {said}
        </p>
      )}
      {shown.length < 2 ? null : (
        <StackedTable
          label={t('twin.seeds.table')}
          caption={t('twin.seeds.caption', { unit: t(unitKey(unit)) })}
          heads={[t('twin.seeds.seed'), ...names, t('twin.seeds.gap')]}
          kinds={['figure', 'figure', 'figure']}
          rows={shown.map(({ seed, values: [first, second] }) => [
            t('twin.seeds.of', { seed }),
            ...[first, second, second - first].map((value) => number(value, 3)),
          ])}
        />
      )}
    </div>
  );
}

/** The recipes of the pair with its own seed, and with others. */
function withSeeds({ recipes }: Pair, { table }: Session): Seeded[] {
  const most = findOption(table, 'seed')?.max ?? Infinity;
  const first = valueOf(table, recipes[0], 'seed');
  return Array.from({ length: 1 + MORE_SEEDS }, (_, more) => {
    const seed = first + more <= most ? first + more : first - more;
    const [one, other] = recipes.map((recipe) => withChange(table, recipe, 'seed', seed));
    return { seed, recipes: [one!, other!] };
  });
}

/** The conclusion; empty before all rows are complete. */
function verdictText(
  names: Two<string>,
  unit: LossUnit,
  rows: readonly SeedRow[],
  words: AllWords,
): string {
  if (rows.length <= MORE_SEEDS) return '';
  const { t, number } = words;
  const { mean, deviation, isReal } = judge(rows);
  if (!Number.isFinite(mean)) return t('twin.seeds.diverged');
  const [best, other] = mean < 0 ? [names[1], names[0]] : names;
  const said = t('twin.seeds.mean', {
    count: rows.length,
    best,
    other,
    unit: t(unitKey(unit)),
    mean: number(Math.abs(mean), 3),
    deviation: number(deviation, 3),
  });
  return sentences([said, t(isReal ? 'twin.seeds.real' : 'twin.seeds.chance')], words);
}
