/** The check-up of the text before it is learned. */
import { yieldTask } from '../../../base/yield-task.ts';
import { sentences } from '../../../i18n/index.ts';
import { createDoctor } from './view.ts';
import { Folds } from '../../../kit/folds.ts';
import { adviceOn } from './advice.ts';
import type { Checked } from './advice.ts';
import { examine } from './examine.ts';
import type { Findings } from './examine.ts';
import { Speeds, stepOperations } from '../../../store/training/pace.ts';
import { isMend, remedyLabel } from './remedy.ts';
import type { Remedy } from './remedy.ts';
import { Treatment } from './treatment.ts';
import { canChange } from '../../../store/address/lesson.ts';
import { textProblem } from '../../../store/messages.ts';
import type { Session } from '../../../store/training/session.ts';
import { keep, recall } from '../../../store/storage.ts';
import type { CreateLaterPanel } from '../../panel.ts';

/** Milliseconds of examining between two chances to draw. */
const SLICE = 8;
/** Milliseconds of quiet before a text that is being typed is examined. */
const QUIET = 400;
/** Of longer texts only this much is examined, in UTF-16 code units. */
const EXAMINED = 4_000_000;
/** Where the measured speeds are kept for the next visit. */
const SPEEDS = 'speeds';
/** Steps after which the pace of a run is known. */
const ENOUGH_STEPS = 50;
/** A pace that changes less than this is told as it was: what is read must not flicker. */
const SAME_PACE = 0.1;

export const createDoctorPanel: CreateLaterPanel = (container, context) => {
  const { words, state, actions, session, lesson } = context;
  const treatment = context.kept(Treatment);
  // What is there was said in another language.
  treatment.retell(words);
  /** A lesson that has fixed what a remedy would change has none of it. */
  const isAllowed = (remedy: Remedy): boolean =>
    isMend(remedy) ? canChange(lesson, 'text') : !lesson.lock.has('settings');
  let findings: Findings | null = null;
  let whole = true;
  let examined: unknown = null;
  let ticket = 0;
  let busy = false;
  let destroyed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const speeds = new Speeds(recall('always', SPEEDS));
  /** The run whose speed was kept, and the pace of the one that is shown, as it was told last. */
  let measuredRun = -1;
  let pace: number | null = null;

  const view = createDoctor<Remedy>(container, {
    words,
    folds: context.kept(Folds),
    onRemedy: (remedy) => {
      void treatment.carryOut(remedy, context).then(update);
    },
    onUndo: (remedy) => {
      void treatment.takeBack(remedy, context).then(update);
    },
    onUndoAll: () => {
      void treatment.takeAllBack(context).then(update);
    },
  });

  /** Examines the text as soon as it rests, in slices; a newer text takes the place of an older. */
  function look(): void {
    const mine = ++ticket;
    busy = true;
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        void run(mine);
      },
      findings === null ? 0 : QUIET,
    );
  }

  async function run(mine: number): Promise<void> {
    const all = await actions.readText(EXAMINED + 1).catch(() => '');
    const text = all.slice(0, EXAMINED);
    const examination = examine(text);
    for (;;) {
      const until = performance.now() + SLICE;
      let next = examination.next();
      while (next.done !== true && performance.now() < until) next = examination.next();
      if (mine !== ticket) return;
      if (next.done === true) {
        findings = next.value;
        break;
      }
      await yieldTask();
    }
    whole = text.length === all.length;
    busy = false;
    update();
  }

  /**
   * Learns how fast this machine trains, and how fast the shown run does if its settings are
   * wanted.
   */
  function measure(): void {
    const now = session();
    const run = now?.run ?? null;
    const { plan = null, recipe = null } = now?.current ?? {};
    const isKnown = run !== null && run.step >= ENOUGH_STEPS && run.stepsPerSecond > 0;
    // Held back to be watched, it tells nothing of either.
    if (!isKnown || now === null || now.pending().length > 0 || state.pace > 0) {
      pace = null;
      return;
    }
    const { stepsPerSecond } = run;
    if (pace === null || Math.abs(stepsPerSecond / pace - 1) > SAME_PACE) pace = stepsPerSecond;
    if (plan === null || recipe === null || findings === null || run.state !== 'running') return;
    const operations = stepOperations({
      plan,
      table: now.table,
      recipe,
      lengths: findings.lengths,
    });
    speeds.note(operations, operations * stepsPerSecond);
    // Enough to know; kept once a run.
    if (run.number === measuredRun || run.step < 4 * ENOUGH_STEPS) return;
    measuredRun = run.number;
    keep('always', SPEEDS, speeds.toString());
  }

  function update(): void {
    const now = session();
    if (now === null || destroyed) return;
    if (state.fileSize > 0 && state.version !== examined) {
      examined = state.version;
      look();
    }
    measure();
    treatment.follow(context);
    if (state.fileSize === 0 || now.writesOnly) treatment.clear();
    else if (findings !== null && !busy) {
      const checked = { findings, whole, session: wantedNow(now), speeds, pace };
      const advice = adviceOn(checked, words).map((one) => ({
        ...one,
        remedies: one.remedies.filter(isAllowed),
      }));
      treatment.look(checked, advice);
    }
    const { rows, done, pressed } = treatment;
    view.update({
      busy,
      items: rows.map((row) => {
        const { id, look, found, text, remedies, offered, why = '', more = [] } = row;
        return {
          ...{ id, look, found, text, why, more },
          remedies: remedies.map((remedy) => ({
            key: remedy,
            label: remedyLabel(remedy, words),
            example: isMend(remedy) ? (row.example ?? '') : '',
            done: done.includes(remedy),
            again: offered.includes(remedy),
          })),
        };
      }),
      steady: pressed,
      // Its text is not learned: nothing in it needs mending.
      idle: now.writesOnly && state.fileSize > 0 ? words.t('doctor.idle') : '',
      wrong: textProblem(state.textError, now) !== null,
      note: sentences(
        [
          treatment.overtaken ? words.t('doctor.overtaken') : '',
          whole ? '' : words.t('doctor.partly', { count: words.number(EXAMINED) }),
        ],
        words,
      ),
    });
  }

  return {
    update,
    resize: () => undefined,
    destroy: () => {
      destroyed = true;
      ticket += 1;
      clearTimeout(timer);
      view.destroy();
    },
  };
};

/** What is to be run, as it is now: rows tell of it when it has long become another. */
function wantedNow(session: Session): Checked['session'] {
  const { table, recipe, plan, model, leavesModel } = session;
  return { table, recipe, plan, model, leavesModel };
}
