/** The notice above the run: a sentence, and buttons for its remedies. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ignore } from '../../engine/errors.ts';
import { loadAllWords } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { bringIntoView } from '../../kit/in-sight.ts';
import {
  firstPanelWith,
  useContainerClass,
  useFirstInstrument,
  useArrival,
} from '../component.tsx';
import { noticeOf } from './notices.ts';

export const createNotice = firstPanelWith(NoticeLine);

function NoticeLine() {
  const instrument = useFirstInstrument();
  const { container, goTo } = instrument;
  const notice = noticeOf(instrument, useLoadedWords());
  const shape = notice?.actions.map(({ label }) => label).join('\n') ?? '';
  const buttons = useRef<HTMLDivElement>(null);
  const shown = useRef(shape);
  const hasFocus = buttons.current?.matches(':focus-within') ?? false;
  useLayoutEffect(() => {
    // The focused button was removed, so the focus moves to the run bar.
    if (hasFocus && shape !== shown.current) goTo('run');
    shown.current = shape;
  });
  useContainerClass('quiet', notice === null);
  useArrival(() => {
    container.querySelector('button')?.focus({ preventScroll: true });
    bringIntoView(container);
  });
  // The region exists before its text, because screen readers announce only changes.
  return (
    <div class={notice === null ? 'notice visually-hidden' : 'notice'}>
      <p role="status">{notice?.text}</p>
      <div ref={buttons} class="buttons">
        {notice?.actions.map(({ label, primary, act }) => (
          <button
            key={`${shape}\n${label}`}
            type="button"
            class={primary ? 'primary' : 'secondary'}
            onClick={act}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Loads all words once a notice needs them: the first screen lacks those of errors and runs. */
function useLoadedWords(): Words {
  const { words, state, runs } = useFirstInstrument();
  const [loaded, setLoaded] = useState<Words>(words);
  const { last } = runs.problems;
  const isKnown = last === null || words.find(`error.${last.code}`) !== null;
  useEffect(() => {
    if (loaded === words && (!isKnown || state.slowed !== null)) {
      loadAllWords(words.lang).then(setLoaded, ignore);
    }
  });
  return loaded;
}
