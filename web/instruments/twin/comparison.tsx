/**
 * Comparison of the shown runs: their curves, the best run, and a table at the last step that all
 * have reached.
 */
import { useMemo, useRef } from 'preact/hooks';
import { fairUnit, unitKey } from '../../data/loss-data.ts';
import type { LossData, LossState } from '../../data/loss-data.ts';
import { comparedRuns } from '../../store/training/compared-runs.ts';
import type { ComparedRuns } from '../../store/training/compared-runs.ts';
import { lossData } from '../../store/training/loss-data-of.ts';
import {
  validationText,
  validationUnit,
  verdictSentence,
} from '../../store/training/twin-verdict.ts';
import { Finding } from '../common/finding.tsx';
import { useInstrument } from '../component.tsx';
import { StackedTable } from './stacked-table.tsx';
import { TwinCurves } from './twin-curves.tsx';

/** Milliseconds between two drawings of growing curves and of the table below them. */
const PAUSE = 300;

export interface Compared extends ComparedRuns {
  readonly loss: LossData;
  readonly look: LossState;
  /** Whether the shown run trains. */
  readonly isBusy: boolean;
}

interface ComparisonProps {
  readonly shown: Compared | null;
  /** Whether to scroll the next picture of the curves into view. */
  readonly brings: { current: boolean };
}

export function Comparison({ shown, brings }: ComparisonProps) {
  const { words } = useInstrument();
  return useMemo(() => {
    if (shown === null || shown.rows.length < 2) return null;
    const { rows, step, look, isBusy } = shown;
    // While a twin trains, the better run may change with every step.
    const verdict = isBusy ? '' : verdictSentence(rows, step, look.unit, words);
    return (
      <>
        <TwinCurves shown={shown} brings={brings} />
        {verdict === '' ? null : (
          <p class="twin-verdict" data-part="twin-verdict">
            {verdict}
          </p>
        )}
        <TwinTable shown={shown} />
      </>
    );
  }, [shown]);
}

/**
 * The loss that the run has reached; unchanged while a run trains, so that nothing moves. Empty
 * without steps, or after a diverged run without a finite loss.
 */
export function TwinFinding({ shown }: { readonly shown: Compared | null }) {
  const { words, session } = useInstrument();
  const last = useRef('');
  const loss = session()?.run?.history.smoothedLast(shown?.look.smoothing) ?? NaN;
  if (shown?.isBusy === false) {
    const text = words.t('twin.finding', { loss: words.number(loss, 2) });
    last.current = Number.isFinite(loss) ? text : '';
  }
  return <Finding text={last.current} />;
}

/** The comparison, updated once per PAUSE while the run trains; null before the first session. */
export function useCompared(): Compared | null {
  const { words, state, session, runs } = useInstrument();
  const last = useRef<Compared | null>(null);
  const computedAt = useRef(-Infinity);
  const now = session();
  const isBusy = now?.run?.state === 'running';
  if (now === null || (isBusy && performance.now() - computedAt.current < PAUSE)) {
    return last.current;
  }
  computedAt.current = performance.now();
  const { lossChoice } = state;
  const compared = comparedRuns(now, runs, lossChoice.smoothing, words);
  const data = lossData(now, runs, words);
  // A curve has the same name as its row of the table.
  const names = compared.rows.slice(1).map(({ name }) => name);
  const shown = data.lines.filter((line) => line.shown);
  const loss = {
    ...data,
    lines: shown.map((line, at) => ({ ...line, name: names[at] ?? line.name })),
  };
  const look = { ...lossChoice, unit: fairUnit(lossChoice.unit, loss), window: null };
  last.current = { ...compared, loss, look, isBusy };
  return last.current;
}

function TwinTable({ shown: { rows, step, look } }: { readonly shown: Compared }) {
  const { words } = useInstrument();
  const { t, number } = words;
  const unit = validationUnit(rows, step, look.unit);
  return (
    <StackedTable
      label={t('twin.table')}
      caption={t('twin.caption', { step: number(step) })}
      heads={[
        t('twin.run'),
        t(look.smoothing === 0 ? 'twin.loss.plain' : 'twin.loss'),
        t('twin.bits'),
        t('twin.validation', { unit: t(unitKey(unit)) }),
        t('twin.sample'),
      ]}
      kinds={['figure', 'figure', 'figure', 'written']}
      rows={rows.map((run) => [
        run.name,
        number(run.loss, 3),
        number(run.bits, 3),
        validationText(run, unit, step, words),
        run.sample,
      ])}
    />
  );
}
