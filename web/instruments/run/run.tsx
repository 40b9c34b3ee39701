/** The run bar: starts, paces and ends the run, and shows its progress. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { withUnreadableSigns } from '../../kit/unreadable.ts';
import { shownSample, stepLookedAt } from '../../store/timeline.ts';
import {
  firstPanelWith,
  useArrival,
  useChartMarks,
  useContainerClass,
  useFirstInstrument,
} from '../component.tsx';
import { Buttons } from './buttons.tsx';
import { Figures } from './figures.tsx';
import { Offer } from './offer.tsx';
import { useRunBar } from './run-bar.ts';
import type { RunBar } from './run-bar.ts';
import { Timeline } from './timeline.tsx';

export const createRun = firstPanelWith(Bar);

function Bar() {
  const { words, state, session, container, home, runs } = useFirstInstrument();
  const bar = useRunBar();
  const { now, at } = bar;
  const main = useRef<HTMLButtonElement>(null);
  const message = useRef<HTMLParagraphElement>(null);
  const focusMain = (): void => main.current?.focus({ preventScroll: true });
  const spoken = useSpoken(bar);
  const pressed = container.querySelector<HTMLButtonElement | HTMLSelectElement>(
    ':is(button, select):focus',
  );
  useLayoutEffect(() => {
    container.dataset['state'] = at;
    // If the focused button is disabled, hidden or removed, the focus would fall to the page.
    if (pressed === null) return;
    const isGone = !pressed.isConnected || pressed.closest('[hidden], [inert]') !== null;
    if (pressed.disabled || isGone) focusMain();
  });
  const isPastNotice = usePast('notice');
  useContainerClass('kept', isPastNotice && runs.offer !== null);
  const isPast = usePast('run');
  useContainerClass('docked', isPast && home !== null);
  useArrival(focusMain);
  useChartMarks('run', '', () => {
    const step = stepLookedAt(state.lookedAt, session()?.run ?? null);
    return step === null ? [] : [{ step, label: words.t('run.back.mark') }];
  });
  const newest = shownSample(now, state.lookedAt)?.texts.find((text) => text.trim() !== '');
  return (
    <div class="run-box">
      {/* Phones show the newest text here, because the samples may be out of sight. */}
      {newest === undefined ? null : (
        <p class="run-bar-newest written" aria-hidden="true" translate={false}>
          {withUnreadableSigns(newest)}
        </p>
      )}
      <div class="run-bar-row">
        <Buttons bar={bar} main={main} onStuck={() => message.current?.focus()} />
        <Figures bar={bar} />
      </div>
      <Timeline bar={bar} />
      <Offer bar={bar} note={message} />
      <p class="visually-hidden" aria-live="polite" data-part="spoken">
        {spoken}
      </p>
    </div>
  );
}

/** Whether the reader has scrolled past a section, and it is not empty. */
function usePast(id: string): boolean {
  const { watch } = useFirstInstrument();
  const [isPast, setPast] = useState(false);
  useLayoutEffect(() => {
    const passing = watch(id, () => setPast(passing?.past() === true));
    return () => passing?.destroy();
  }, []);
  return isPast;
}

/** Text for screen readers: messages and changes of state. Figures change too often for it. */
function useSpoken({ at, message, step }: RunBar): string {
  const { t } = useFirstInstrument().words;
  const last = useRef<Pick<RunBar, 'at' | 'message' | 'step'> | null>(null);
  const said = useRef('');
  const before = last.current;
  last.current = { at, message, step };
  if (message !== '' && message !== before?.message) said.current = message;
  else if (before !== null) {
    // “One step” changes the step of a paused run, but not its state.
    const isStep = at === 'paused' && before.step !== step;
    const isChanged = before.at !== at || before.message !== message;
    if (isStep || isChanged) said.current = at === 'blocked' ? '' : t(`run.state.${at}`, { step });
  }
  return said.current;
}
