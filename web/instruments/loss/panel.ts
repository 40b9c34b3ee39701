/** The loss curve of the run, and of earlier ones. */
import { Folds } from '../../kit/folds.ts';
import { LossChart } from './view.ts';
import type { SlowerRun } from './loss-notes.ts';
import type { LossLook } from '../../data/loss-data.ts';
import { isWorse } from '../../store/training/loss-reading.ts';
import { unheldShown } from '../../store/training/held-out.ts';
import { canChange } from '../../store/address/lesson.ts';
import { lossData } from '../../store/training/loss-data-of.ts';
import { ratesOf } from '../../store/training/rates.ts';
import type { RunData } from '../../store/training/run-data.ts';
import type { Session } from '../../store/training/session.ts';
import { PACES } from '../../store/address/page-settings.ts';
import { panelOf } from '../panel.ts';
import type { CreatePanel } from '../panel.ts';

/** A first run that is over within this many milliseconds is over before anybody could watch it. */
const QUICK = 10_000;
/** One of fewer steps was meant to be short. */
const MEANT = 1000;
/** Seconds that it takes where it can be watched. */
const LEAST = 30;
/** What slows it down; a lesson can leave either out. */
const SLOWED: ReadonlySet<string> = new Set(['pace', 'rewind']);

/** What was seen of the run. */
class Watched {
  /** The steps that are looked at; null for all. */
  window: LossLook['window'] = null;
  /** The run that was seen at its beginning or at work last: from when, and until when. */
  seen: { readonly number: number; readonly since: number; until: number } | null = null;
}

/** A loss of this many times that of guessing is no bad luck: the steps were too large. */
const EXPLODED = 3;

export const createLoss: CreatePanel = (container, context) => {
  const { words, state, actions, session, lesson } = context;
  const watched = context.kept(Watched);
  const view = new LossChart(container, {
    words,
    folds: context.kept(Folds),
    window: watched.window,
    onWindow: (window) => {
      watched.window = window;
    },
    onChoice: actions.onLossChoice,
    onShow: (id, shown) => session()?.earlier.show(id, shown),
    onRemove: (id) => session()?.earlier.remove(id),
    onGentler: () => session()?.gentler(),
    onCompare: context.offers('tokens') ? compare : null,
    onSlower: (pace) => {
      actions.onPace(pace);
      session()?.rewind();
      session()?.start();
    },
  });
  /** Token by token, the text that training never saw: what the model wrote is one press away. */
  function compare(): void {
    actions.onCloser('tokens');
    const show = async (): Promise<void> => {
      const { heldOutPart } = await import('../../store/text/held-out-part.ts');
      const part = heldOutPart(session()?.current ?? null);
      if (part !== '') actions.onScored(part, false);
      context.goTo('closer');
    };
    // Without the network the tab itself says what is missing.
    show().catch(() => {
      context.goTo('closer');
    });
  }

  function noteTime(run: RunData | null): void {
    const begins = run?.step === 0;
    if (run === null || (!begins && run.state !== 'running')) return;
    const now = performance.now();
    // A run may be over before it was seen at work even once.
    if (begins || watched.seen?.number !== run.number) {
      watched.seen = { number: run.number, since: now, until: now };
    }
    watched.seen.until = now;
  }

  /** The first run at a speed at which it can be watched; null where that is not to be offered. */
  function slower(now: Session | null): SlowerRun | null {
    const run = now?.run ?? null;
    if (now === null || run === null || !now.trains || run.steps < MEANT) return null;
    if (now.earlier.all.length > 0 || [...lesson.hide].some((one) => SLOWED.has(one))) return null;
    const pace = PACES.find((one) => one > 0 && run.steps / one >= LEAST);
    if (pace === undefined) return null;
    return { pace, wanted: wasQuick(now, run) };
  }

  /** Whether the run was over before one could look, and is what would begin anew. */
  function wasQuick(now: Session, run: RunData): boolean {
    const { seen } = watched;
    const canSlow = run.state === 'finished' && state.pace === 0 && now.pending().length === 0;
    return canSlow && seen?.number === run.number && seen.until - seen.since < QUICK;
  }

  /**
   * Why the run that is over ended worse than guessing, as far as that can be told and mended here.
   */
  function largeRate(now: Session): ReturnType<typeof ratesOf> {
    const { current } = now;
    if (current?.data.state !== 'finished' || now.pending().length > 0) return null;
    const { history } = current.data;
    const [rates, loss] = [ratesOf(now), history.smoothedLast() ?? NaN];
    if (rates === null || rates.rate <= rates.usual) return null;
    const [random, highest] = [current.plan.randomLoss, history.highest];
    const cameBack = highest > EXPLODED * random && isWorse(loss + 1, random);
    if (!isWorse(loss, random) && !cameBack) return null;
    return canChange(lesson, 'settings') && !lesson.hide.has('rewind') ? rates : null;
  }

  return panelOf(view, () => {
    const now = session();
    noteTime(now?.run ?? null);
    const opened = now?.current?.model ?? null;
    view.update({
      ...lossData(now, context.runs, words),
      choice: state.lossChoice,
      marks: context.layers.marks,
      unheld: unheldShown(now, words),
      slower: slower(now),
      largeRate: now === null ? null : largeRate(now),
      barred: now !== null && now.error !== null,
      opened: opened === null ? null : { step: opened.facts.step, trains: now?.trains === true },
    });
  });
};
