/** The check-up of the text before it is learned. */
import { sameRecipe, valueOf } from '../../engine/options.ts';
import { makeYield } from '../../engine/yield-task.ts';
import { createDoctor } from '../../views/doctor.ts';
import { adviceOn } from '../check-up/advice.ts';
import type { Mend, Remedy } from '../check-up/advice.ts';
import { Speeds, stepOperations } from '../check-up/pace.ts';
import { rowsAfter, undoneFirst } from '../check-up/rows.ts';
import type { Done, Row } from '../check-up/rows.ts';
import {
  TELLING_LINE,
  examine,
  removeDuplicates,
  replaceRare,
  shuffleLines,
  stripMarkup,
  tidySpace,
} from '../check-up/corpus-doctor.ts';
import type { Findings } from '../check-up/corpus-doctor.ts';
import { mendGarbled } from '../check-up/mojibake.ts';
import { canChange } from '../lesson.ts';
import { textProblem } from '../messages.ts';
import type { Session } from '../session.ts';
import { keep, recall } from '../storage.ts';
import type { CreateLaterPanel } from './panel.ts';

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

/** What each change makes of a text. */
const MENDS: Readonly<Record<Mend, (text: string) => string>> = {
  duplicates: (text) => removeDuplicates(text),
  repeats: (text) => removeDuplicates(text, TELLING_LINE),
  rare: replaceRare,
  space: tidySpace,
  markup: stripMarkup,
  garbled: mendGarbled,
  sorted: shuffleLines,
};

/** Something that was done, and how to take it back where it is no change of the text. */
interface Entry extends Done {
  readonly restore: () => void;
  /** Whether it is still so: the settings may have been changed by hand. */
  readonly holds: () => boolean;
}

export const createDoctorPanel: CreateLaterPanel = (container, context) => {
  const { words, state, actions, session, lesson } = context;
  /** A lesson that has fixed what a remedy would change has none of it. */
  const isAllowed = ({ kind }: Remedy): boolean =>
    kind === 'option' || kind === 'preset'
      ? !lesson.lock.has('settings')
      : canChange(lesson, 'text');
  const pause = makeYield();
  let findings: Findings | null = null;
  let whole = true;
  let valid = true;
  let rows: readonly Row[] = [];
  let examined: unknown = null;
  let ticket = 0;
  let busy = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** What was pressed and can be taken back, the last at the end. */
  let done: readonly Entry[] = [];
  /** The text before it was mended, and how to have it back as it was; null while it is not mended. */
  let unmended: { readonly text: string; readonly back: () => void } | null = null;
  /** The text that the remedies were for; another one cannot be taken back to. */
  let mended = { source: state.source, version: state.version };
  /** A remedy's text is on its way: the next version is of our making. */
  let awaited = false;
  /** Whether a press here was the last that changed text or settings: then rows keep their places. */
  let pressed = false;
  /** The settings as they were left here. */
  let left = session()?.recipe ?? null;
  /** One press after the other: each changes what the one before it made. */
  let queue: Promise<void> = Promise.resolve();
  const speeds = new Speeds(recall('always', SPEEDS));
  /** The run whose speed was kept, and the pace of the one that is shown, as it was told last. */
  let measuredRun = -1;
  let pace: number | null = null;

  const view = createDoctor(container, {
    words,
    onRemedy: (id, label) => {
      const chosen = rows.find((one) => one.id === id)?.remedies.find((one) => one.label === label);
      if (chosen === undefined) return;
      queue = queue.then(() => carryOut(id, label, chosen.remedy));
    },
    onUndo: (id, label) => {
      queue = queue.then(() => {
        takeBack(done.filter((one) => one.id === id && one.label === label));
      });
    },
    onUndoAll: () => {
      queue = queue.then(() => {
        takeBack(done);
      });
    },
  });

  /** Takes some of what was done back. All other changes of the text are made anew without it. */
  function takeBack(gone: readonly Entry[]): void {
    done = done.filter((one) => !gone.includes(one));
    for (const { restore } of [...gone].reverse()) restore();
    const rest = done.flatMap(({ mend }) => (mend === null ? [] : [mend]));
    if (unmended !== null && gone.some(({ mend }) => mend !== null)) {
      const { text, back } = unmended;
      if (rest.length === 0) unmended = null;
      ours(() => {
        if (rest.length === 0) back();
        else actions.onMend(rest.reduce((before, mend) => MENDS[mend](before), text));
      });
    }
    // Until the text has been looked at again, it is as before the press.
    rows = rows.map((row) =>
      gone.some(({ id }) => id === row.id) ? { ...row, found: true } : row,
    );
    left = session()?.recipe ?? null;
    pressed = true;
    update();
  }

  async function carryOut(id: string, label: string, remedy: Remedy): Promise<void> {
    const now = session();
    if (now === null || findings === null) return;
    const before = now.recipe;
    const entry = { id, label, mend: null, preset: false, restore: () => undefined };
    if (remedy.kind === 'option') {
      const { name, value } = remedy;
      const old = valueOf(now.table, before, name);
      actions.onOption(name, value);
      const restore = (): void => {
        actions.onOption(name, old);
      };
      const holds = (): boolean => valueOf(now.table, now.recipe, name) === value;
      done = [...done, { ...entry, restore, holds }];
    } else if (remedy.kind === 'preset') {
      actions.onPreset(remedy.preset);
      const restore = (): void => {
        actions.onRecipe(before);
      };
      const holds = (): boolean => now.recipe.preset === remedy.preset;
      done = [...done, { ...entry, preset: true, restore, holds }];
    } else {
      const text = await actions.readText();
      const better = MENDS[remedy.kind](text);
      done = [...done, { ...entry, mend: remedy.kind, holds: () => true }];
      ours(() => {
        const back = actions.onMend(better);
        unmended ??= { text, back };
      });
    }
    left = now.recipe;
    pressed = true;
    update();
  }

  /** The text becomes another one by what is done here: what was mended before can still be undone. */
  function ours(act: () => void): void {
    awaited = true;
    act();
    mended.source = state.source;
  }

  /** Forgets the remedies when the text, or what they set, has become another by other hands. */
  function follow(recipe: Session['recipe']): void {
    const { source, version } = state;
    if (source !== mended.source || (version !== mended.version && !awaited)) {
      [done, unmended, pressed] = [[], null, false];
    }
    if (version !== mended.version) awaited = false;
    mended = { source, version };
    done = done.filter(({ holds }) => holds());
    if (left === null || !sameRecipe(left, recipe)) pressed = false;
    left = recipe;
  }

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
    const all = await actions.readText();
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
      await pause();
    }
    // Characters that stand for lost ones, or for bytes that are no UTF-8.
    const { lost } = findings;
    const isValid = lost === 0 || isUtf8(await actions.readBytes());
    if (mine !== ticket) return;
    valid = isValid;
    whole = text.length === all.length;
    busy = false;
    update();
  }

  /** Learns how fast this machine trains, and how fast the shown run does if its settings are wanted. */
  function measure(): void {
    const now = session();
    const run = now?.run ?? null;
    const { runPlan: plan = null, runRecipe: recipe = null } = now ?? {};
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
    if (now === null) return;
    if (state.fileSize > 0 && state.version !== examined) {
      examined = state.version;
      look();
    }
    measure();
    follow(now.recipe);
    if (state.fileSize === 0 || now.writesOnly) rows = [];
    else if (findings !== null && !busy) {
      const checked = { findings, whole, valid, session: now, speeds, pace };
      const advice = adviceOn(checked, words).map((one) => ({
        ...one,
        remedies: one.remedies.filter(({ remedy }) => isAllowed(remedy)),
      }));
      rows = rowsAfter(rows, advice, done, pressed);
    }
    view.update({
      busy,
      items: rows.map(({ id, remedies, more = [], ...row }) => ({
        ...{ id, more, look: row.look, found: row.found, text: row.text },
        remedies: remedies.map(({ label }) => {
          const entry = done.find((one) => one.id === id && one.label === label);
          const first = entry === undefined ? '' : undoneFirst(entry, done);
          return { label, done: entry !== undefined, first };
        }),
      })),
      steady: pressed,
      // Its text is not learned: nothing in it needs mending.
      idle: now.writesOnly && state.fileSize > 0 ? words.t('doctor.idle') : '',
      wrong: textProblem(state.textError, now) !== null,
      note: whole ? '' : words.t('doctor.partly', { count: words.number(EXAMINED) }),
    });
  }

  return {
    update,
    resize: () => undefined,
    destroy: () => {
      ticket += 1;
      clearTimeout(timer);
      view.destroy();
    },
  };
};

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
