/** The text check before it is learned. */
import { yieldTask } from '../../../base/yield-task.ts';
import { createTextCheck } from './view.ts';
import { Folds } from '../../../kit/folds.ts';
import { adviceOn, adviceText, exampleOf } from './advice.ts';
import type { Advice } from './advice.ts';
import { examine } from './examine.ts';
import type { Findings } from './examine.ts';
import { Treatment } from './treatment.ts';
import { canChange } from '../../../store/address/lesson.ts';
import { textProblem } from '../../../store/messages.ts';
import type { CreateLaterPanel } from '../../panel.ts';

/** Milliseconds of examining between two chances to draw. */
const SLICE = 8;
/** Milliseconds of quiet before a text that is being typed is examined. */
const QUIET = 400;
/** Of longer texts only this much is examined, in UTF-16 code units. */
const EXAMINED = 4_000_000;

export const createTextCheckPanel: CreateLaterPanel = (container, context) => {
  const { words, state, actions, session, lesson } = context;
  const { t } = words;
  const treatment = context.kept(Treatment);
  let findings: Findings | null = null;
  let whole = true;
  /** The versions of the text that are being examined, and that `findings` are about. */
  let begun = -1;
  let examined = -1;
  let destroyed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const view = createTextCheck(container, {
    words,
    folds: context.kept(Folds),
    onCure: (id) => {
      const cure = treatment.rows.find((row) => row.id === id)?.cure ?? null;
      if (cure !== null) void treatment.apply(cure, context).then(update);
    },
    onUndo: () => {
      void treatment.undo(context).then(update);
    },
  });

  /** Examines the text as soon as it rests. */
  function examineSoon(): void {
    begun = state.version;
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        void run(state.version);
      },
      findings === null ? 0 : QUIET,
    );
  }

  /** Examines the text in slices; a newer text ends it. */
  async function run(version: number): Promise<void> {
    const text = await actions.readText(EXAMINED + 1).catch(() => '');
    const examination = examine(text.slice(0, EXAMINED));
    let next: IteratorResult<undefined, Findings>;
    for (;;) {
      const until = performance.now() + SLICE;
      do next = examination.next();
      while (next.done !== true && performance.now() < until);
      if (destroyed || version !== state.version) return;
      if (next.done === true) break;
      await yieldTask();
    }
    findings = next.value;
    whole = text.length <= EXAMINED;
    examined = version;
    treatment.follow(text);
    update();
  }

  /** A lesson that has fixed what a cure would change has none of it. */
  function allowed(advice: Advice): Advice {
    return canChange(lesson, 'text') ? advice : { ...advice, cure: null };
  }

  function update(): void {
    const now = session();
    if (now === null || destroyed) return;
    // A model that only writes learns nothing from the text.
    container.hidden = state.fileSize === 0 || now.writesOnly;
    if (container.hidden) return;
    if (state.version !== begun) examineSoon();
    const busy = examined !== state.version;
    if (!busy && findings !== null) {
      treatment.look(adviceOn(findings, whole, now).map(allowed));
    }
    const { rows, last } = treatment;
    const open = rows.filter(({ found }) => found).length;
    const isWrong = textProblem(state.textError, now) !== null;
    const fine = isWrong ? '' : t('text-check.fine');
    const summary = open === 0 ? fine : t('text-check.count', { count: open });
    view.update({
      summary: busy ? t('text-check.busy') : summary,
      look: open > 0 && !busy,
      rows: rows.map((row) => ({
        id: row.id,
        found: row.found,
        label: row.cure === null ? '' : t(`text-check.fix.${row.cure}`),
        text: adviceText(row, words),
        example: exampleOf(row, words),
        canUndo: row.cure !== null && row.cure === last,
      })),
      note: whole ? '' : t('text-check.partly', { count: words.number(EXAMINED) }),
    });
  }

  return {
    update,
    resize: () => undefined,
    destroy: () => {
      destroyed = true;
      clearTimeout(timer);
      view.destroy();
    },
  };
};
