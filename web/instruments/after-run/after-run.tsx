/** Advice after a run: one line, and a button that follows the advice. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { panelWith, useInstrument } from '../component.tsx';
import { buttonText, lineText } from './advice-words.ts';
import { finishedRun, useFound } from './found.ts';
import type { Found } from './found.ts';

export const createAfterRun = panelWith(AfterRun, 'always');

function AfterRun() {
  const context = useInstrument();
  const { words, session } = context;
  const { found, isTrying } = useFound();
  const now = session();
  /**
   * Whether space is reserved: once a run trains or has finished, so that advice causes no layout
   * shift.
   */
  const isReserved = useRef(false);
  isReserved.current ||= finishedRun(now) !== '' || now?.run?.state === 'running';
  const press = usePress(found);
  const text = now === null || found === null ? '' : lineText(found, now, context);
  const button = found === null ? '' : buttonText(found, context);
  const pressed = useFocusKept(button !== '');
  if (!isReserved.current) return null;
  return (
    <div class={text === '' ? 'after-line' : 'after-line says'}>
      <div>
        {/* The status region exists before its text and announces only the result. */}
        <p role="status">{text}</p>
        <p class="muted">{isTrying ? words.t('after.trying') : ''}</p>
      </div>
      {button === '' ? null : (
        <button ref={pressed} type="button" class="secondary" onClick={press}>
          {button}
        </button>
      )}
    </div>
  );
}

/** Returns the handler of the button, which follows the advice. */
function usePress(found: Found | null): () => void {
  const { actions, goTo, reveal, session } = useInstrument();
  return () => {
    if (found === null) return;
    const { advice, recipe } = found;
    if (advice?.help === 'text') goTo('text');
    if (advice?.help === 'rate') actions.onGentler();
    if (recipe === null) return;
    actions.onRecipe(recipe);
    reveal();
    session()?.restart(true);
  };
}

/** Moves the focus to the run bar when the focused button is removed. */
function useFocusKept(isThere: boolean) {
  const { goTo } = useInstrument();
  const button = useRef<HTMLButtonElement>(null);
  const leaves = !isThere && button.current?.matches(':focus') === true;
  useLayoutEffect(() => {
    if (leaves) goTo('run');
  });
  return button;
}
