/**
 * A trainer that answers from a recording of the real trainer. It keeps its run's state as a
 * description (text, recipe, changes, step); all other numbers come from `Answers`. Training takes
 * no time: a run reaches its next stop at once, or stops at the step that the test requests.
 */
import { GlasshouseError, failure } from '../../web/engine/errors.ts';
import type { WantedRecipe } from '../../web/engine/options.ts';
import { isSampleStep } from '../../web/engine/schedule.ts';
import { CALLS } from '../../web/engine/trainer.ts';
import type {
  Attention,
  Checkpoint,
  FileSource,
  GenerationState,
  KeptMoment,
  ModelFiles,
  Origin,
  RunHistory,
  RunInfo,
  RunState,
  SampleResult,
  Snapshot,
  Trainer,
  WantedSample,
  Watch,
  WayBack,
} from '../../web/engine/trainer.ts';
import type {
  Answers,
  GenerationCall,
  History,
  ModelState,
  Question,
  RecordedOrigin,
} from './question.ts';
import { Control } from './control.ts';
import { DEPENDS } from './dependence.ts';
import type { Dependence } from './dependence.ts';
import { describedModel } from './described-model.ts';
import { digest, textOf } from './values.ts';

/** The trainers of one page, which a test advances together. */
export class Trainers {
  readonly control = new Control();
  readonly #answers: Answers;
  readonly #open = new Set<RecordedTrainer>();

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  open(): Trainer {
    const trainer = new RecordedTrainer(this.#answers, this.control);
    this.#open.add(trainer);
    void trainer.closed.then(() => this.#open.delete(trainer));
    return trainer.asTrainer();
  }

  /** The number of open trainers. */
  get count(): number {
    return this.#open.size;
  }

  /** Advances every training run to `step`, or to its end if earlier. */
  async advance(step: number): Promise<void> {
    for (const trainer of this.#open) await trainer.advance(step);
  }
}

export class RecordedTrainer {
  readonly #answers: Answers;
  readonly #control: Control;
  readonly #listeners = new Set<(snapshot: Snapshot) => void>();
  #queue: Promise<unknown> = Promise.resolve();
  #text: string | null = null;
  #textGiven: Promise<void> = Promise.resolve();
  #model: ModelState | null = null;
  #state: RunState = 'none';
  #until = Infinity;
  #run = 0;
  #steps = 0;
  #watch: Watch = { attention: null, samples: null };
  /** The last step covered by snapshots; -1 before the first. */
  #told = -1;
  #error: Snapshot['error'] = null;
  #attentionKey = '';
  #listed: readonly unknown[] = [];
  #generation: readonly GenerationCall[] = [];
  #texts = 0;
  #keepsMoments = false;
  #way = new AbortController();
  #sampling: { cancelled: boolean } | null = null;
  #close: () => void = () => undefined;
  readonly closed = new Promise<void>((resolve) => (this.#close = resolve));

  constructor(answers: Answers, control: Control) {
    this.#answers = answers;
    this.#control = control;
  }

  /** This object with every method of the interface. */
  asTrainer(): Trainer {
    const methods: Record<string, unknown> = {};
    const serial =
      (method: string, act: (...args: never[]) => Promise<unknown>) =>
      (...args: unknown[]): Promise<unknown> => {
        const result = this.#later(() => {
          const code = this.#control.failing.get(method);
          if (code !== undefined) throw failure(code, `${method} fails in this test`);
          return act(...(args as never[]));
        });
        return result.then(async (value) => {
          await this.#control.waitFor(method);
          return value;
        });
      };
    const ask =
      (method: string, context: (args: unknown[]) => Partial<Question>) =>
      (...args: unknown[]): Promise<unknown> =>
        this.#ask({ ...context(args), call: [method, ...args.filter(isData)] });
    const contexts = {
      arguments: () => ({}),
      text: () => ({ text: this.#text }),
      model: () => ({ text: this.#text, model: this.#current() }),
    };
    const own = this as unknown as Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;
    const kinds: Readonly<Record<string, Dependence>> = DEPENDS;
    for (const method of Object.keys(CALLS)) {
      const kind = kinds[method] ?? 'model';
      const heard = (...args: unknown[]): void => void this.#control.calls.push([method, ...args]);
      if (method in this) methods[method] = serial(method, own[method]!.bind(this));
      else if (kind === 'nothing') {
        methods[method] = (...args: unknown[]) => Promise.resolve(heard(...args));
      } else {
        const answer = ask(method, contexts[kind]);
        methods[method] = serial(method, (...args: unknown[]) => {
          if (kind === 'text') heard(...args);
          return answer(...args);
        });
      }
    }
    return {
      ...methods,
      closed: this.closed,
      // Methods that bypass the queue of calls.
      subscribe: (listener: (snapshot: Snapshot) => void) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      sample: this.#sample.bind(this),
      giveUpWay: () => {
        this.#way.abort();
        return Promise.resolve();
      },
      cancelSample: () => {
        if (this.#sampling !== null) this.#sampling.cancelled = true;
        this.#control.release('sample');
        return Promise.resolve();
      },
      close: () => {
        this.#listeners.clear();
        this.#close();
      },
    } as unknown as Trainer;
  }

  async #ask<Value>(question: Partial<Question> & Pick<Question, 'call'>): Promise<Value> {
    await this.#textGiven;
    const answer = await this.#answers.ask({ text: null, model: null, ...question });
    if ('error' in answer) throw new GlasshouseError(answer.error);
    return answer.value as Value;
  }

  #current(): ModelState {
    if (this.#model === null) throw failure('state', 'there is no model yet', [], 'prepare');
    return this.#model;
  }

  // ---- Texts and models -------------------------------------------------------------------------

  setText(text: Uint8Array<ArrayBuffer> | string): Promise<void> {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    this.#text = digest(bytes);
    this.#textGiven = this.#answers.input(this.#text, bytes);
    return this.#textGiven;
  }

  async plan(recipe: WantedRecipe | null, origin?: Origin): Promise<unknown> {
    const from = origin === undefined ? [] : [{ origin: await this.#origin(origin) }];
    return this.#ask({ text: this.#text, call: ['plan', recipe, ...from] });
  }

  async prepare(recipe: WantedRecipe | null, origin?: Origin): Promise<RunInfo> {
    const described = origin === undefined ? null : await describedModel(origin);
    const isOfRun = recipe === null || origin?.history !== undefined;
    if (described !== null && isOfRun) return this.#resume(described, origin?.history);
    const from = origin === undefined ? null : await this.#origin(origin);
    const model = { text: this.#text, recipe, origin: from, changes: [], step: -1 };
    const info = await this.#ask<RunInfo>({ text: this.#text, model, call: ['info'] });
    this.#begin({ ...model, step: info.step }, info.steps);
    this.#state = info.step === 0 ? 'ready' : info.step >= info.steps ? 'finished' : 'paused';
    await this.#publish();
    return { ...info, run: this.#run };
  }

  /** Continues the run of another recorded trainer: to show a step, or to train on. */
  async #resume(model: ModelState, history: RunHistory | undefined): Promise<RunInfo> {
    const asked = { text: model.text, model: { ...model, changes: [], step: -1 } };
    const info = await this.#ask<RunInfo>({ ...asked, call: ['info'] });
    this.#begin(model, info.steps);
    this.#state = model.step >= info.steps ? 'finished' : 'paused';
    // A run without its history reports no earlier steps.
    if (history === undefined) this.#told = model.step;
    else await this.#publish();
    return { ...info, step: model.step, run: this.#run };
  }

  #begin(model: ModelState, steps: number): void {
    this.#model = model;
    this.#run++;
    this.#steps = steps;
    this.#told = -1;
    this.#error = null;
    this.#attentionKey = '';
    this.#generation = [];
  }

  async #origin({ files, purpose }: Origin): Promise<RecordedOrigin> {
    const { form, parts, ...sources } = files as ModelFiles & Record<string, unknown>;
    const digests: Record<string, string | null> = {};
    for (const [name, source] of Object.entries(sources)) {
      digests[name] = source === null || source === undefined ? null : await this.#input(source);
    }
    const origin = { purpose, files: digests, ...(form === undefined ? {} : { form }) };
    // A weights-only file names no other files.
    if (parts === undefined || form === undefined || form === 'safetensors') return origin;
    const named: Record<string, string> = {};
    for (const [name, source] of parts) named[name] = await this.#input(source);
    return { ...origin, parts: named };
  }

  /** The digest of a file; registers its bytes. */
  async #input(source: unknown): Promise<string> {
    const bytes =
      source instanceof Blob
        ? new Uint8Array(await source.arrayBuffer())
        : (source as Uint8Array<ArrayBuffer>);
    const name = digest(bytes);
    await this.#answers.input(name, bytes);
    return name;
  }

  // ---- Training ---------------------------------------------------------------------------------

  async start(until = Infinity): Promise<void> {
    this.#current();
    if (this.#state === 'diverged') return;
    this.#until = until;
    const isOver = this.#current().step >= this.#steps;
    this.#state = isOver ? 'finished' : 'running';
    await this.#publish();
    if (!isOver && !this.#control.stepwise)
      this.#later(() => this.advance(Infinity)).catch(reportError);
  }

  /** Runs `act` after the pending calls. */
  #later<Result>(act: () => Promise<Result>): Promise<Result> {
    const done = this.#queue.then(act);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async advance(step: number): Promise<void> {
    if (this.#state !== 'running') return;
    const ended = await this.#go(Math.min(step, this.#until, this.#steps));
    if (!ended && this.#current().step >= this.#until) this.#state = 'paused';
    await this.#publish();
  }

  /** Moves the run to `step`; returns whether it has ended there. */
  async #go(step: number): Promise<boolean> {
    const history = await this.#history({ ...this.#current(), step });
    const { step: reached, state } = history;
    this.#error = history.error;
    this.#model = { ...this.#current(), step: reached };
    const ended = state === 'diverged' || state === 'finished';
    if (ended) this.#state = state;
    return ended;
  }

  async pause(): Promise<void> {
    if (this.#state !== 'running') return;
    this.#state = 'paused';
    await this.#publish();
  }

  async step(): Promise<void> {
    const { step } = this.#current();
    if (this.#state === 'diverged' || step >= this.#steps) return;
    this.#state = 'paused';
    await this.#go(step + 1);
    await this.#publish();
  }

  async rewind(): Promise<number> {
    const { changes, ...rest } = this.#current();
    // Changed options keep their values.
    const values = new Map(changes.map(([, option, value]) => [option, value]));
    const kept = [...values].map(([option, value]) => [0, option, value] as const);
    this.#begin({ ...rest, changes: kept, step: 0 }, this.#steps);
    this.#state = 'ready';
    await this.#publish();
    return this.#run;
  }

  async set(option: string, value: number): Promise<void> {
    const { changes, step } = this.#current();
    this.#model = { ...this.#current(), changes: [...changes, [step, option, value]] };
    this.#steps = (await this.#history(this.#model)).steps;
    if (this.#state === 'finished' && step < this.#steps) this.#state = 'paused';
    await this.#publish();
  }

  #history(model: ModelState): Promise<History> {
    return this.#ask<History>({ text: model.text, model, call: ['history'] });
  }

  async watch(watch: Watch): Promise<void> {
    this.#watch = watch;
    if (this.#model !== null) await this.#publish();
  }

  /** Sends listeners the changes since the last snapshot. */
  async #publish(): Promise<void> {
    const model = this.#current();
    if (this.#listeners.size === 0) return;
    const history = await this.#history(model);
    const from = this.#told;
    const isNew = ({ step }: { readonly step: number }): boolean => step > from;
    const fresh = Math.max(0, from);
    const { attentions, attentionError } = await this.#attentions(from, model);
    this.#told = model.step;
    const snapshot: Snapshot = {
      ...history,
      // A run that stops with an error could also have been paused at that step.
      error: this.#error,
      run: this.#run,
      state: this.#state,
      step: model.step,
      threads: 1,
      // A fixed speed: the machine's speed is not recorded.
      ...{ tokensPerSecond: 10_000, stepsPerSecond: 100 },
      lossesFrom: fresh,
      losses: history.losses.slice(fresh),
      learningRates: history.learningRates.slice(fresh),
      gradientNorms: history.gradientNorms.slice(fresh),
      validations: history.validations.filter(isNew),
      memorised: history.memorised.filter(isNew),
      samples: history.samples.filter(isNew),
      ...{ attentions, attentionError },
    };
    for (const listener of this.#listeners) listener(snapshot);
  }

  /** Attention at the sample steps after `from`, and at the current step. */
  async #attentions(
    from: number,
    model: ModelState,
  ): Promise<Pick<Snapshot, 'attentions' | 'attentionError'>> {
    const { attention } = this.#watch;
    const none = { attentions: [], attentionError: null };
    if (attention === null) return none;
    const key = textOf([this.#run, model.step, attention.text, attention.maxTokens]);
    if (key === this.#attentionKey) return none;
    this.#attentionKey = key;
    const steps = [];
    for (let step = from + 1; from >= 0 && step < model.step; step++) {
      if (isSampleStep(step)) steps.push(step);
    }
    const attentions: Attention[] = [];
    for (const step of [...steps, model.step]) {
      const call = ['probe', attention.text, attention.maxTokens] as const;
      const asked = { text: this.#text, model: { ...model, step }, call };
      const answer = await this.#answers.ask(asked);
      if ('error' in answer) return { attentions: [], attentionError: answer.error };
      attentions.push(answer.value as Attention);
    }
    return { attentions, attentionError: null };
  }

  // ---- Writing ----------------------------------------------------------------------------------

  async #sample(
    { whole: isWhole = false, ...request }: WantedSample,
    onText?: (text: string) => void,
  ): Promise<SampleResult> {
    const sampling = { cancelled: false };
    if (!isWhole) this.#sampling = sampling;
    const whole = await this.#later(() => {
      const model = this.#current();
      return this.#ask<SampleResult>({ model, call: ['sample', request] });
    });
    await this.#control.waitFor('sample');
    // The generation may have been cancelled during the question.
    const { cancelled } = sampling as { readonly cancelled: boolean };
    if (cancelled) return { ...whole, text: '', tokens: 0, ended: false, cancelled: true };
    onText?.(whole.text);
    return whole;
  }

  async #generate(...call: GenerationCall['call']): Promise<GenerationState> {
    const model = this.#current();
    const isFirst = call[0] === 'beginGeneration';
    if (isFirst) this.#texts++;
    else if (this.#generation.length === 0) throw failure('state', 'no text is being written');
    const generation = [...(isFirst ? [] : this.#generation), { model, call }];
    const state = await this.#ask<GenerationState>({ model, generation, call });
    this.#generation = generation;
    return { ...state, generation: this.#texts };
  }

  beginGeneration(request: object): Promise<GenerationState> {
    return this.#generate('beginGeneration', request);
  }

  nextToken(): Promise<GenerationState> {
    return this.#generate('nextToken');
  }

  takeToken(id: number): Promise<GenerationState> {
    return this.#generate('takeToken', id);
  }

  undoToken(): Promise<GenerationState> {
    return this.#generate('undoToken');
  }

  adjustSampling(sampling: object): Promise<GenerationState> {
    return this.#generate('adjustSampling', sampling);
  }

  endGeneration(): Promise<void> {
    this.#generation = [];
    return Promise.resolve();
  }

  // ---- Looking inside ---------------------------------------------------------------------------

  async tensors(...listed: [text: string, gradients: boolean]): Promise<unknown> {
    const call = ['tensors', ...listed] as const;
    const tensors = await this.#ask({ text: this.#text, model: this.#current(), call });
    this.#listed = listed;
    return tensors;
  }

  tensor(index: number, slice: object): Promise<unknown> {
    const asked = { text: this.#text, model: this.#current(), listed: this.#listed };
    return this.#ask({ ...asked, call: ['tensor', index, slice] });
  }

  indexText(onProgress?: (share: number) => void): Promise<void> {
    this.#current();
    onProgress?.(1);
    return Promise.resolve();
  }

  // ---- The past ---------------------------------------------------------------------------------

  keepMoments(bytes: number): Promise<void> {
    this.#keepsMoments = bytes > 0;
    return Promise.resolve();
  }

  giveMoments(_: readonly KeptMoment[]): Promise<number> {
    return Promise.resolve(0);
  }

  moments(): Promise<readonly number[]> {
    const { step } = this.#current();
    const { stride } = this.#control;
    const kept = this.#keepsMoments ? Math.floor(step / stride) + 1 : 0;
    return Promise.resolve(Array.from({ length: kept }, (_, at) => at * stride));
  }

  /** The stored state is the model's description instead of its bytes. */
  wayBack(step: number): Promise<WayBack> {
    const { changes, ...model } = this.#current();
    if (!this.#keepsMoments) throw failure('past', 'no moments are kept', [step, model.step]);
    const then = { ...model, step, changes: changes.filter(([at]) => at < step) };
    const moment = new Uint8Array(new TextEncoder().encode(JSON.stringify(then)));
    const from = step - (step % this.#control.stride);
    return Promise.resolve({ step, from, moment, changes: [] });
  }

  /** Recomputes a step; while a test holds `goBack`, stays at the first recomputed step. */
  async goBack(
    { moment, step, from }: WayBack,
    onProgress?: (step: number) => void,
  ): Promise<void> {
    const now = this.#current();
    const { signal } = (this.#way = new AbortController());
    while (from < step && this.#control.held.has('goBack')) {
      onProgress?.(from + 1);
      await new Promise(requestAnimationFrame);
      if (signal.aborted) throw failure('cancelled', 'another step is looked at now');
    }
    const then =
      moment === null
        ? { ...now, step }
        : (JSON.parse(new TextDecoder().decode(moment)) as ModelState);
    this.#begin(then, this.#steps);
    this.#state = 'paused';
    onProgress?.(step);
    // The run's own trainer has reported earlier steps.
    this.#told = step - 1;
    await this.#publish();
  }

  // ---- Files and receipts -----------------------------------------------------------------------

  async inspect(files: ModelFiles): Promise<unknown> {
    const origin = await this.#origin({ files, purpose: 'generate' });
    return this.#ask({ model: this.#model, call: ['inspect', { filesOf: origin }] });
  }

  async save(form: string, note: string): Promise<Blob> {
    const model = this.#current();
    // Files for another trainer would be the largest answers: the engine makes them again.
    const isPassedOn = form === 'checkpoint' || (form === 'weights' && note === '');
    if (isPassedOn) return new Blob([JSON.stringify({ model, form, note })]);
    return new Blob([
      await this.#ask<Uint8Array<ArrayBuffer>>({ model, call: ['save', form, note] }),
    ]);
  }

  async convert(weights: FileSource, form: string, said: object = {}): Promise<Blob> {
    const file = { digest: await this.#input(weights) };
    const call = ['convert', file, form, said] as const;
    return new Blob([await this.#ask<Uint8Array<ArrayBuffer>>({ model: this.#current(), call })]);
  }

  async measure(weights: FileSource, form: string): Promise<unknown> {
    const file = { digest: await this.#input(weights) };
    return this.#ask({ model: this.#current(), call: ['measure', file, form] });
  }

  translate(): Promise<never> {
    return Promise.reject(new Error('files of other programs are tested on the page'));
  }

  /** A checkpoint whose file describes the state of the run. */
  async checkpoint(note: string): Promise<Checkpoint> {
    const model = this.#current();
    const { losses, learningRates, gradientNorms, ...history } = await this.#history(model);
    return {
      file: new Blob([JSON.stringify({ model, form: 'checkpoint', note })]),
      history: {
        ...{ validations: history.validations, memorised: history.memorised },
        samples: history.samples,
        losses: Float32Array.from(losses),
        learningRates: Float32Array.from(learningRates),
        gradientNorms: Float32Array.from(gradientNorms),
      },
      ...{ run: this.#run, state: this.#state, step: model.step, steps: this.#steps, cost: 0 },
    };
  }

  async verify(
    json: string,
    text: Uint8Array<ArrayBuffer> | readonly Uint8Array<ArrayBuffer>[],
  ): Promise<unknown> {
    const texts = text instanceof Uint8Array ? [text] : text;
    const digests = [];
    for (const one of texts) digests.push({ digest: await this.#input(one) });
    return this.#ask({ model: this.#current(), call: ['verify', json, digests] });
  }
}

/** Whether an argument is data rather than a listener. */
const isData = (arg: unknown): boolean => typeof arg !== 'function' && arg !== undefined;
