/** The values that options of a run had at a step. */
import { useEffect, useState } from 'preact/hooks';
import { valueOf } from '../../engine/options.ts';
import { readChanges } from '../../engine/receipt.ts';
import type { RunChange } from '../../engine/receipt.ts';
import type { Session } from '../../store/training/session.ts';

/** Options with a field in the form of a fork, in this order; all may change during a run. */
export const FORKED = ['lr', 'steps'] as const;

export type Values = Readonly<Record<string, number>>;

/** Values of the `FORKED` options at `step`; null if not requested or not yet known. */
export function useValuesAt(
  session: Session | null,
  step: number | null,
  isAsked: boolean,
): Values | null {
  const [known, setKnown] = useState<{
    readonly key: string;
    readonly changes: readonly RunChange[];
  } | null>(null);
  const { table, madeRecipe, run = null } = session ?? {};
  const newest =
    table === undefined || madeRecipe === undefined
      ? null
      : FORKED.map((name) => [name, valueOf(table, madeRecipe, name)] as const);
  const key = isAsked ? [run?.number, newest].join() : '';
  useEffect(() => {
    if (key === '' || session === null) return;
    let isGone = false;
    // Only the receipt of the run's own trainer has all changes, even while the run trains.
    void session.trainer
      .receipt()
      .then(readChanges)
      .catch(() => [])
      .then((changes) => {
        if (!isGone) setKnown({ key, changes });
      });
    return () => {
      isGone = true;
      setKnown(null);
    };
  }, [key]);
  // The list requested for an earlier key lacks the newest change.
  if (known?.key !== key || newest === null || step === null) return null;
  return Object.fromEntries(
    newest.map(([name, value]) => {
      const later = known.changes.find((one) => one.option === name && one.step >= step);
      return [name, later?.from ?? value];
    }),
  );
}
