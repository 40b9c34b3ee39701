/** The answers of a recording, in the page. */
import type { Answer, Answers, Question } from '../../recordings/question.ts';
import { keyOf } from '../../recordings/question.ts';
import { toBase64, unpack } from '../../recordings/values.ts';

/** A recording as its file holds it, unpacked from gzip. */
interface Recording {
  readonly answers: readonly (readonly [question: unknown, answer: unknown])[];
}

declare global {
  interface Window {
    /** Set while recordings are made: asks the real engine, and notes the answer. */
    askEngine?: (recording: string, question: string) => Promise<unknown>;
    giveInput?: (digest: string, base64: string) => Promise<void>;
  }
}

const loaded = new Map<string, Promise<ReadonlyMap<string, unknown>>>();

async function load(name: string): Promise<ReadonlyMap<string, unknown>> {
  const response = await fetch(`recordings/${name}.json.gz`);
  if (!response.ok) return new Map();
  const stream = response.body!.pipeThrough(new DecompressionStream('gzip'));
  const { answers } = (await new Response(stream).json()) as Recording;
  return new Map(answers.map(([question, answer]) => [JSON.stringify(question), answer]));
}

/** Answers from the recording `name`; a question that is not in it fails the test. */
export class RecordedAnswers implements Answers {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
    if (!loaded.has(name)) loaded.set(name, load(name));
  }

  async input(digest: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    await window.giveInput?.(digest, toBase64(bytes));
  }

  async ask(question: Question): Promise<Answer> {
    const key = keyOf(question);
    const known = (await loaded.get(this.#name)!).get(key);
    if (known !== undefined) return unpack(known) as Answer;
    if (window.askEngine !== undefined) {
      return unpack(await window.askEngine(this.#name, key)) as Answer;
    }
    const said = `not in the recording ${this.#name} (make recordings): ${key.slice(0, 600)}`;
    // An app may expect that a question fails: the test must not.
    console.error(said);
    throw new Error(said);
  }
}
