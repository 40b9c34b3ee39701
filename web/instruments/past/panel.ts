/** Looking back at the run: where one is, the film of it, its best step, and runs that leave it. */
import { fileName } from '../../base/file-name.ts';
import { headStatistics } from '../../engine/head-statistics.ts';
import { download } from '../../kit/download.ts';
import { ClearestHead } from '../../store/training/head-habits.ts';
import { shownFile } from '../../store/training/shown-name.ts';
import { checkValue, findOption, valueOf } from '../../engine/options.ts';
import { asError, ignore } from '../../engine/errors.ts';
import { readChanges } from '../../engine/receipt.ts';
import type { RunChange } from '../../engine/receipt.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import { canChange } from '../../store/address/lesson.ts';
import { messageOf } from '../../store/messages.ts';
import { STATE_BYTES } from '../../store/past/reach.ts';
import { seenAt, stepLookedAt } from '../../store/timeline.ts';
import type { Session } from '../../store/training/session.ts';
import type { CreateLaterPanel, LaterContext, Panel } from '../panel.ts';
import type { ForkFormData } from './fork-form.ts';
import { PastView } from './view.ts';
import type { PastData } from './view.ts';

/** What may change in a run and is asked for, in this order. */
const FORKED = ['lr', 'steps'];
/** Pictures of a film, and milliseconds that each stays at least. */
const PICTURES = 60;
const BEAT = 150;

/** A film that is being made as a file: another language does not end it. */
class FilmInMaking {
  now: {
    readonly run: number;
    readonly done: number;
    readonly count: number;
    readonly stop: AbortController;
  } | null = null;
  error: GlasshouseError | null = null;
  /** Updates the panel in the language of the page. */
  onChange = (): void => undefined;
}

export const createPast: CreateLaterPanel = (container, context) =>
  new PastPanel(container, context);

class PastPanel implements Panel {
  readonly #context: LaterContext;
  readonly #container: HTMLElement;
  /** Null until the engine has said what options there are. */
  #view: PastView | null = null;
  #formIsOpen = false;
  /** What was changed in a run, as long as it has these values; null before it was asked for. */
  #changes: { readonly key: string; readonly known: readonly RunChange[] | null } | null = null;
  #error: GlasshouseError | null = null;
  /** Steps of the film that are still to come; null while none is played. */
  #film: number[] | null = null;
  /** The one that it shows, in place of the one before; a reader who chooses another ends it. */
  #frame: { readonly step: number | null; readonly before: number | null } | null = null;
  #beat: ReturnType<typeof setTimeout> | undefined;
  readonly #making: FilmInMaking;
  #destroyed = false;

  constructor(container: HTMLElement, context: LaterContext) {
    this.#context = context;
    this.#container = container;
    this.#making = context.kept(FilmInMaking);
    this.#making.onChange = () => {
      if (!this.#destroyed) this.update();
    };
    container.hidden = true;
    import('./film.ts').catch(ignore);
    context.layers.set('past', () => {
      const best = this.#best(context.session());
      return best === null ? [] : [{ step: best.step, label: context.words.t('past.best.mark') }];
    });
  }

  update(): void {
    const now = this.#context.session();
    if (now === null) return;
    this.#view ??= this.#make(now);
    // Of another run there is no film to be made of this one.
    const making = this.#making.now;
    if (making !== null && now.run?.number !== making.run) making.stop.abort();
    this.#minds(stepLookedAt(this.#context.state.lookedAt, now.run));
    this.#keepForm(now);
    this.#view.update(this.#data(now));
    this.#playOn(now);
  }

  resize(): void {
    this.#view?.resize();
  }

  destroy(): void {
    this.#destroyed = true;
    this.#stopFilm();
    this.#view?.destroy();
  }

  #make(now: Session): PastView {
    const { words, actions, session } = this.#context;
    return new PastView(this.#container, {
      words,
      onLeave: () => {
        this.#context.goTo('run');
      },
      onNow: () => {
        this.#stopFilm();
        actions.onLookAt(null);
      },
      onStop: () => {
        actions.onLookAt(session()?.past?.going?.from ?? null);
      },
      onFilm: () => void this.#makeFilm(),
      onPlay: (play) => {
        this.#play(play);
      },
      onBest: () => {
        this.#stopFilm();
        actions.onLookAt(this.#best(session())?.step ?? null);
      },
      onForm: (open) => {
        this.#formIsOpen = open;
        this.#error = null;
        this.#making.error = null;
        this.#stopFilm();
        this.#changes = null;
        this.update();
      },
      fork: {
        options: FORKED.map((name) => findOption(now.table, name)).filter(
          (one) => one !== undefined,
        ),
        onFork: (values, isAnew) => void this.#fork(values, isAnew),
      },
    });
  }

  #data(now: Session): PastData | null {
    const { words, state, lesson } = this.#context;
    const { run, past } = now;
    const step = stepLookedAt(state.lookedAt, run);
    const isAway = step === null && this.#making.now === null;
    if (run === null || isAway || !now.trains) return null;
    const first = now.firstStep;
    const isExact = first !== null && step !== null && step >= first;
    const best = this.#best(now);
    const canFork = isExact && canChange(lesson, 'settings');
    const { going = null, error = null } = past ?? {};
    const said = error ?? (this.#formIsOpen ? null : (this.#making.error ?? this.#error));
    const data: PastData = {
      line: this.#line(now, step),
      spoken: going === null ? '' : words.t('past.way', { step: words.number(going.to) }),
      error: said === null ? '' : messageOf(said, words),
      looks: step !== null,
      stop: going?.from ?? null,
      plays: this.#film !== null,
      canPlay: first !== null && run.step > first,
      film: this.#making.now,
      best: best === null || best.step === step ? null : best,
      fork: canFork ? this.#forkData(now, step) : null,
      formIsOpen: this.#formIsOpen,
    };
    return data.canPlay || data.line !== '' ? data : null;
  }

  #line(now: Session, step: number | null): string {
    const { t, number, duration, bytes } = this.#context.words;
    if (step === null) return '';
    if (now.firstStep === null) {
      const parameters = now.current?.plan.parameters ?? 0;
      return t('past.only', { size: bytes(STATE_BYTES * parameters) });
    }
    if (step < now.firstStep) return t('past.before', { step: number(now.firstStep) });
    if (now.pastIsMissing) return t('past.missing', { step: number(step) });
    const going = now.past?.going ?? null;
    if (going !== null) {
      return t('past.going', {
        step: number(going.to),
        done: number(going.done - going.from),
        count: number(going.to - going.from),
        time: duration(going.secondsLeft),
      });
    }
    return t(this.#best(now)?.step === step ? 'past.best.now' : 'past.shows', {
      step: number(step),
    });
  }

  /** The lowest validation loss of the run, if it was not the last: the newest is then not best. */
  #best(now: Session | null): { readonly step: number; readonly loss: number } | null {
    const { firstStep = null, run = null } = now ?? {};
    if (firstStep === null || run === null || run.state === 'running') return null;
    const { lowestValidation: lowest, lastValidation: last } = run.history;
    const isPast = lowest !== undefined && lowest.step >= firstStep && lowest.step !== last?.step;
    return isPast ? lowest : null;
  }

  // ---- Runs that leave this one -----------------------------------------------------------------

  /** The form is of the run that it was opened for, and of a step of it that is looked at. */
  #keepForm({ run, table, madeRecipe, trainer }: Session): void {
    const values = FORKED.map((name) => valueOf(table, madeRecipe, name));
    const key = [run?.number, ...values].join(' ');
    const isOther =
      this.#changes !== null && !this.#changes.key.startsWith(`${String(run?.number)} `);
    if (stepLookedAt(this.#context.state.lookedAt, run) === null || isOther) {
      this.#formIsOpen = false;
      this.#changes = null;
    }
    if (!this.#formIsOpen || this.#changes?.key === key) return;
    // At earlier steps it had other values than now.
    this.#changes = { key, known: null };
    const tell = (known: readonly RunChange[]): void => {
      if (this.#changes?.key !== key) return;
      this.#changes = { key, known };
      this.update();
    };
    trainer.receipt().then(
      (receipt) => {
        tell(readChanges(receipt));
      },
      () => {
        tell([]);
      },
    );
  }

  #forkData(now: Session, step: number): ForkFormData {
    const { words } = this.#context;
    const { table, madeRecipe } = now;
    const known = this.#changes?.known ?? null;
    const valueAt = (name: string): number => {
      const later = known?.find((one) => one.option === name && one.step >= step);
      return later?.from ?? valueOf(table, madeRecipe, name);
    };
    const values = Object.fromEntries(FORKED.map((name) => [name, valueAt(name)]));
    return {
      step,
      values: known === null ? null : values,
      error: this.#error === null ? '' : messageOf(this.#error, words),
      hasOtherText: now.pending().includes('text'),
      wrong: (typed, isAnew) => {
        const wrong: Record<string, string> = {};
        for (const name of FORKED) {
          const option = findOption(table, name);
          const error = option === undefined ? null : checkValue(option, typed[name] ?? NaN);
          if (error !== null) wrong[name] = messageOf(error, words);
        }
        if (isAnew) return wrong;
        const steps = typed['steps'] ?? NaN;
        if (steps <= step) {
          const name = words.find('option.steps') ?? 'steps';
          wrong['steps'] ??= words.t('past.fork.steps', { name, step: words.number(step) });
        }
        if (FORKED.every((name) => typed[name] === values[name])) {
          wrong[''] = words.t('past.fork.same');
        }
        return wrong;
      },
    };
  }

  async #fork(values: Readonly<Record<string, number>>, isAnew: boolean): Promise<void> {
    const { session, state, actions, reveal, words } = this.#context;
    const now = session();
    const step = stepLookedAt(state.lookedAt, now?.run ?? null);
    if (step === null) return;
    this.#stopFilm();
    try {
      const name = words.t('past.fork.name', { step: words.number(step) });
      await actions.onFork({ step, changes: values, anew: isAnew ? { name } : null });
      this.#formIsOpen = false;
      reveal();
    } catch (thrown) {
      this.#error = asError(thrown);
    }
    this.update();
  }

  // ---- The film ---------------------------------------------------------------------------------

  #stopFilm(): void {
    clearTimeout(this.#beat);
    this.#beat = undefined;
    this.#film = null;
  }

  /** The page follows a moment later: until then it shows the one before. */
  #minds(lookedAt: number | null): void {
    if (this.#film === null || this.#frame === null) return;
    const { step, before } = this.#frame;
    if (lookedAt === step) this.#frame = { step, before: step };
    else if (lookedAt !== before) this.#stopFilm();
  }

  #play(play: boolean): void {
    this.#stopFilm();
    const now = this.#context.session();
    const { run = null, firstStep = null } = now ?? {};
    if (play && run !== null && firstStep !== null) {
      const at = stepLookedAt(this.#context.state.lookedAt, run) ?? Infinity;
      const film = filmSteps(firstStep, run.step);
      // On from where one is, or from the beginning.
      const rest = film.filter((step) => step > at);
      this.#film = rest.length > 0 ? rest : film;
      this.#next();
    }
    this.update();
  }

  /** As a file; a press meanwhile gives it up. */
  async #makeFilm(): Promise<void> {
    const { session, state, kept, runs } = this.#context;
    const making = this.#making;
    const now = session();
    const run = now?.run ?? null;
    const attention = run?.attention ?? null;
    if (making.now !== null) making.now.stop.abort();
    const first = now?.firstStep ?? null;
    if (now === null || first === null || run === null || making.now !== null) return;
    const steps = filmSteps(first, run.step);
    const stop = new AbortController();
    const tell = (done: number): void => {
      making.now = { run: run.number, done, count: steps.length, stop };
      making.onChange();
    };
    void now.trainer.closed.then(() => {
      stop.abort();
    });
    making.error = null;
    tell(0);
    try {
      const { makeFilm } = await import('./film.ts');
      const clearest =
        attention === null
          ? { layer: 0, head: 0 }
          : kept(ClearestHead).find(run.number, attention, headStatistics(attention));
      const head = state.head ?? clearest;
      const made = { context: this.#context, session: now, head, steps, signal: stop.signal };
      const file = await makeFilm({ ...made, onPicture: tell });
      download(file, `${fileName('film', shownFile(now, runs), run.step)}.webm`);
    } catch (thrown) {
      if (!stop.signal.aborted) making.error = asError(thrown);
    }
    making.now = null;
    making.onChange();
  }

  #next(): void {
    const { actions, session } = this.#context;
    const [step = 0, ...rest] = this.#film ?? [];
    this.#beat = undefined;
    this.#film = rest.length > 0 ? rest : null;
    const shown = step >= (session()?.run?.step ?? 0) ? null : step;
    const before = stepLookedAt(this.#context.state.lookedAt, session()?.run ?? null);
    this.#frame = { step: shown, before };
    actions.onLookAt(shown);
  }

  /** The next picture, once this one is there and was seen. */
  #playOn(now: Session): void {
    if (this.#film === null || this.#beat !== undefined) return;
    const step = stepLookedAt(this.#context.state.lookedAt, now.run);
    if ((now.past?.error ?? null) !== null) this.#play(false);
    if (step === null || seenAt(now, step) === null) return;
    this.#beat = setTimeout(() => {
      this.#next();
    }, BEAT);
  }
}

/** Steps of a film: close together at the beginning, where most happens. */
function filmSteps(first: number, last: number): number[] {
  const at = (share: number): number => Math.round(first + (last - first) * share ** 2);
  const steps = Array.from({ length: PICTURES + 1 }, (_, index) => at(index / PICTURES));
  return [...new Set(steps)];
}
