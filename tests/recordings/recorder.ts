/**
 * Recordings on disk. The repository contains the questions and a digest of each answer;
 * build/recordings contains the answers, which the engine renews when it or the questions change.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { engineFile } from '../node/load-engine.ts';
import { EngineAnswers, isDescription } from './engine-answers.ts';
import type { Question } from './question.ts';
import { digest, fromBase64, pack, textOf, toBase64, unpack } from './values.ts';

const root = join(import.meta.dirname, '../..');
const questionsFile = (name: string): string =>
  join(import.meta.dirname, 'data', `${name}.json.gz`);
export const answersFile = (name: string): string =>
  join(root, 'build/recordings', `${name}.json.gz`);

/** The content of a recording's file, compressed JSON. */
interface RecordedQuestions {
  /** Texts and files named in questions, by digest, except sample texts and saved files. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly questions: readonly (readonly [question: unknown, answer: string])[];
}

const read = (file: string): unknown => JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));

/** Creates a folder; false if it exists. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Writes a file atomically, so that a reader never sees a partial file. */
function write(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, gzipSync(JSON.stringify(content), { level: 9 }));
  renameSync(`${file}.new`, file);
}

export function recordingNames(): string[] {
  const folder = dirname(questionsFile(''));
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.json.gz'));
  return files.map((name) => name.replace(/\.json\.gz$/, ''));
}

function readQuestions(name: string): RecordedQuestions {
  const file = questionsFile(name);
  return existsSync(file) ? (read(file) as RecordedQuestions) : { inputs: {}, questions: [] };
}

/** Enough digits of the SHA-256 to distinguish all answers. */
const shortDigest = (answer: unknown): string => digest(JSON.stringify(answer)).slice(0, 16);

/** The sample texts by digest. */
function sampleInputs(): Map<string, Uint8Array<ArrayBuffer>> {
  const texts = join(root, 'public/texts');
  const inputs = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const name of readdirSync(texts)) {
    const bytes = new Uint8Array(readFileSync(join(texts, name)));
    inputs.set(digest(bytes), bytes);
  }
  return inputs;
}

/**
 * Sorts questions by run and step, so that the engine only advances; questions about saved files
 * follow the questions that save them.
 */
function inOrder(questions: readonly Question[]): Question[] {
  const placeOf = ({ model, text, generation, call }: Question): string => {
    const { step = 0, changes = [], ...made } = generation?.[0]?.model ?? model ?? {};
    const at = String(Math.max(step, 0)).padStart(9, '0');
    const isOfFile = call.some((arg) => typeof arg === 'object' && arg !== null && 'digest' in arg);
    const order = generation === undefined ? call : generation;
    return textOf([isOfFile ? 1 : 0, made, model === null ? text : '', changes, at, order]);
  };
  const placed = questions.map((question) => [placeOf(question), question] as const);
  return placed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, question]) => question);
}

/** The bytes of an answer that is a file; null for other answers. */
function fileIn(answer: unknown): Uint8Array<ArrayBuffer> | null {
  const { value } = unpack(answer) as { readonly value?: unknown };
  return value instanceof Uint8Array ? (value as Uint8Array<ArrayBuffer>) : null;
}

/**
 * Answers the questions of a recording with the engine and writes the answers for component tests.
 * Returns the questions whose answers differ from the recorded digests.
 */
export async function answerAll(name: string): Promise<string[]> {
  const { inputs: added, questions } = readQuestions(name);
  const inputs = sampleInputs();
  for (const [named, base64] of Object.entries(added)) inputs.set(named, fromBase64(base64));
  const recorded = new Map(
    questions.map(([question, answer]) => [textOf(unpack(question)), answer]),
  );
  const engine = new EngineAnswers(inputs);
  const answers: (readonly [unknown, unknown])[] = [];
  const different: string[] = [];
  for (const question of inOrder(questions.map(([one]) => unpack(one) as Question))) {
    const answer = pack(await engine.ask(question));
    const key = textOf(question);
    answers.push([JSON.parse(key) as unknown, answer]);
    if (recorded.get(key) !== shortDigest(answer)) different.push(key);
    const file = fileIn(answer);
    if (file !== null) inputs.set(digest(file), file);
  }
  engine.close();
  write(answersFile(name), { answers });
  return different;
}

/** Whether the answers of a recording are missing, or older than the engine or the questions. */
export function isStale(name: string): boolean {
  const changed = (file: string): number => (existsSync(file) ? statSync(file).mtimeMs : -1);
  const age = changed(answersFile(name));
  return age < changed(questionsFile(name)) || age < changed(engineFile('wasm-questions'));
}

/**
 * Size limit in bytes of a recorded text or file; the engine answers questions about larger ones.
 */
const LARGEST = 50_000;

/** Digests named in a question. */
const digestsIn = (value: unknown): string[] =>
  JSON.stringify(value).match(/\b[0-9a-f]{64}\b/g) ?? [];

/**
 * Answers questions missing from a page's recording with the real engine, which computes the same
 * bits; `save` adds them to the recordings.
 */
export class Recorder {
  readonly #samples = sampleInputs();
  readonly #inputs = new Map(this.#samples);
  readonly #engine = new EngineAnswers(this.#inputs);
  readonly #answers = new Map<string, Map<string, unknown>>();
  #queue: Promise<unknown> = Promise.resolve();

  /** Connects the recorded trainers of a page to the engine. */
  async expose(page: Page): Promise<void> {
    await page.exposeFunction('giveInput', (name: string, base64: string) => {
      this.#inputs.set(name, fromBase64(base64));
    });
    await page.exposeFunction('askEngine', (recording: string, question: string) => {
      const answered = this.#queue.then(() => this.#ask(recording, question));
      this.#queue = answered.catch(() => undefined);
      return answered;
    });
  }

  async #ask(recording: string, question: string): Promise<unknown> {
    const answers = this.#answers.get(recording) ?? new Map<string, unknown>();
    this.#answers.set(recording, answers);
    const known = answers.get(question);
    if (known !== undefined) return known;
    const answer = pack(await this.#engine.ask(unpack(JSON.parse(question)) as Question));
    if (this.#isSmall(question)) answers.set(question, answer);
    return answer;
  }

  #isSmall(question: string): boolean {
    return digestsIn(question).every((named) => {
      const isLarge = (this.#inputs.get(named)?.length ?? 0) > LARGEST;
      return this.#samples.has(named) || !isLarge;
    });
  }

  /** The number of questions missing from the recordings. */
  get missing(): number {
    return [...this.#answers.values()].reduce((sum, { size }) => sum + size, 0);
  }

  close(): void {
    this.#engine.close();
  }

  /** Adds the new questions to the files, sorted by their text. */
  save(): void {
    // A lock, because several test files may be recorded at the same time.
    const lock = join(root, 'build/recordings/lock');
    mkdirSync(dirname(lock), { recursive: true });
    while (!isMade(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    try {
      for (const [name, added] of this.#answers) this.#write(name, added);
    } finally {
      rmdirSync(lock);
    }
  }

  #write(name: string, added: ReadonlyMap<string, unknown>): void {
    const before = readQuestions(name);
    const questions = new Map(
      before.questions.map(([one, answer]) => [JSON.stringify(one), answer]),
    );
    for (const [question, answer] of added) questions.set(question, shortDigest(answer));
    const sorted = [...questions].sort(([a], [b]) => (a < b ? -1 : 1));
    const saved = new Set([...added.values()].map(fileIn).map((file) => file && digest(file)));
    const inputs: Record<string, string> = { ...before.inputs };
    const add = (value: unknown): void => {
      for (const named of digestsIn(value)) {
        const bytes = this.#inputs.get(named);
        if (bytes === undefined || this.#samples.has(named) || saved.has(named)) continue;
        inputs[named] = toBase64(bytes);
        // A description of a model names the files that the model began with.
        if (isDescription(bytes)) add(new TextDecoder().decode(bytes));
      }
    };
    add(sorted.map(([question]) => question));
    const recorded = sorted.map(([question, answer]) => [JSON.parse(question) as unknown, answer]);
    write(questionsFile(name), { inputs, questions: recorded });
    const file = answersFile(name);
    const { answers: known } = existsSync(file)
      ? (read(file) as { answers: [unknown, unknown][] })
      : { answers: [] };
    const answers = new Map(known.map(([question, answer]) => [JSON.stringify(question), answer]));
    for (const [question, answer] of added) answers.set(question, answer);
    write(file, {
      answers: [...answers].map(([question, answer]) => [JSON.parse(question) as unknown, answer]),
    });
  }
}
