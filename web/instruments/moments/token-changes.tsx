/** Loss of each token at step A and at step B: cells coloured by the difference, and a table. */
import { axisLabel } from '../../data/attention-data.ts';
import { comingLabel } from '../../data/token-data.ts';
import type { Analysis } from '../../engine/trainer.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { gainColour } from '../../kit/loss-colour.ts';
import { KeptFold, useInstrument } from '../component.tsx';
import { signed } from './changes.ts';

/** A token, with its losses at steps A and B; these are null if no token precedes it. */
interface TokenChange {
  readonly label: string;
  readonly losses: readonly [number, number] | null;
}

export interface TokenChangesProps {
  readonly before: Analysis;
  readonly after: Analysis;
  /** The loss of guessing: a change of this size has the strongest colour. */
  readonly guessing: number;
}

export function TokenChanges({ before, after, guessing }: TokenChangesProps) {
  const { words, isDark } = useInstrument();
  const { t, number } = words;
  const changes = changesOf(before, after);
  /** B minus A. */
  const difference = ([a, b]: readonly [number, number], digits: number): string => {
    const size = number(Math.abs(b - a), digits);
    return signed(size, Number(size) === 0 ? 0 : b - a);
  };
  const rows = (): string[][] =>
    changes.map(({ label, losses }) => [
      label,
      ...(losses === null
        ? ['–', '–', '–']
        : [number(losses[0], 2), number(losses[1], 2), difference(losses, 2)]),
    ]);
  const values = { before: number(before.meanLoss, 2), after: number(after.meanLoss, 2) };
  return (
    <section>
      <h3>{t('moments.losses')}</h3>
      <p data-part="moments-mean">
        {Number.isNaN(before.meanLoss) ? '' : t('moments.losses.mean', values)}
      </p>
      {/* Hidden from screen readers, which have the table. */}
      <div class="moments-tokens" translate={false} aria-hidden="true">
        {changes.map(({ label, losses }) => (
          <span class="moments-token" style={styleOf(losses, guessing, isDark())}>
            <span class="glyph">{label}</span>
            <span class="cell-loss">{losses === null ? '·' : difference(losses, 1)}</span>
          </span>
        ))}
      </div>
      <p class="note">{t('moments.losses.key')}</p>
      <KeptFold name="moments.losses" kind="data" title={t('moments.losses.table')}>
        {() => (
          <DataTable
            caption={t('moments.losses.table')}
            heads={[t('moments.losses.token'), 'A', 'B', t('moments.change')]}
            rows={rows()}
          />
        )}
      </KeptFold>
    </section>
  );
}

function changesOf(before: Analysis, after: Analysis): TokenChange[] {
  return after.tokens.map(({ token, score }, index) => {
    const earlier = before.tokens[index]?.score ?? null;
    const isScored = score !== null && earlier !== null;
    return {
      label: score === null ? axisLabel(token) : comingLabel(token),
      losses: isScored ? [earlier.loss, score.loss] : null,
    };
  });
}

function styleOf(losses: TokenChange['losses'], guessing: number, isDark: boolean) {
  if (losses === null) return {};
  const { background, ink } = gainColour(losses[0] - losses[1], guessing, isDark);
  return { backgroundColor: background, color: ink };
}
