/** The text in the engine, and the requested text, which may still be on its way there. */
import { asError, failure, ignore } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { Trainer } from '../../engine/trainer.ts';
import { textKey } from './text-key.ts';
import type { KeptText, LoadedText } from './text-source.ts';

/** Maximum number of texts in `recent`. */
const MOST_RECENT = 8;

export interface HeldText extends KeptText {
  /** Hash of `content`. */
  readonly key: string;
  /** Hash of the text on the page; differs from `key` while the engine has the raw file. */
  readonly shownKey: string;
}

/** The state to return to if another text fails. */
interface TextState {
  readonly held: HeldText | null;
  readonly wanted: string;
}

export class EngineText {
  readonly #trainer: Pick<Trainer, 'setText'>;
  readonly #changed: () => void;
  /** Number of texts requested, equal or not, and its value at the last `take`. */
  #requests = 0;
  #requestsAtTake = 0;
  /** Request number of the text in the engine. */
  #heldRequest = 0;
  /** Request number of the text whose key is in `#wanted`. */
  #keyedRequest = 0;
  #wanted = '';
  #held: HeldText | null = null;
  #recent: readonly Blob[] = [];
  #useless: LoadedText['useless'] = null;

  constructor(trainer: Pick<Trainer, 'setText'>, changed: () => void) {
    this.#trainer = trainer;
    this.#changed = changed;
  }

  get held(): HeldText | null {
    return this.#held;
  }

  /**
   * The last texts of this session, newest first, including the present one: a receipt may need
   * several.
   */
  get recent(): readonly Blob[] {
    return this.#recent;
  }

  /** Key of the text for the next run; empty until known. */
  get wanted(): string {
    return this.#wanted;
  }

  /**
   * Whether the key of the newest text is computed; until then, `wanted` is the key of the previous
   * text.
   */
  get isKnown(): boolean {
    return this.#keyedRequest === this.#requests;
  }

  /** Whether `text` is the requested one. */
  isWanted(text: HeldText | null): boolean {
    return text !== null && text.shownKey === this.#wanted;
  }

  /** Whether the requested text has nothing to learn; the engine then has an empty one. */
  get isUseless(): boolean {
    return this.#useless !== null;
  }

  /** The error of a failed call; if the text has nothing to learn, the reason for that. */
  explain(thrown: unknown): GlasshouseError {
    const error = asError(thrown);
    if (error.code !== 'empty' || this.#useless === null) return error;
    return failure(this.#useless, 'the text has nothing to learn');
  }

  /** Number of texts requested so far: unchanged until another is requested. */
  get turn(): number {
    return this.#requests;
  }

  /** Whether the engine has the newest text. */
  get hasArrived(): boolean {
    return this.#heldRequest === this.#requests;
  }

  /**
   * Requests a text. The returned function sends the text to the engine; false if it is outdated.
   */
  want(text: LoadedText): () => Promise<boolean> {
    const sent = ++this.#requests;
    const key = textKey(text);
    const isNewest = (): boolean => sent === this.#requests;
    // The returned function reports a failure.
    key.then((known) => {
      if (!isNewest()) return;
      this.#wanted = known;
      this.#keyedRequest = sent;
      this.#changed();
    }, ignore);
    return async () => {
      const known = await key;
      if (!isNewest()) return false;
      // The engine gets an empty text in place of one with nothing to learn.
      this.#useless = text.useless;
      await this.#hold(this.#useless !== null ? { ...text, bytes: new Uint8Array() } : text, known);
      this.#heldRequest = sent;
      return true;
    };
  }

  get state(): TextState {
    return { held: this.#held, wanted: this.#wanted };
  }

  /** Sets the text of a saved run. */
  async take(text: LoadedText): Promise<void> {
    const key = await textKey(text);
    // Replaces a text that was typed meanwhile, because the page shows the run's text.
    this.#requests += 1;
    this.#requestsAtTake = this.#requests;
    this.#keyedRequest = this.#requests;
    this.#wanted = key;
    this.#useless = null;
    await this.#hold(text, key);
    this.#heldRequest = this.#requestsAtTake;
  }

  /** Restores an earlier state, whose text the page still shows. */
  async restore({ held, wanted }: TextState): Promise<void> {
    // A text requested since then stays requested.
    if (this.#requests === this.#requestsAtTake) this.#wanted = wanted;
    if (held !== this.#held) {
      await this.#trainer.setText(
        held === null ? new Uint8Array() : new Uint8Array(await held.content.arrayBuffer()),
      );
      this.#held = held;
    }
    this.#heldRequest = this.#requestsAtTake;
  }

  /**
   * Sends the raw bytes of the file, or else the decoded text, to the engine. False if both are
   * equal.
   */
  async holdRaw(raw: boolean): Promise<boolean> {
    const held = this.#held;
    if (held?.raw === undefined) return false;
    if (raw === (held.key !== held.shownKey)) return true;
    const other = { ...held, content: held.raw, raw: held.content };
    const key = await textKey(other);
    await this.#trainer.setText(new Uint8Array(await held.raw.arrayBuffer()));
    this.#held = { ...other, key };
    return true;
  }

  async #hold(text: LoadedText, key: string): Promise<void> {
    await this.#trainer.setText(text.bytes);
    const { source, fileName, content, raw } = text;
    const kept = { source, fileName, content, ...(raw === undefined ? {} : { raw }) };
    this.#held = { ...kept, key, shownKey: key };
    this.#recent = [content, ...this.#recent].slice(0, MOST_RECENT);
  }
}
