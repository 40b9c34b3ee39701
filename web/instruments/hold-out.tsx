/** A button that holds out a tenth of the text and trains a new run. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { findOption, valueOf, withChange } from '../engine/options.ts';
import { canChange } from '../store/address/lesson.ts';
import { useInstrument } from './component.tsx';

const TENTH = 0.1;

export interface HoldOutProps {
  /** Moves the focus when the focused button goes, because the new run holds text out. */
  readonly onGone: () => void;
}

/**
 * Renders nothing if the run holds text out or asked for it, if a lesson locks the settings, or for
 * a model from a file.
 */
export function HoldOut({ onGone }: HoldOutProps) {
  const { words, session, actions, lesson, reveal } = useInstrument();
  const button = useRef<HTMLButtonElement>(null);
  const now = session();
  const current = now?.current ?? null;
  const isOffered =
    now !== null &&
    current !== null &&
    current.model === null &&
    !current.data.hasValidation &&
    canChange(lesson, 'settings') &&
    findOption(now.table, 'validation') !== undefined &&
    valueOf(now.table, current.recipe, 'validation') === 0;
  const leaves = !isOffered && button.current?.matches(':focus') === true;
  useLayoutEffect(() => {
    if (leaves) onGone();
  });
  if (!isOffered) return null;
  return (
    <button
      ref={button}
      type="button"
      class="secondary small hold-out"
      onClick={() => {
        actions.onRecipe(withChange(now.table, now.recipe, 'validation', TENTH));
        reveal();
        now.restart(true);
      }}
    >
      {words.t('tokens.heldOut.do')}
    </button>
  );
}
