/** A button that holds out a tenth of the text and trains again. */
import { findOption, valueOf } from '../../engine/options.ts';
import { useInstrument } from '../component.tsx';

const SHARE = 0.1;

/** Renders nothing if the run has held-out text, cannot be repeated, or has locked settings. */
export function HoldOut() {
  const { words, lesson, session, actions, reveal } = useInstrument();
  const now = session();
  if (now === null || !now.trains || lesson.lock.has('settings')) return null;
  const isKnown = findOption(now.table, 'validation') !== undefined;
  if (!isKnown || now.run?.hasValidation === true) return null;
  if (now.current !== null && valueOf(now.table, now.current.recipe, 'validation') > 0) return null;
  const press = (): void => {
    actions.onOption('validation', SHARE);
    reveal();
    now.restart(true);
  };
  return (
    <button type="button" class="secondary small" onClick={press}>
      {words.t('tokens.heldOut.go')}
    </button>
  );
}
