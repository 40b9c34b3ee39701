/** Reads the answers of a recording in the page. */
import type { Answer, Answers, Question } from '../../recordings/question.ts';
import { keyOf } from '../../recordings/question.ts';
import { toBase64, unpack } from '../../recordings/values.ts';
import { whileAsked } from './rest.ts';

/** The content of a recording file, decompressed. */
interface Recording {
  readonly answers: readonly (readonly [question: unknown, answer: unknown])[];
}

declare global {
  interface Window {
    /** Asks the real engine for answers that a recording lacks. */
    askEngine: (recording: string, question: string) => Promise<unknown>;
    giveInput: (digest: string, base64: string) => Promise<void>;
  }
}

/** Texts and files not yet sent to the engine, and digests of those already sent. */
const inputs = new Map<string, Uint8Array<ArrayBuffer>>();
const given = new Set<string>();

const loaded = new Map<string, Promise<ReadonlyMap<string, unknown>>>();

async function load(name: string): Promise<ReadonlyMap<string, unknown>> {
  const response = await fetch(`recordings/${name}.json.gz`);
  if (!response.ok) return new Map();
  const stream = response.body!.pipeThrough(new DecompressionStream('gzip'));
  const { answers } = (await new Response(stream).json()) as Recording;
  return new Map(answers.map(([question, answer]) => [JSON.stringify(question), answer]));
}

/** Answers from the recording `name`; the engine answers missing questions. */
export class RecordedAnswers implements Answers {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
    if (!loaded.has(name)) loaded.set(name, load(name));
  }

  input(digest: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (!given.has(digest)) inputs.set(digest, bytes.slice());
    return Promise.resolve();
  }

  ask(question: Question): Promise<Answer> {
    return whileAsked(this.#find(question));
  }

  async #find(question: Question): Promise<Answer> {
    const key = keyOf(question);
    const known = (await loaded.get(this.#name)!).get(key);
    if (known !== undefined) return unpack(known) as Answer;
    for (const [digest, bytes] of inputs) {
      inputs.delete(digest);
      given.add(digest);
      await window.giveInput(digest, toBase64(bytes));
    }
    return unpack(await window.askEngine(this.#name, key)) as Answer;
  }
}
