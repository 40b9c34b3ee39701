/**
 * Answers questions of a recording with the real engine, in Node. One trainer advances through the
 * requested states; it restarts for another recipe, another text or an earlier step.
 */
import { DirectTrainer } from '../../web/engine/direct.ts';
import { factsOf } from '../../web/engine/errors.ts';
import { isSampleStep } from '../../web/engine/schedule.ts';
import type { Origin, RunInfo, Snapshot, Trainer } from '../../web/engine/trainer.ts';
import { engineBytes } from '../node/load-engine.ts';
import type {
  Answer,
  Answers,
  GenerationCall,
  History,
  ModelState,
  Question,
  RecordedOrigin,
} from './question.ts';
import { textOf } from './values.ts';

/** The page's options for samples during training; see LIVE_SAMPLES in web/page/app.ts. */
const SAMPLES = { count: 6, maxTokens: 120 };

/** Methods that return a Blob; a recording stores its bytes. */
const OF_FILES: ReadonlySet<unknown> = new Set(['save', 'convert']);

export class EngineAnswers implements Answers {
  readonly #inputs: Map<string, Uint8Array<ArrayBuffer>>;
  #trainer: DirectTrainer | null = null;
  #model: ModelState | null = null;
  #info: RunInfo | null = null;
  #history: History | null = null;
  #held: string | null = null;
  #generation: readonly GenerationCall[] = [];
  /** Files made from their descriptions, by the digest of the description. */
  readonly #saved = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  #listed: string | null = null;
  /** Called with each snapshot, after the history is updated. */
  #arrived: () => void = () => undefined;

  /** `inputs`: texts and files by digest. */
  constructor(inputs: Map<string, Uint8Array<ArrayBuffer>>) {
    this.#inputs = inputs;
  }

  input(digest: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#inputs.set(digest, bytes);
    return Promise.resolve();
  }

  async ask(question: Question): Promise<Answer> {
    try {
      return { value: await this.#answer(question) };
    } catch (thrown) {
      const error = factsOf(thrown);
      // An unexpected error is a fault of the tests, not an answer.
      if (error.code === 'unexpected') throw thrown;
      return { error };
    }
  }

  close(): void {
    this.#trainer?.close();
    this.#trainer = null;
  }

  async #answer(question: Question): Promise<unknown> {
    const { call, model, text } = question;
    const [method, ...args] = call;
    if (model === null) {
      const trainer = this.#open();
      await this.#hold(trainer, text);
      return this.#call(trainer, call);
    }
    if (question.generation !== undefined) return this.#generate(question.generation);
    const trainer = await this.#reach(model);
    if (method === 'info') {
      // The number depends on the trainer's earlier runs.
      return { ...this.#info!, run: 0 };
    }
    if (method === 'history') return historyOf(this.#history!);
    await this.#hold(trainer, text);
    if (question.listed !== undefined) {
      const listed = textOf([model, question.listed]);
      if (this.#listed !== listed) await this.#call(trainer, ['tensors', ...question.listed]);
      this.#listed = listed;
    }
    const answer = await this.#call(trainer, [method, ...args]);
    if (!OF_FILES.has(method)) return answer;
    return new Uint8Array(await (answer as Blob).arrayBuffer());
  }

  async #call(trainer: Trainer, [method, ...args]: Question['call']): Promise<unknown> {
    const methods = trainer as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    return methods[method]!(...(await this.#arguments(args)));
  }

  /** Arguments of a call, with digests replaced by bytes. */
  #arguments(args: readonly unknown[]): Promise<unknown[]> {
    return Promise.all(args.map((arg) => this.#argument(arg)));
  }

  async #argument(arg: unknown): Promise<unknown> {
    if (Array.isArray(arg)) return this.#arguments(arg);
    if (typeof arg !== 'object' || arg === null) return arg;
    if ('digest' in arg) return this.#bytes(arg.digest as string);
    if ('filesOf' in arg) return (await this.#origin(arg.filesOf as RecordedOrigin)).files;
    if ('origin' in arg) return this.#origin(arg.origin as RecordedOrigin);
    return arg;
  }

  /** The bytes of an input; a file that a recorded trainer only described is made by an engine. */
  async #bytes(digest: string): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = this.#inputs.get(digest);
    if (bytes === undefined) throw new Error(`no input has the digest ${digest}`);
    if (!isDescription(bytes)) return bytes.slice();
    this.#saved.set(digest, this.#saved.get(digest) ?? this.#save(bytes));
    return (await this.#saved.get(digest)!).slice();
  }

  async #save(description: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    const { model, form, note } = JSON.parse(new TextDecoder().decode(description)) as {
      readonly model: ModelState;
      readonly form: string;
      readonly note: string;
    };
    const other = new EngineAnswers(this.#inputs);
    try {
      return (await other.#answer({
        text: null,
        model,
        call: ['save', form, note],
      })) as Uint8Array<ArrayBuffer>;
    } finally {
      other.close();
    }
  }

  async #origin({ purpose, form, files, parts = {} }: RecordedOrigin): Promise<Origin> {
    const all = (named: RecordedOrigin['files']) =>
      Promise.all(
        Object.entries(named).map(
          async ([name, one]) => [name, one === null ? null : await this.#bytes(one)] as const,
        ),
      );
    const read = Object.fromEntries(await all(files)) as unknown as Origin['files'];
    const named = new Map(await all(parts)) as Origin['files']['parts'] & {};
    return {
      purpose,
      files: form === undefined ? read : ({ ...read, form, parts: named } as Origin['files']),
    };
  }

  #open(): DirectTrainer {
    this.#trainer ??= new DirectTrainer(engineBytes('wasm-questions'), { slice: 1000 });
    return this.#trainer;
  }

  async #hold(trainer: Trainer, text: string | null): Promise<void> {
    if (text === null || this.#held === text) return;
    await trainer.setText(await this.#bytes(text));
    this.#held = text;
  }

  /** A trainer whose run is in the state `wanted`. */
  async #reach(wanted: ModelState): Promise<DirectTrainer> {
    const trainer = this.#isAhead(wanted) ? await this.#prepare(wanted) : this.#open();
    const done = this.#model!.changes.length;
    for (const [step, option, value] of wanted.changes.slice(done)) {
      await this.#train(trainer, step);
      await trainer.set(option, value);
    }
    if (wanted.step >= 0) await this.#train(trainer, wanted.step);
    this.#model = { ...wanted, step: this.#history?.step ?? wanted.step };
    return trainer;
  }

  /** Whether the current run is past the state `wanted`, is a different run, or is missing. */
  #isAhead(wanted: ModelState): boolean {
    const now = this.#model;
    if (this.#trainer === null || now === null) return true;
    const made = ({ text, recipe, origin }: ModelState): string => textOf([text, recipe, origin]);
    if (made(now) !== made(wanted)) return true;
    const passed = now.changes.some((one, at) => textOf(one) !== textOf(wanted.changes[at]));
    const next = wanted.changes[now.changes.length]?.[0] ?? Infinity;
    // A diverged run stays at its last step, at which it had not diverged yet.
    const last = now.step + (this.#history?.state === 'diverged' ? 1 : 0);
    return passed || Math.min(wanted.step, next) < last;
  }

  async #prepare({ text, recipe, origin }: ModelState): Promise<DirectTrainer> {
    this.close();
    const trainer = this.#open();
    this.#history = null;
    [this.#held, this.#listed, this.#generation] = [null, null, []];
    trainer.subscribe((snapshot) => {
      this.#history = joined(this.#history, snapshot);
      this.#arrived();
    });
    await trainer.watch({ attention: null, samples: SAMPLES });
    await this.#hold(trainer, text);
    const from = origin === null ? undefined : await this.#origin(origin);
    this.#info = await trainer.prepare(recipe, from);
    this.#model = { text, recipe, origin, changes: [], step: this.#info.step };
    return trainer;
  }

  async #train(trainer: DirectTrainer, until: number): Promise<void> {
    const rests = (): boolean => this.#history!.state !== 'running';
    if (this.#history!.step >= until || this.#history!.state === 'diverged') return;
    const ended = new Promise<void>((resolve) => {
      this.#arrived = () => {
        if (rests()) resolve();
      };
    });
    await trainer.start(until);
    await ended;
  }

  /** The state of a generation after the last of `calls`. */
  async #generate(calls: readonly GenerationCall[]): Promise<unknown> {
    const last = calls.at(-1)!;
    const before = calls.slice(0, -1);
    const isNext = before.length > 0 && textOf(this.#generation) === textOf(before);
    if (!isNext || this.#isAhead(last.model)) {
      this.#generation = [];
      for (const { model, call } of before) await this.#call(await this.#reach(model), call);
    }
    const trainer = await this.#reach(last.model);
    const answer = await this.#call(trainer, last.call);
    this.#generation = calls;
    // The number depends on the trainer's earlier generations.
    return { ...(answer as object), generation: 0 };
  }
}

/** Whether the bytes are a whole description of a file; see `save` of the recorded trainer. */
export function isDescription(bytes: Uint8Array<ArrayBuffer>): boolean {
  const ends = [...bytes.subarray(0, 9), ...bytes.subarray(-1)];
  return new TextDecoder().decode(Uint8Array.from(ends)) === '{"model":}';
}

/**
 * The history without samples at incidental stops of the engine; a diverging run stops within a
 * step.
 */
function historyOf(history: History): History {
  const last = history.state === 'diverged' ? null : history.step;
  const samples = history.samples.filter(({ step }) => isSampleStep(step) || step === last);
  return { ...history, samples };
}

/** Appends a snapshot to the history, without machine-dependent numbers. */
function joined(history: History | null, snapshot: Snapshot): History {
  const add = (name: 'losses' | 'learningRates' | 'gradientNorms'): Float64Array<ArrayBuffer> => {
    const before = history?.[name] ?? [];
    return Float64Array.from([...before, ...snapshot[name]]);
  };
  return {
    state: snapshot.state,
    step: snapshot.step,
    steps: snapshot.steps,
    learningRate: snapshot.learningRate,
    gradientNorm: snapshot.gradientNorm,
    losses: add('losses'),
    learningRates: add('learningRates'),
    gradientNorms: add('gradientNorms'),
    validations: [...(history?.validations ?? []), ...snapshot.validations],
    memorised: [...(history?.memorised ?? []), ...snapshot.memorised],
    samples: [...(history?.samples ?? []), ...snapshot.samples],
    error: snapshot.error,
  };
}
