/** The message of the run bar: an error or changed settings, with buttons for the next actions. */
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { canChange } from '../../store/address/lesson.ts';
import { KeptFold, useFirstInstrument } from '../component.tsx';
import { leftOutText } from './messages.ts';
import { useDeeds } from './run-bar.ts';
import type { RunBar } from './run-bar.ts';

/** Maximum number of changes that the message names; more are in a list below. */
const FEW = 3;

interface OfferProps {
  readonly bar: RunBar;
  readonly note: RefObject<HTMLParagraphElement | null>;
}

export function Offer({ bar, note }: OfferProps) {
  const { words, lesson, actions } = useFirstInstrument();
  const { t } = words;
  const deeds = useDeeds();
  const [isWhole, setWhole] = useState(false);
  const {
    now,
    at,
    problem,
    changed,
    isRenewable,
    renews,
    isFixed,
    message,
    extension: steps,
  } = bar;
  const leftOut = leftOutText(now, words);
  const text = message === '' ? changeText(bar, leftOut, words) : message;
  // A phone shows two lines of a note about changes until the reader presses the note.
  const folds = message === '' && text !== '' && leftOut === '';
  const toggle = (): void => setWhole(!isWhole);
  const isFinished = at === 'finished';
  const canRenew = isRenewable && at !== 'blocked';
  const isTunable = now?.tunable === true && now.leavesModel && !lesson.lock.has('model');
  const isCurable = now?.model === null && canChange(lesson, 'settings');
  const offer = (isOffered: boolean, label: string, press: () => void) =>
    isOffered ? (
      <button key={label} type="button" class="secondary" onClick={press}>
        {label}
      </button>
    ) : null;
  return (
    <div class={`offer${folds ? ' folds' : ''}${isWhole ? ' whole' : ''}`} hidden={text === ''}>
      <button
        type="button"
        class="fold note-whole"
        aria-expanded={isWhole}
        aria-label={t('run.changed.whole')}
        onClick={toggle}
      />
      <p
        ref={note}
        class={problem !== null && message !== '' ? 'note error' : 'note'}
        data-part="run-message"
        tabIndex={-1}
        onClick={toggle}
      >
        {text}
      </p>
      {offer(leftOut !== '' && message === '' && isCurable, t('run.leftOut.cure'), actions.onFit)}
      {offer(canRenew && !renews, t('run.restart'), deeds.renew)}
      {offer(canRenew && isTunable, t('run.tune'), deeds.tune)}
      {/* This button continues the previous run if the large button starts a new one. */}
      {isFinished
        ? offer(renews && !isFixed, t('run.old.extend', { steps }), deeds.extend)
        : offer(renews, t('run.old.continue'), deeds.continue)}
      {offer(at === 'diverged' && !isFixed, t('run.gentler'), actions.onGentler)}
      {message !== '' || changed.length <= FEW ? null : (
        <KeptFold name="run.changed.which" kind="run-bar-which" title={t('run.changed.which')}>
          {() => (
            // Scrolls, so that many changes do not cover the page.
            <div
              class="run-bar-changes"
              tabIndex={0}
              role="region"
              aria-label={t('run.changed.list')}
            >
              <ul>
                {changed.map(({ name, line }) => (
                  <li key={name}>{line}</li>
                ))}
              </ul>
            </div>
          )}
        </KeptFold>
      )}
    </div>
  );
}

/** Names the changed settings and their effect; without changes, returns `leftOut` alone. */
function changeText({ now, at, changed, problem }: RunBar, leftOut: string, words: Words): string {
  const { t } = words;
  const count = changed.length;
  if (count === 0) return leftOut;
  const names = changed.map(({ name }) => name).join(t('list.separator'));
  const what = count <= FEW ? t('run.changed', { names }) : t('run.changed.many', { count });
  const then = t(at === 'running' ? 'run.changed.running' : 'run.changed.resting');
  const isFresh = now?.leavesModel === true;
  const renew = isFresh ? t('run.changed.chance') : t('run.changed.renew', { count });
  return sentences([what, then, problem === null ? renew : '', leftOut], words);
}
