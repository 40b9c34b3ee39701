/** The run of now once more, without some lines, which are measured before and after. */
import { asError, failure } from '../../engine/errors.ts';
import { valueOf } from '../../engine/options.ts';
import type { Trainer } from '../../engine/trainer.ts';
import { messageOf } from '../../store/messages.ts';
import { LinesToLeave } from '../../store/training/lines-to-leave.ts';
import type { CurrentRun } from '../../store/training/current-run.ts';
import type { Session } from '../../store/training/session.ts';
import { wholeSample } from '../../store/training/whole-sample.ts';
import type { LaterContext } from '../panel.ts';
import type { Pair } from './seeds.ts';
import { SeedsPart } from './seeds-part.ts';
import {
  beginningOf,
  bytesOfLines,
  lineNumbers,
  meanLoss,
  MOST_LINES,
  LeftOutState,
} from './left-out.ts';
import type { LineFacts } from './left-out.ts';
import { LeftOutForm } from './left-out-form.ts';
import type { LeftOutData } from './left-out-form.ts';

/** Tokens of a line that are scored, and that are written after its beginning. */
const SCORED_TOKENS = 800;
const WRITTEN_TOKENS = 40;

/** Reasons for which lines cannot be left out. */
type Wrong = 'numbers' | 'many' | 'unread' | 'early' | null;

export class LeftOutPart {
  readonly #context: LaterContext;
  readonly #state: LeftOutState;
  readonly #form: LeftOutForm;
  readonly #begins: () => void;
  readonly #changed: () => void;
  readonly #seeds: SeedsPart;

  /** `begins` hears that another run will begin here, `changed` that there is more to say. */
  constructor(context: LaterContext, begins: () => void, changed: () => void) {
    this.#context = context;
    this.#state = context.kept(LeftOutState);
    this.#begins = begins;
    this.#changed = changed;
    this.#seeds = new SeedsPart(context, this.#state.seeds, changed);
    this.#form = new LeftOutForm({
      words: context.words,
      seeds: this.#seeds.root,
      onLeaveOut: (lines) => {
        this.#leaveOut(lines).catch((thrown: unknown) => this.#fail(thrown));
      },
      onWhole: () => {
        const now = this.#context.session();
        if (now === null) return;
        this.#begins();
        const { preset, changes } = now.madeRecipe;
        context.actions.onTwin({ preset, changes });
      },
    });
  }

  get root(): HTMLElement {
    return this.#form.root;
  }

  update(now: Session): void {
    this.#measureTwin(now).catch((thrown: unknown) => this.#fail(thrown));
    this.#seeds.update(this.#pair(now));
    // Once what was asked for elsewhere can be pressed here.
    const asked = this.#context.kept(LinesToLeave).take();
    if (asked !== null) this.#form.ask(asked);
    const { ranges, lines } = this.#state;
    const wrong = this.#wrong(now);
    this.#form.update({
      offered: now.current !== null && now.trains && !now.pending().includes('text'),
      busy: now.run?.state === 'running',
      // Of a twin that another run took the place of, the figures are of no run that is shown.
      lines: leavesOut(now.current, ranges) ? lines : [],
      isUnread: wrong === 'unread',
      read: documentsRead(now),
      error: this.#said(wrong),
    });
  }

  #said(wrong: Wrong): string {
    const { words } = this.#context;
    const { error } = this.#state;
    if (error !== null) return messageOf(error, words);
    return wrong === null ? '' : words.t(`twin.left-out.${wrong}`, { most: MOST_LINES });
  }

  /** What stands in the way of what was asked for, as long as it does. */
  #wrong({ run, madeRecipe }: Session): Wrong {
    const { wrong } = this.#state;
    if (wrong !== 'run') return wrong;
    // One that has not read some lines is not the one that has.
    if ((madeRecipe.leftOut ?? []).length > 0) return 'unread';
    // A twin trains all its steps: half a run is not to be held against it.
    return run?.state === 'finished' ? null : 'early';
  }

  /** The twin that is shown, and the run that it was made from, once both are measured. */
  #pair({ current, madeRecipe, run }: Session): Pair | null {
    const { ranges, lines, wasChanged } = this.#state;
    const unseen = lines.flatMap((line) => line.unseen ?? []);
    const isMeasured = lines.length > 0 && unseen.length === lines.length;
    const isWhole = run?.state === 'finished' && run.changed.length === 0;
    // No recipe repeats a run whose settings were changed on the way.
    if (!leavesOut(current, ranges) || !isMeasured || !isWhole || wasChanged) return null;
    if (current === null || current.text === null) return null;
    const { t } = this.#context.words;
    const { preset, changes } = madeRecipe;
    return {
      text: current.text,
      recipes: [{ preset, changes }, madeRecipe],
      names: [t('twin.left-out.with'), t('twin.left-out.without')],
      unit: 'nats',
      values: [meanLoss(lines.map(({ seen }) => seen)), meanLoss(unseen)],
      measure: async ({ trainer }) => meanLoss(await measureLines(trainer, lines)),
    };
  }

  #fail(thrown: unknown): void {
    const error = asError(thrown);
    // Another run has replaced this one, or the worker was closed.
    if (error.code === 'cancelled' || error.code === 'worker') return;
    this.#state.error = error;
    this.#changed();
  }

  async #leaveOut(typed: string): Promise<void> {
    const { session, actions } = this.#context;
    const now = session();
    if (now === null || now.current === null || now.run?.state === 'running') return;
    const { madeRecipe, trainer } = now;
    const lines = (await actions.readText()).split('\n');
    const numbers = lineNumbers(typed, lines.length) ?? [];
    const ranges = bytesOfLines(lines, numbers);
    const look = this.#state;
    look.error = null;
    const many = numbers.length > MOST_LINES ? 'many' : 'run';
    look.wrong = ranges.length === 0 ? 'numbers' : many;
    if (this.#wrong(now) === null) {
      look.wrong = null;
      this.#begins();
      const chosen = numbers.flatMap((number) => {
        const text = lines[number - 1] ?? '';
        return text.trim() === '' ? [] : { number, text };
      });
      const seen = await measureLines(trainer, chosen);
      look.lines = chosen.map((line, at) => ({ ...line, seen: seen[at]!, unseen: null }));
      look.ranges = JSON.stringify(ranges);
      look.isMeasured = false;
      look.wasChanged = now.run?.changed.length !== 0;
      actions.onTwin({ ...madeRecipe, leftOut: ranges });
    }
    this.#changed();
  }

  /** Measures the twin once it is there. */
  async #measureTwin(now: Session): Promise<void> {
    const look = this.#state;
    if (look.isMeasured || now.run?.state !== 'finished') return;
    if (!leavesOut(now.current, look.ranges)) return;
    look.isMeasured = true;
    const { lines } = look;
    const { number } = now.run;
    const unseen = await measureLines(now.trainer, lines)
      .then((facts) => {
        if (now.run?.number === number) return facts;
        throw failure('cancelled', 'another run took the place of the twin');
      })
      .catch((thrown: unknown) => {
        // Once the twin is back, it is measured again.
        look.isMeasured = asError(thrown).code !== 'cancelled';
        throw thrown;
      });
    look.lines = lines.map((line, at) => ({ ...line, unseen: unseen[at] ?? null }));
    this.#changed();
  }
}

/** How many lines a run comes to, where these are not all; null where they are, or no lines. */
function documentsRead({ current, table }: Session): LeftOutData['read'] {
  if (current === null || !current.info.documents) return null;
  const { plan, recipe, data } = current;
  const read = data.steps * valueOf(table, recipe, 'batch');
  const all = plan.documents - Math.floor(plan.documents * valueOf(table, recipe, 'validation'));
  return read < all ? { read, all } : null;
}

/** What the model that is there makes of each line. */
async function measureLines(
  trainer: Trainer,
  lines: readonly { readonly text: string }[],
): Promise<LineFacts[]> {
  const facts: LineFacts[] = [];
  for (const { text } of lines) {
    const { meanLoss } = await trainer.analyse(text, SCORED_TOKENS, false);
    const prompt = beginningOf(text);
    const written = await wholeSample(trainer, {
      prompt,
      temperature: 0,
      maxTokens: WRITTEN_TOKENS,
    });
    facts.push({ loss: meanLoss, written: written.split('\n')[0] ?? '' });
  }
  return facts;
}

/** Whether `run` is the twin without these ranges. */
function leavesOut(run: CurrentRun | null, ranges: string): boolean {
  return run !== null && ranges !== '' && JSON.stringify(run.recipe.leftOut ?? []) === ranges;
}
