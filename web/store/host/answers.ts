/** Answers the questions of a host. Loaded at the first one. */
import { asError, failure, GlasshouseError } from '../../engine/errors.ts';
import type { Call } from '../../engine/interface/call.ts';
import { wrongOf } from '../../engine/interface/check.ts';
import type { FileSource } from '../../engine/interface/files.ts';
import { plainWeights } from '../../engine/plain-weights.ts';
import { readingsOf } from '../../engine/read-text.ts';
import { invoke } from '../../engine/remote.ts';
import type { Method, Question } from '../../engine/remote.ts';
import { listOf } from '../../engine/text-bytes.ts';
import type { Model, VisitOptions } from '../../engine/past-run.ts';
import type { SampleResult, Tensors, Trainer } from '../../engine/trainer.ts';
import type { StartSecond } from '../questions.ts';
import type { Store } from '../store.ts';
import { noteOfText } from '../text/texts.ts';
import type { Session } from '../training/session.ts';
import { KeptTrace } from '../training/kept-trace.ts';
import { QUESTIONS } from './host.ts';
import type { Asked, Questions, Status } from './host.ts';

/** The parts of an app that answers need. */
export interface App {
  readonly store: Store;
  readonly status: () => Status;
  /** Starts an engine for files of other programs; null in forms without it. */
  readonly startQuestions: StartSecond | null;
  /** The app's only object of a class. */
  readonly kept: (Make: typeof KeptTrace) => KeptTrace;
}

interface Answering extends App {
  readonly session: Session;
}

type Name = keyof Questions;
type Answer<Of extends Name> = (
  parts: Answering,
  args: Parameters<Questions[Of]>,
  asked: Asked,
) => ReturnType<Questions[Of]>;
/** An answer whose arguments are checked. */
type Checked = (parts: Answering, args: readonly unknown[], asked: Asked) => Promise<unknown>;

const GONE = 'the app was removed';
const CANCELLED = 'the call was cancelled';

/** Makes one of QUESTIONS; rejects with `host-call` if the name or an argument is wrong. */
export async function answer(
  app: App,
  name: string,
  args: readonly unknown[],
  asked: Asked,
): Promise<unknown> {
  const { session, state } = app.store;
  if (session === null) throw asError(state.loadError ?? failure('worker', GONE));
  if (!isQuestion(name)) throw failure('host-call', `there is no call ${name}`, [], name);
  const call: Call = QUESTIONS[name];
  const wrong = wrongOf(name, call.args, args);
  if (wrong !== null) throw failure('host-call', wrong.message, [], wrong.subject);
  const { at, signal, onProgress } = asked;
  if (signal?.aborted === true) throw failure('cancelled', CANCELLED);
  if (at !== undefined && (call.atAnyStep !== true || !Number.isSafeInteger(at) || at < 0)) {
    throw failure('host-call', `${name} cannot be asked at ${String(at)}`, [], 'at');
  }
  const progress = call.args.findIndex((arg) => arg.endsWith(': progress'));
  const given = [...args];
  if (progress >= 0) given[progress] ??= onProgress;
  const answering = answerOf(name)({ ...app, session }, given, asked);
  return signal === undefined ? answering : Promise.race([answering, aborted(signal)]);
}

function isQuestion(name: string): name is Name {
  return Object.hasOwn(QUESTIONS, name);
}

/**
 * Asks the model of `step`, by default the newest; makes a run if none exists. `isOfTrainer`: only
 * the engine that trains can answer about the newest step.
 */
function askModel<Value>(
  session: Session,
  step: number | undefined,
  isOfTrainer: boolean,
  ask: (model: Model) => Promise<Value>,
  options: VisitOptions,
): Promise<Value> {
  return session.questions.hold(async () => {
    await session.whenReady();
    const isLive = isOfTrainer && step === undefined;
    return ask(isLive ? session.trainer : await session.modelAt(step ?? null, options));
  });
}

/** Answers with the engine that trains, or an engine with the model of another step. */
const askEngine =
  (name: Method): Checked =>
  ({ session }, args, { at, signal }) => {
    if ((QUESTIONS[name as Name] as Call).atAnyStep !== true) {
      return invoke(session.trainer, name, args);
    }
    const ask = (model: Model): Promise<unknown> => invoke(model, name as Question, args);
    return askModel(session, at, false, ask, { signal });
  };

/** Answers with an engine that has the index of the training text. */
const askTrace =
  (name: 'trace' | 'yardsticks'): Checked =>
  async ({ session, startQuestions, kept }, args) => {
    await session.whenReady();
    const trace = kept(KeptTrace).of({ session: () => session, startQuestions });
    if (trace === null || trace.refusal !== null) {
      throw trace?.refusal ?? failure('questions', 'this form looks no texts up');
    }
    return trace.ask((trainer) => invoke(trainer, name, args));
  };

/** Answers with an engine of its own, which reads and writes files of other programs. */
const askOfFile =
  (name: 'convert' | 'measure' | 'inspect'): Checked =>
  async ({ startQuestions }, args) => {
    if (startQuestions === null) throw failure('questions', 'this form has no other formats');
    const fresh = async (): Promise<Trainer> => (await startQuestions()).trainer;
    const trainer = await fresh();
    try {
      const [file, ...rest] = args;
      const given =
        name === 'inspect' ? file : await plainWeights(file as FileSource, trainer, fresh);
      return await invoke(trainer, name, [given, ...rest]);
    } finally {
      trainer.close();
    }
  };

/** Trains to a step; see Questions.train. */
const train: Answer<'train'> = async ({ session, store, status }, [until], { signal }) => {
  const goal = until ?? Infinity;
  if ((session.run?.step ?? 0) >= goal) return status();
  const pause = (): void => {
    session.pause();
  };
  signal?.addEventListener('abort', pause, { once: true });
  try {
    store.start(until);
    // Training begins once a text is here.
    await store.reaches(() => !store.state.awaitsText);
    await session.settled;
    // The engine trains past the goal if it had passed it before the call came.
    const stops = store.reaches(() => session.run?.state !== 'running' || session.run.step >= goal);
    const closed = session.trainer.closed.then(() => {
      throw failure('worker', GONE);
    });
    await Promise.race([stops, closed]);
  } finally {
    signal?.removeEventListener('abort', pause);
  }
  const now = status();
  if (now.state === 'finished' || now.step >= goal) return now;
  if (now.error !== null) throw new GlasshouseError(now.error);
  throw failure('paused', `the run was paused at step ${String(now.step)}`, [now.step]);
};

/** Saves a model, or the whole run. */
const save: Answer<'save'> = async ({ session, store }, [form, note], { at, signal }) => {
  if (form !== 'run') {
    const said = note ?? noteOfText(store.state.source);
    return askModel(session, at, true, (model) => model.save(form, said), { signal });
  }
  if (at !== undefined) throw failure('host-call', 'a whole run is of its newest step', [], 'at');
  await session.whenReady();
  const run = await store.runs.file(null, true);
  if (run !== null) return run.file;
  throw failure('questions', 'this form saves no runs', [], 'run');
};

const OWN: { readonly [Of in Name]?: Answer<Of> } = {
  train,
  sample: ({ session }, [request, onText], { at, signal }) => {
    // A request of the reader waits for this one instead of cancelling it.
    const whole = { whole: true, ...request };
    const ask = (model: Model): Promise<SampleResult> => model.sample(whole, onText);
    return askModel(session, at, false, ask, { signal });
  },
  tensors: ({ session }, [text, gradients], { at, signal }) => {
    const ask = (model: Model): Promise<Tensors> => model.tensors(text, gradients);
    // A copy of the weights has no gradients.
    return askModel(session, at, gradients, ask, { signal });
  },
  receipt: ({ session }, _args, { at, signal }) =>
    askModel(session, at, true, (model) => model.receipt(), { signal }),
  save,
  verify: async ({ session, store }, [json, text, onProgress]) => {
    const given = text === undefined ? await store.actions.readBytes() : (text as Uint8Array);
    // The engine takes ownership of the buffers, so it gets copies.
    const texts = listOf<Uint8Array | string>(given).flatMap(readingsOf);
    return session.trainer.verify(
      json,
      texts.map((one) => one.slice()),
      onProgress,
    );
  },
  fork: async ({ session, store }, [step, changes]) => {
    await session.whenReady();
    const anew = session.pending().includes('text') ? { name: String(step) } : null;
    await store.giveFork({ step, changes: changes ?? {}, anew });
  },
  open: ({ store }, [file, name]) => store.openFile(asFile(file, name)),
  lookAt: async ({ session, store }, [step]) => {
    await session.whenReady();
    store.actions.onLookAt(step ?? null);
  },
};

function answerOf(name: Name): Checked {
  switch (name) {
    case 'trace':
    case 'yardsticks':
      return askTrace(name);
    case 'convert':
    case 'measure':
    case 'inspect':
      return askOfFile(name);
    default:
      return (OWN[name] as Checked | undefined) ?? askEngine(name as Method);
  }
}

function asFile(file: FileSource, name: string | undefined): File {
  if (file instanceof File && name === undefined) return file;
  return new File([file], name ?? 'file');
}

/** Rejects when the signal is given. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => {
      reject(failure('cancelled', CANCELLED));
    };
    signal.addEventListener('abort', end, { once: true });
  });
}
