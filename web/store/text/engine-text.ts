/** The text that the engine has, and the one that is wanted, which may be on its way. */
import { asError, failure, ignore } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { Trainer } from '../../engine/trainer.ts';
import { textKey } from './text-key.ts';
import { whyUseless } from './text-source.ts';
import type { KeptText, LoadedText } from './text-source.ts';

/** Texts of before that are remembered. */
const MOST_RECENT = 8;

export interface HeldText extends KeptText {
  /** Of its content. */
  readonly key: string;
  /** Of the text that the page shows: another if the engine has the bytes of its file. */
  readonly shownKey: string;
}

/** The texts that a failed attempt at another one goes back to. */
interface TextState {
  readonly held: HeldText | null;
  readonly wanted: string;
}

export class EngineText {
  readonly #trainer: Pick<Trainer, 'setText'>;
  readonly #changed: () => void;
  /** Counts every text that was wanted, equal or not; where it stood at the last `take`. */
  #sent = 0;
  #taken = 0;
  /** Which of them the engine has. */
  #arrived = 0;
  /** And for which of them `wanted` is the key. */
  #known = 0;
  #wanted = '';
  #held: HeldText | null = null;
  /** What it held last, the newest first. */
  #recent: readonly Blob[] = [];
  #useless: ReturnType<typeof whyUseless> = null;

  constructor(trainer: Pick<Trainer, 'setText'>, changed: () => void) {
    this.#trainer = trainer;
    this.#changed = changed;
  }

  get held(): HeldText | null {
    return this.#held;
  }

  /** The texts of this sitting: a receipt may be of several. */
  get recent(): readonly Blob[] {
    return this.#recent;
  }

  /** Key of the text that the next run is to learn; empty until it is known. */
  get wanted(): string {
    return this.#wanted;
  }

  /** False while the key of a new text is computed: `wanted` is still that of the one before. */
  get isKnown(): boolean {
    return this.#known === this.#sent;
  }

  /** Whether the wanted text is this one. */
  isWanted(text: HeldText | null): boolean {
    return text !== null && text.shownKey === this.#wanted;
  }

  /** Whether the wanted text has nothing to learn: the engine has none then. */
  get isUseless(): boolean {
    return this.#useless !== null;
  }

  /** Why the engine failed: for a text that it does not have, why that is useless. */
  explain(thrown: unknown): GlasshouseError {
    const error = asError(thrown);
    if (error.code !== 'empty' || this.#useless === null) return error;
    return failure(this.#useless, 'the text has nothing to learn');
  }

  /** Counts the texts that were wanted: equal as long as no other has come. */
  get turn(): number {
    return this.#sent;
  }

  /** Whether the engine has the newest text. */
  get hasArrived(): boolean {
    return this.#arrived === this.#sent;
  }

  /** Wants another text; what it answers sends that to the engine, unless a newer one is wanted. */
  want(text: LoadedText): () => Promise<boolean> {
    const sent = ++this.#sent;
    const key = textKey(text);
    const isNewest = (): boolean => sent === this.#sent;
    // A failure is told by what sends the text.
    key.then((known) => {
      if (!isNewest()) return;
      this.#wanted = known;
      this.#known = sent;
      this.#changed();
    }, ignore);
    return async () => {
      const known = await key;
      if (!isNewest()) return false;
      // For the engine there is no text then.
      this.#useless = whyUseless(text);
      await this.#hold(this.#useless !== null ? { ...text, bytes: new Uint8Array() } : text, known);
      this.#arrived = sent;
      return true;
    };
  }

  get state(): TextState {
    return { held: this.#held, wanted: this.#wanted };
  }

  /** Takes the text of a saved run. */
  async take(text: LoadedText): Promise<void> {
    const key = await textKey(text);
    // What was typed meanwhile gives way: the page shows the text of the run.
    this.#sent += 1;
    this.#taken = this.#sent;
    this.#known = this.#sent;
    this.#wanted = key;
    this.#useless = null;
    await this.#hold(text, key);
    this.#arrived = this.#taken;
  }

  /** Back to the text of before, which the page shows still: the next run learns it. */
  async restore({ held, wanted }: TextState): Promise<void> {
    // A text that was wanted since stays so.
    if (this.#sent === this.#taken) this.#wanted = wanted;
    if (held !== this.#held) {
      await this.#trainer.setText(
        held === null ? new Uint8Array() : new Uint8Array(await held.content.arrayBuffer()),
      );
      this.#held = held;
    }
    this.#arrived = this.#taken;
  }

  /** Gives the engine the bytes of the file or its decoded text. False if these are the same. */
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
