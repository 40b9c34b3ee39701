/** The check-up of the text before it is learned. */
import { valueOf } from '../../engine/options.ts';
import { makeYield } from '../../engine/yield-task.ts';
import { createDoctor } from '../../views/doctor.ts';
import { adviceOn, stepOperations } from '../advice.ts';
import type { Advice, Mend, Remedy } from '../advice.ts';
import {
  TELLING_LINE,
  examine,
  removeDuplicates,
  replaceRare,
  stripMarkup,
  tidySpace,
} from '../corpus-doctor.ts';
import type { Findings } from '../corpus-doctor.ts';
import { mendGarbled } from '../mojibake.ts';
import { textProblem } from '../messages.ts';
import { keep, recall } from '../storage.ts';
import type { CreatePanel } from './panel.ts';

/** Milliseconds of examining between two chances to draw. */
const SLICE = 8;
/** Milliseconds of quiet before a text that is being typed is examined. */
const QUIET = 400;
/** Of longer texts only this much is examined, in UTF-16 code units. */
const EXAMINED = 4_000_000;
/** Where the measured speed is kept for the next visit. */
const SPEED = 'speed';

/** What each change makes of a text. */
const MENDS: Readonly<Record<Mend, (text: string) => string>> = {
  duplicates: (text) => removeDuplicates(text),
  repeats: (text) => removeDuplicates(text, TELLING_LINE),
  rare: replaceRare,
  space: tidySpace,
  markup: stripMarkup,
  garbled: mendGarbled,
};

export const createDoctorPanel: CreatePanel = (container, context) => {
  const { words, state, actions, session } = context;
  const pause = makeYield();
  let findings: Findings | null = null;
  let whole = true;
  let advice: readonly Advice[] = [];
  let examined: unknown = null;
  let ticket = 0;
  let busy = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** How to take each remedy back, the last one at the end. */
  let undo: { readonly what: string; readonly act: () => void }[] = [];
  /** The text that the remedies were for; another one cannot be taken back to. */
  let mended = { source: state.source, version: state.version };
  /** A remedy's text is on its way: the next version is of our making. */
  let awaited = false;
  let speed = Number(recall('always', SPEED) ?? '') || null;
  let measuredRun = -1;

  const view = createDoctor(container, {
    words,
    onRemedy: (id, index) => {
      const chosen = advice.find((one) => one.id === id)?.remedies[index];
      if (chosen !== undefined) void carryOut(chosen.label, chosen.remedy);
    },
    onUndo: () => {
      takeBack(1);
    },
    onUndoAll: () => {
      takeBack(undo.length);
    },
  });

  function takeBack(count: number): void {
    const back = undo.splice(undo.length - count).reverse();
    for (const { act } of back) act();
    update();
  }

  async function carryOut(what: string, remedy: Remedy): Promise<void> {
    const now = session();
    if (now === null || findings === null) return;
    const before = now.recipe;
    if (remedy.kind === 'option') {
      const { name } = remedy;
      const value = valueOf(now.table, before, name);
      actions.onOption(name, remedy.value);
      undo.push({
        what,
        act: () => {
          actions.onOption(name, value);
        },
      });
    } else if (remedy.kind === 'preset') {
      actions.onPreset(remedy.preset);
      undo.push({
        what,
        act: () => {
          actions.onRecipe(before);
        },
      });
    } else {
      const better = MENDS[remedy.kind](await actions.readText());
      let back: (() => void) | null = null;
      ours(() => {
        back = actions.onMend(better);
      });
      undo.push({
        what,
        act: () => {
          ours(() => back?.());
        },
      });
    }
    update();
  }

  /** The text becomes another one by what is done here: what was mended before can still be undone. */
  function ours(act: () => void): void {
    awaited = true;
    act();
    mended.source = state.source;
  }

  /** Forgets the remedies when the text has become another one by other hands. */
  function follow(): void {
    const { source, version } = state;
    if (source !== mended.source || (version !== mended.version && !awaited)) undo = [];
    if (version !== mended.version) awaited = false;
    mended = { source, version };
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
    whole = text.length === all.length;
    busy = false;
    update();
  }

  /** Remembers how fast this machine trained, once a run has come to rest. */
  function measure(): void {
    const now = session();
    const run = now?.run ?? null;
    if (now === null || run === null || now.runPlan === null || state.pace > 0) return;
    if (run.state !== 'running' || run.stepsPerSecond <= 0) return;
    speed = stepOperations(now.runPlan, now) * run.stepsPerSecond;
    // Enough to know; kept once a run.
    if (run.number === measuredRun || run.step < 200) return;
    measuredRun = run.number;
    keep('always', SPEED, String(Math.round(speed)));
  }

  function update(): void {
    const now = session();
    if (now === null) return;
    if (state.fileSize > 0 && state.version !== examined) {
      examined = state.version;
      look();
    }
    if (now.pending().length === 0) measure();
    if (state.fileSize === 0) advice = [];
    else if (findings !== null && !busy) {
      advice = adviceOn({ findings, whole, session: now, speed }, words);
    }
    follow();
    view.update({
      busy,
      items: advice.map(({ id, look: isLook, text, remedies }) => ({
        id,
        look: isLook,
        text,
        remedies: remedies.map(({ label }) => label),
      })),
      wrong: textProblem(state.textError, now) !== null,
      note: whole ? '' : words.t('doctor.partly', { count: words.number(EXAMINED) }),
      mended: undo.map(({ what }) => what),
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
