/** Then and now: two moments of a run answer the same questions, in a tab of their own. */
import { asError, failure } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { Model } from '../../engine/past-run.ts';
import type { Analysis, Attention, SampleRequest } from '../../engine/trainer.ts';
import { Folds } from '../../kit/folds.ts';
import { watchSight } from '../../kit/in-sight.ts';
import type { Sight } from '../../kit/in-sight.ts';
import { Paced } from '../../kit/paced.ts';
import { messageOf } from '../../store/messages.ts';
import { STATE_BYTES } from '../../store/past/reach.ts';
import { wayTo } from '../../store/past/way.ts';
import { ClearestHead } from '../../store/training/head-habits.ts';
import { PROBE_TOKENS } from '../../store/training/probe-choice.ts';
import { shownPlan } from '../../store/training/session.ts';
import type { Session } from '../../store/training/session.ts';
import type { CreateLaterPanel, LaterContext, Panel } from '../panel.ts';
import { headChange } from './compared.ts';
import type { Moment } from './compared.ts';
import { stepsBetween } from './steps.ts';
import { MomentsView } from './view.ts';
import type { MomentsData } from './view.ts';

/** Tokens of a text at most: rows are to be compared at a glance. */
const ROW_TOKENS = 80;

/** What the page remembers of the tab. */
class MomentsState {
  /** The step of A in `run`; null for the first one. */
  a: number | null = null;
  run = -1;
  /** Of models of `run`, by question. */
  readonly answers = new Map<string, unknown>();
}

/** What is asked, of which steps. */
interface Plan {
  readonly run: number;
  readonly a: number;
  readonly b: number;
  readonly isNewest: boolean;
  /** Rising; those of A, B and the newest among them. */
  readonly steps: readonly number[];
  readonly newest: number;
  readonly request: SampleRequest;
  readonly probe: string;
  /** The same for the same questions, however far the run is. */
  readonly key: string;
}

type About = 'prompt' | 'text';

/** What stands in the way of answers; asked again once the run has gone on from `newest`. */
interface Failed {
  readonly error: GlasshouseError;
  readonly newest: number;
}

/** One question to the model of a step. */
interface Question {
  readonly key: string;
  readonly step: number;
  readonly about: About;
  readonly ask: (model: Model) => Promise<{ readonly step: number; readonly cancelled?: boolean }>;
}

export const createMoments: CreateLaterPanel = (container, context) =>
  new MomentsPanel(container, context);

class MomentsPanel implements Panel {
  readonly #context: LaterContext;
  readonly #state: MomentsState;
  readonly #view: MomentsView;
  readonly #sight: Sight;
  readonly #paced = new Paced(() => this.#askAll());
  /** What was asked last, and what stands in the way of an answer. */
  #plan: Plan | null = null;
  #failed: Partial<Record<About, Failed | undefined>> = {};
  /** The last two that were complete. */
  #pair: (Pick<Plan, 'isNewest' | 'probe'> & { readonly a: Moment; readonly b: Moment }) | null =
    null;
  #way = '';
  #round = new AbortController();

  constructor(container: HTMLElement, context: LaterContext) {
    const { words, textMarks, isDark, actions, layers } = context;
    this.#context = context;
    this.#state = context.kept(MomentsState);
    this.#view = new MomentsView(container, {
      words,
      textMarks,
      isDark,
      folds: context.kept(Folds),
      onA: (step) => {
        this.#state.a = step;
        layers.changed();
        this.update();
      },
      onLookAt: actions.onLookAt,
    });
    layers.set('moments', () => {
      const plan = this.#wanted();
      return plan === null ? [] : [{ step: plan.a, label: words.t('moments.mark') }];
    });
    layers.changed();
    this.#sight = watchSight(container, () => {
      this.update();
    });
  }

  update(): void {
    const wanted = this.#wanted();
    if (wanted?.key !== this.#plan?.key) {
      this.#round.abort();
      this.#failed = {};
      this.#way = '';
      if (wanted?.run !== this.#plan?.run) this.#pair = null;
      this.#plan = wanted;
      this.#paced.hurry();
    } else if (wanted !== null && this.#hasToAsk(wanted)) this.#paced.request();
    if (this.#sight.visible()) this.#show();
  }

  resize(): void {
    this.#view.resize();
  }

  destroy(): void {
    this.#round.abort();
    this.#paced.destroy();
    this.#sight.destroy();
    this.#context.layers.set('moments', () => []);
    this.#context.layers.changed();
    this.#view.destroy();
  }

  // ---- What is wanted ---------------------------------------------------------------------------

  /** Null where nothing can be compared. */
  #wanted(): Plan | null {
    const { session, state } = this.#context;
    const now = session();
    const { run = null, firstStep: first = null, past = null } = now ?? {};
    if (run === null || first === null || run.step <= first) return null;
    const look = this.#state;
    if (look.run !== run.number) {
      look.run = run.number;
      look.a = null;
      look.answers.clear();
    }
    const a = look.a ?? first;
    // Of steps before the first one there is no model.
    const lookedAt = past?.model?.step ?? null;
    const b = lookedAt ?? run.step;
    const steps = new Set([...stepsBetween(a, run.step), a, b]);
    const request = { ...state.ask, maxTokens: Math.min(ROW_TOKENS, state.ask.maxTokens) };
    const { probe } = state;
    return {
      run: run.number,
      a,
      b,
      isNewest: lookedAt === null,
      request,
      probe,
      steps: [...steps].sort((one, other) => one - other),
      newest: run.step,
      key: JSON.stringify([run.number, a, lookedAt, request, probe]),
    };
  }

  /** Why nothing can be compared. */
  #reason(now: Session | null): string {
    const { t, bytes } = this.#context.words;
    const { run = null, current = null } = now ?? {};
    if (now === null || current === null || run === null) return t('moments.none');
    if (!now.trains || current.text === null) return t('moments.writes');
    if (now.firstStep === null) {
      return t('moments.large', { size: bytes(STATE_BYTES * current.plan.parameters) });
    }
    return run.step <= now.firstStep ? t('moments.none') : '';
  }

  #questions({ steps, a, b, request, probe }: Plan): Question[] {
    const write = (step: number): Question => ({
      key: textKey(step, request),
      step,
      about: 'prompt',
      ask: (model) => model.sample(request),
    });
    const read = (step: number): Question[] => [
      {
        key: probeKey(step, probe),
        step,
        about: 'text',
        ask: (model) => model.probe(probe, PROBE_TOKENS),
      },
      {
        key: lossKey(step, probe),
        step,
        about: 'text',
        ask: (model) => model.analyse(probe, PROBE_TOKENS, false),
      },
    ];
    const both = [...new Set([a, b])];
    const others = steps.filter((step) => !both.includes(step));
    return [...both.flatMap((step) => [...read(step), write(step)]), ...others.map(write)];
  }

  #hasToAsk(plan: Plan): boolean {
    return this.#questions(plan).some((one) => this.#isOpen(one, plan));
  }

  #isOpen({ key, about }: Question, { newest }: Plan): boolean {
    return !this.#state.answers.has(key) && this.#failed[about]?.newest !== newest;
  }

  // ---- Asking -----------------------------------------------------------------------------------

  async #askAll(): Promise<void> {
    const plan = this.#wanted();
    if (plan === null || !this.#sight.visible()) return;
    const { signal } = (this.#round = new AbortController());
    this.#plan = plan;
    // All may be known already.
    this.#compare(plan);
    for (const question of this.#questions(plan)) {
      if (!this.#isOpen(question, plan)) continue;
      try {
        const answer = await this.#ask(question, signal);
        if (signal.aborted) return;
        this.#state.answers.set(question.key, answer);
        this.#failed[question.about] = undefined;
      } catch (thrown) {
        const error = asError(thrown);
        if (signal.aborted) return;
        // Somebody else's question came between: once more, when it is time.
        if (error.code === 'cancelled') {
          this.#paced.request();
          return;
        }
        this.#failed[question.about] = { error, newest: plan.newest };
      }
      this.#way = '';
      this.#compare(plan);
      if (this.#sight.visible()) this.#show();
      else return;
    }
    this.#forget(plan);
    // The run may have gone on.
    this.update();
  }

  async #ask({ step, ask }: Question, signal: AbortSignal): Promise<unknown> {
    const now = this.#context.session();
    const { run = null } = now ?? {};
    if (now === null || run === null) throw failure('cancelled', 'the run is gone');
    // The model that stands still need not be gone back to; nor is it to be written with by two.
    const isThere = step === run.step && run.state !== 'running';
    const isBusy = now.answers.last?.busy === true;
    const model =
      isThere && !isBusy
        ? now.trainer
        : await now.pastModel(step, { signal, onWay: this.#onWay(step, signal) });
    const answer = await ask(model);
    if (answer.step !== step || answer.cancelled === true) {
      throw failure('cancelled', 'the answer is of another step');
    }
    return answer;
  }

  /** Tells of a way that takes its time. */
  #onWay(step: number, signal: AbortSignal): (done: number) => void {
    const { t, number } = this.#context.words;
    return wayTo(step, ({ from, done, to }) => {
      if (signal.aborted) return;
      this.#way = t('moments.way', {
        step: number(to),
        done: number(done - from),
        count: to - from,
      });
      this.#show();
    });
  }

  #compare({ a, b, isNewest, probe }: Plan): void {
    const [first, second] = [this.#snapshotOf(a, probe), this.#snapshotOf(b, probe)];
    if (first !== null && second !== null) this.#pair = { a: first, b: second, isNewest, probe };
  }

  #snapshotOf(step: number, probe: string): Moment | null {
    const { answers } = this.#state;
    const attention = answers.get(probeKey(step, probe)) as Attention | undefined;
    const analysis = answers.get(lossKey(step, probe)) as Analysis | undefined;
    if (attention === undefined || analysis === undefined) return null;
    return { step, attention, tokens: analysis.tokens, meanLoss: analysis.meanLoss };
  }

  /** Keeps only what is shown: the newest step is another one all the time. */
  #forget(plan: Plan): void {
    const { answers } = this.#state;
    const asked = new Set(this.#questions(plan).map(({ key }) => key));
    for (const key of answers.keys()) if (!asked.has(key)) answers.delete(key);
  }

  // ---- Showing ----------------------------------------------------------------------------------

  #show(): void {
    this.#view.update(this.#data());
  }

  #data(): MomentsData {
    const { words, state, kept, session } = this.#context;
    const now = session();
    const plan = this.#plan;
    const nothing = { attention: null, losses: null, rows: [], isStale: false };
    const reason = this.#reason(now);
    const first = now?.firstStep ?? 0;
    const last = now?.run?.step ?? 0;
    const ends = { reason, first, last, way: this.#way };
    if (plan === null || reason !== '') {
      const errors = { prompt: '', text: '' };
      return {
        ...ends,
        ...nothing,
        errors,
        a: first,
        b: { step: last, isNewest: true },
        prompt: '',
      };
    }
    const { a, b, isNewest, request, steps, probe } = plan;
    const failed = this.#failed;
    // An empty field is no mistake worth a red line.
    const said = ({ error }: Partial<Failed> = {}): string =>
      error === undefined || error.code === 'empty' ? '' : messageOf(error, words);
    const pair = failed.text === undefined ? this.#pair : null;
    // The newest is another one all the time: that of the last answers is named.
    const shown = isNewest && pair?.isNewest === true ? pair.b.step : b;
    const head = state.head ?? kept(ClearestHead).place;
    return {
      ...ends,
      a,
      b: { step: shown, isNewest },
      prompt: request.prompt,
      isStale:
        pair !== null && (pair.a.step !== a || pair.b.step !== shown || pair.probe !== probe),
      errors: { prompt: said(failed.prompt), text: said(failed.text) },
      rows: failed.prompt === undefined ? steps.map((step) => this.#row(step, request)) : [],
      attention: pair === null ? null : headChange(pair.a.attention, pair.b.attention, head),
      losses: pair === null ? null : { ...pair, guessing: shownPlan(now)?.randomLoss ?? 1 },
    };
  }

  #row(step: number, request: SampleRequest): MomentsData['rows'][number] {
    const answer = this.#state.answers.get(textKey(step, request));
    return { step, text: (answer as { readonly text: string } | undefined)?.text ?? null };
  }
}

const textKey = (step: number, request: SampleRequest): string =>
  `text ${String(step)} ${JSON.stringify(request)}`;
const probeKey = (step: number, probe: string): string => `probe ${String(step)} ${probe}`;
const lossKey = (step: number, probe: string): string => `loss ${String(step)} ${probe}`;
