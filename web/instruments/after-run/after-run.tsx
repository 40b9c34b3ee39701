/** The ending of a run: a sentence on its result, and one button with advice. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useFreshId } from '../../kit/use-id.ts';
import { shownTokenizer } from '../../store/training/shown-plan.ts';
import { panelWith, useInstrument } from '../component.tsx';
import { buttonText, lineText, shortText } from './advice-words.ts';
import { finishedRun, useFound } from './found.ts';
import type { Found } from './found.ts';
import { learnedText } from './learned.ts';
import { useBeaten } from './pairs.ts';

export const createAfterRun = panelWith(AfterRun, 'always');

function AfterRun() {
  const context = useInstrument();
  const { words, session } = context;
  const { found, isTrying } = useFound();
  const now = session();
  const finished = finishedRun(now);
  const beats = useBeaten(finished);
  /** Whether space is reserved: once a run trains or has finished, so that nothing moves. */
  const isReserved = useRef(false);
  isReserved.current ||= finished !== '' || now?.run?.state === 'running';
  const press = usePress(found);
  const run = now?.current ?? null;
  const isFinished = finished !== '';
  const isLetters = shownTokenizer(now) === 'char';
  const learned = run === null ? '' : learnedText({ run, isLetters, isFinished, beats }, words);
  const why = now === null || found === null ? '' : lineText(found, now, context);
  const short = found === null || why === '' ? '' : shortText(found, context);
  const button = found === null ? '' : buttonText(found, context);
  const pressed = useFocusKept(button !== '');
  if (!isReserved.current) return null;
  return (
    <div class="ending">
      <p class="learned">{learned}</p>
      <div class="ending-next">
        {button === '' ? null : (
          <button ref={pressed} type="button" class="secondary" onClick={press}>
            {button}
          </button>
        )}
        <span class={isTrying ? 'muted' : ''}>{isTrying ? words.t('after.trying') : short}</span>
        {why === '' ? null : <Why key={found?.run} text={why} />}
      </div>
      {/* The status region exists before its text, and announces both once the advice is known. */}
      <p class="visually-hidden" role="status">
        {found === null ? '' : `${learned} ${short}`}
      </p>
    </div>
  );
}

/** The reasons of the advice, shown at a press. */
function Why({ text }: { readonly text: string }) {
  const { t } = useInstrument().words;
  const [isOpen, setOpen] = useState(false);
  const id = useFreshId('why');
  return (
    <>
      <button
        type="button"
        class="link"
        aria-controls={id}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t('after.why')}
      </button>
      <p id={id} class="note" hidden={!isOpen}>
        {text}
      </p>
    </>
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
