/**
 * The past of a run: playback, film and fork, as buttons beside the slider of the run bar; and
 * below the bar the shown step, the best step, and the form of a fork.
 */
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { asError, ignore } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { AllWords } from '../../i18n/index.ts';
import { ICONS } from '../../kit/dom.ts';
import { saidSaved } from '../../kit/download.ts';
import { drawChanges } from '../../kit/render.ts';
import { messageOf } from '../../store/messages.ts';
import { STATE_BYTES } from '../../store/past/reach.ts';
import { stepLookedAt } from '../../store/timeline.ts';
import type { Session } from '../../store/training/session.ts';
import { panelWith, useChartMarks, useInstrument, useSliderActions } from '../component.tsx';
import type { SliderAction } from '../panel.ts';
import { ForkForm } from './fork-form.tsx';
import type { ForkDraft } from './fork-form.tsx';
import { useValuesAt } from './fork-values.ts';
import type { Values } from './fork-values.ts';
import { usePlay } from './play.ts';
import { SavedFilm } from './saved-film.ts';

export const createPast = panelWith(Past, 'always');

function Past() {
  const context = useInstrument();
  const { words, state, session, actions, lesson, kept, reveal, goTo } = context;
  const { t, number } = words;
  const film = kept(SavedFilm);
  const making = film.making.value;
  const { done = 0, count = 0 } = making ?? {};
  const saved = film.saved.value;
  const play = usePlay();
  const draft = useSignal<ForkDraft | null>(null);
  const failed = useSignal<GlasshouseError | null>(null);
  const root = useRef<HTMLDivElement>(null);
  useKeptFocus(root, () => goTo('run'));

  const now = session();
  const { run = null, lookedAt, trains = false } = now ?? {};
  const { past = null, firstStep: first = null } = lookedAt ?? {};
  const step = stepLookedAt(state.lookedAt, run);
  const best = bestOf(now);
  /** The step that a fork starts from. */
  const from = step ?? run?.step ?? 0;
  const isFree = !lesson.lock.has('settings') && (step !== null || run?.state !== 'running');
  const canFork = trains && first !== null && from >= first && isFree;
  const isOpen = canFork && draft.value !== null && draft.value.run === run?.number;
  const values = useValuesAt(now, from, isOpen);
  useChartMarks('past', String(best?.step), () =>
    best === null ? [] : [{ step: best.step, label: t('past.best.mark') }],
  );
  useEffect(() => {
    import('./film.ts').catch(ignore);
  }, []);
  useLayoutEffect(() => {
    if (!isOpen) draft.value = null;
    // A film cannot be completed after its run was replaced.
    if (now !== null && making !== null && run?.number !== making.run) film.cancel();
  });

  const line = now === null ? '' : lineOf(now, step, words);
  const canPlay = first !== null && run !== null && run.step > first;
  const openFork = (): void => {
    draft.value = isOpen ? null : { run: run!.number, texts: {}, isAnew: false, wrong: {} };
    failed.value = null;
    film.forget();
    play.stop();
    drawChanges();
    root.current?.querySelector<HTMLElement>('.past-fork input')?.focus();
  };
  const buttons: readonly SliderAction[] = [
    {
      name: 'play',
      label: t(play.isPlaying ? 'past.hold' : 'past.play'),
      short: t(play.isPlaying ? 'past.hold.short' : 'past.play.short'),
      icon: play.isPlaying ? ICONS.pause : ICONS.start,
      onPress: play.isPlaying ? play.stop : play.start,
    },
    {
      name: 'film',
      label: making === null ? t('past.film') : t('past.film.making', { done, count }),
      short: t('past.film.short'),
      icon: ICONS.film,
      ...(making === null ? {} : { progress: `${number(done)}/${number(count)}` }),
      onPress: () => (making === null ? void film.make(context) : film.cancel()),
    },
    {
      name: 'fork',
      label: t('past.fork'),
      short: t('past.fork.short'),
      icon: ICONS.fork,
      isExpanded: isOpen,
      onPress: openFork,
    },
  ];
  useSliderActions(
    'past',
    trains && canPlay ? buttons.filter(({ name }) => name !== 'fork' || canFork) : [],
  );

  const error = past?.error ?? (isOpen ? null : film.error.value) ?? failed.value;
  const savedName = run !== null && saved?.run === run.number ? saved.name : null;
  const isSilent = step === null && !isOpen && error === null && savedName === null;
  if (run === null || !trains || isSilent) return null;
  const going = past?.going ?? null;
  const lookAt = (at: number): void => {
    play.stop();
    actions.onLookAt(at);
  };
  const fork = (changes: Values, isAnew: boolean): void => {
    play.stop();
    failed.value = null;
    const name = t('past.fork.name', { step: number(from) });
    const left = actions.onFork({ step: from, changes, anew: isAnew ? { name } : null });
    left.then(
      () => {
        draft.value = null;
        reveal();
      },
      (thrown: unknown) => {
        failed.value = asError(thrown);
      },
    );
  };
  return (
    <div
      ref={root}
      class={step === null ? 'past-view' : 'past-view looks'}
      role="region"
      aria-label={t('past.title')}
    >
      {/* The line is no live region, because the slider announces the step. */}
      <p>{line}</p>
      <div class="past-row">
        {going === null ? null : (
          <Link
            text={t('past.stop', { step: number(going.from) })}
            onPress={() => actions.onLookAt(going.from)}
          />
        )}
        {best === null || best.step === step ? null : (
          <Link
            text={t('past.best', { step: number(best.step) })}
            title={t('past.best.help', { loss: number(best.loss, 3) })}
            onPress={() => lookAt(best.step)}
          />
        )}
      </div>
      {isOpen ? <ForkForm step={from} values={values} draft={draft} onFork={fork} /> : null}
      <p class="note error" role="alert">
        {error === null ? '' : messageOf(error, words)}
      </p>
      <p class="note" role="status">
        {savedName === null ? '' : saidSaved(t('export.saved', { name: savedName }), words)}
      </p>
      {/* Announces only the step to reach, because progress changes too often. */}
      <p class="visually-hidden" role="status">
        {going === null ? '' : t('past.way', { step: number(going.to) })}
      </p>
    </div>
  );
}

interface LinkProps {
  readonly text: string;
  readonly title?: string;
  readonly onPress: () => void;
}

function Link({ text, title, onPress }: LinkProps) {
  return (
    <button type="button" class="link" title={title} onClick={onPress}>
      {text}
    </button>
  );
}

/**
 * Focuses the first button when a rendering removes the focused control; calls `leave` if there is
 * no button.
 */
function useKeptFocus(root: RefObject<HTMLElement | null>, leave: () => void): void {
  const hasFocus = (): boolean => Boolean(root.current?.querySelector(':focus'));
  const hadFocus = hasFocus();
  useLayoutEffect(() => {
    if (!hadFocus || hasFocus()) return;
    const button = root.current?.querySelector<HTMLElement>('.past-row button');
    if (button) button.focus();
    else leave();
  });
}

/** Describes the shown past step; empty for the newest step. */
function lineOf(now: Session, step: number | null, { t, number, duration, bytes }: AllWords) {
  if (step === null) return '';
  if (now.lookedAt.firstStep === null) {
    const parameters = now.current?.plan.parameters ?? 0;
    return t('past.only', { size: bytes(STATE_BYTES * parameters) });
  }
  if (step < now.lookedAt.firstStep)
    return t('past.before', { step: number(now.lookedAt.firstStep) });
  if (now.lookedAt.isMissing) return t('past.missing', { step: number(step) });
  const going = now.lookedAt.past?.going ?? null;
  if (going !== null) {
    return t('past.going', {
      step: number(going.to),
      done: number(going.done - going.from),
      count: number(going.to - going.from),
      time: duration(going.secondsLeft),
    });
  }
  return t(bestOf(now)?.step === step ? 'past.best.now' : 'past.shows', { step: number(step) });
}

/**
 * Lowest validation loss of the run and its step; null if the last validation is best, if that step
 * cannot be viewed, or while the run trains.
 */
function bestOf(now: Session | null): { readonly step: number; readonly loss: number } | null {
  const { lookedAt, run = null } = now ?? {};
  const firstStep = lookedAt?.firstStep ?? null;
  if (firstStep === null || run === null || run.state === 'running') return null;
  const { lowestValidation: lowest, lastValidation: last } = run.history;
  const isPast = lowest !== undefined && lowest.step >= firstStep && lowest.step !== last?.step;
  return isPast ? lowest : null;
}
