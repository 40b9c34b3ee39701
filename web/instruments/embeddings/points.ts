/** The shown points: rows of one step, projected into the frame of their run. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Projection } from '../../data/pca.ts';
import { failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { Trainer } from '../../engine/trainer.ts';
import type { Question } from '../../store/ask.ts';
import { useAsk, useInstrument } from '../component.tsx';
import type { ShownAnswer } from '../component.tsx';
import { isOutgrown, seeIn } from './frame.ts';
import type { Frame } from './frame.ts';
import { readRows } from './read-rows.ts';
import type { Rows } from './read-rows.ts';
import type { Shown } from './shown.ts';
import { PlaneState } from './state.ts';
import { withoutUnused } from './used-bytes.ts';

/** The points of one step. */
export interface Points extends Rows {
  readonly shown: Shown;
  /** Key of the run, the kind of points and the text; it identifies the names of the points. */
  readonly key: string;
  readonly frame: Frame;
  readonly seen: Projection;
}

/** A request for points. */
export interface Wish {
  readonly run: number;
  readonly shown: Shown;
  /** The text to show; empty if a table is shown. */
  readonly text: string;
  /** The viewed past step; null for the newest. */
  readonly past: number | null;
  /** Whether the run has finished. */
  readonly isFinished: boolean;
}

export interface ShownPoints {
  /** The shown points; null until the first are computed, and if `broken` is not null. */
  readonly points: Points | null;
  /** The shown step, if some of its values are NaN or infinite; otherwise null. */
  readonly broken: number | null;
  readonly error: GlasshouseError | null;
  /** Replaces the axes by the principal axes of the shown step. */
  readonly takeAxes: () => void;
}

/** Returns the points for a request, and the previous points until new ones arrive. */
export function usePoints({ run, shown, text, past, isFinished }: Wish): ShownPoints {
  const { session, kept } = useInstrument();
  const state = kept(PlaneState);
  const { trainer = null, current = null } = session() ?? {};
  const content = current?.text?.content ?? null;
  const asked = useMemo(
    () => (trainer === null ? null : rowsOf(state, trainer, content, { run, shown, text })),
    [state, trainer, content, run, shown, text],
  );
  const about = `${String(shown)} ${text}`;
  const known = state.frames.of(run, about);
  const answer = useAsk(asked, past);
  // The first frame of a run is computed at its newest step, even if an earlier one is viewed.
  const isFirst = past !== null && known === null;
  const newest = useAsk(isFirst ? asked : null, null);

  const rows = freshValue(answer);
  const isFinite = useMemo(() => rows !== null && hasOnlyFinite(rows), [rows]);
  const first = isFirst ? freshValue(newest) : rows;
  const fits =
    rows !== null &&
    known?.plane.centre.length === rows.matrix.columns &&
    (past !== null || !isOutgrown(known, rows.step, isFinished));
  const made = state.made.value;
  useEffect(() => {
    if (rows === null || first === null || !isFinite || fits) return;
    void state.makeAxes(hasOnlyFinite(first) ? first : rows, run, about);
  }, [rows, first, isFinite, fits, made]);

  const frame = fits && isFinite ? known : null;
  const points = useMemo((): Points | null => {
    if (rows === null || frame === null) return null;
    const { frame: grown, seen } = seeIn(frame, rows.matrix);
    state.frames.keep(about, grown);
    return { ...rows, shown, key: `${String(run)} ${about}`, frame: grown, seen };
  }, [rows, frame?.plane]);
  const last = useRef<Pick<ShownPoints, 'points' | 'broken'>>({ points: null, broken: null });
  if (points !== null) last.current = { points, broken: null };
  else if (rows !== null && !isFinite) last.current = { points: null, broken: rows.step };
  return {
    ...last.current,
    error: answer.error ?? newest.error,
    takeAxes: () => {
      const { points: shownLast } = last.current;
      if (shownLast !== null) void state.makeAxes(shownLast, run, about);
    },
  };
}

/** `content`: the training text; null if unknown. */
function rowsOf(
  state: PlaneState,
  trainer: Trainer,
  content: Blob | null,
  { run, shown, text }: Pick<Wish, 'run' | 'shown' | 'text'>,
): Question<Rows> {
  return {
    key: JSON.stringify(['rows', shown, text]),
    ask: async (model) => {
      const vocabulary = await state.vocabulary(trainer, run);
      const rows = await readRows({ model, trainer }, shown, text, vocabulary);
      if (rows === null) throw failure('cancelled', 'the run went on');
      if (shown !== 'tokens' || content === null) return rows;
      return withoutUnused(rows, await state.usedBytes(content));
    },
  };
}

function freshValue<Value>({ value, isStale }: ShownAnswer<Value>): Value | null {
  return isStale ? null : value;
}

function hasOnlyFinite({ matrix }: Rows): boolean {
  return matrix.values.every(Number.isFinite);
}
