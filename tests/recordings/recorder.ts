/** Makes recordings: answers what a page lacks with the real engine, and keeps it. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { EngineAnswers } from './engine-answers.ts';
import type { Question } from './question.ts';
import { digest, fromBase64, pack, toBase64, unpack } from './values.ts';

const folder = join(import.meta.dirname, 'data');
const texts = join(import.meta.dirname, '../../public/texts');

/** The content of a recording's file, which is compressed JSON. */
export interface RecordingFile {
  /** Texts and files that questions name, by digest; without those of public/texts. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly answers: readonly (readonly [question: unknown, answer: unknown])[];
}

export function recordingNames(): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json.gz'))
    .map((name) => name.replace(/\.json\.gz$/, ''));
}

export function readRecording(name: string): RecordingFile {
  const file = join(folder, `${name}.json.gz`);
  if (!existsSync(file)) return { inputs: {}, answers: [] };
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as RecordingFile;
}

/** The sample texts by their digests. */
export function sampleInputs(): Map<string, Uint8Array<ArrayBuffer>> {
  const inputs = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const name of readdirSync(texts)) {
    const bytes = new Uint8Array(readFileSync(join(texts, name)));
    inputs.set(digest(bytes), bytes);
  }
  return inputs;
}

/** Digests that a question or an answer names. */
function digestsIn(value: unknown): string[] {
  return JSON.stringify(value).match(/\b[0-9a-f]{64}\b/g) ?? [];
}

export class Recorder {
  readonly #samples = sampleInputs();
  readonly #inputs = new Map(this.#samples);
  readonly #engine = new EngineAnswers(this.#inputs);
  readonly #answers = new Map<string, Map<string, unknown>>();
  #queue: Promise<unknown> = Promise.resolve();

  /** Lets the recorded trainers of a page ask the engine. */
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
    answers.set(question, answer);
    return answer;
  }

  /** Adds what was asked to the files, in the order of the questions. */
  save(): void {
    this.#engine.close();
    mkdirSync(folder, { recursive: true });
    // Two files of tests may be recorded at the same time.
    const lock = join(folder, 'lock');
    while (existsSync(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    mkdirSync(lock);
    try {
      this.#write();
    } finally {
      rmdirSync(lock);
    }
  }

  #write(): void {
    for (const [name, added] of this.#answers) {
      const before = readRecording(name);
      const all = new Map(
        before.answers.map(([question, answer]) => [JSON.stringify(question), answer]),
      );
      for (const [question, answer] of added) all.set(question, answer);
      const answers = [...all].sort(([a], [b]) => (a < b ? -1 : 1));
      const inputs: Record<string, string> = { ...before.inputs };
      for (const named of digestsIn(answers.map(([question]) => question))) {
        const bytes = this.#inputs.get(named);
        if (bytes !== undefined && !this.#samples.has(named)) inputs[named] = toBase64(bytes);
      }
      const content = {
        inputs,
        answers: answers.map(([question, answer]) => [JSON.parse(question) as unknown, answer]),
      };
      const file = join(folder, `${name}.json.gz`);
      writeFileSync(`${file}.new`, gzipSync(JSON.stringify(content), { level: 9 }));
      renameSync(`${file}.new`, file);
    }
  }
}
