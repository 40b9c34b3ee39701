/**
 * The reader's own text. Viewing a sample text does not lose it, and a reload restores it. If
 * another text replaces it (pasted, or from an opened run), it can be restored.
 */
import * as v from 'valibot';
import { KEPT } from '../../base/form.ts';
import { failure } from '../../engine/errors.ts';
import type { FileStore } from './file-store.ts';
import { keep, randomId, recall } from '../storage.ts';
import { readStored } from '../stored.ts';
import { isAsTyped, rawFile } from './text-source.ts';
import type { LoadedText } from './text-source.ts';

/** Maximum length, in UTF-16 units, of typed texts in the tab's storage. */
const KEEP_LENGTH = 1_000_000;

/** Files in the store, to avoid writing them again. */
const written = new WeakMap<File, StoredText>();

/** The note of a text in the store. */
const NOTE = v.object({
  /** Key in the store. */
  key: v.string(),
  /** Name of the file; null if typed. */
  name: v.fallback(v.nullable(v.string()), null),
  size: v.number(),
  /** Media type of the file, which records the reader's choice of decoding. */
  type: v.fallback(v.string(), 'text/plain'),
});

/** A text in the store, known by its note until it is read. */
class StoredText {
  readonly note: v.InferOutput<typeof NOTE>;

  constructor(note: v.InferOutput<typeof NOTE>) {
    this.note = note;
  }

  /** Reads the text; throws `text-gone` if the store has lost it. */
  async read(open: OpenStore): Promise<string | File> {
    const { key, name, type } = this.note;
    const content = await open()
      .then((store) => store.get(key))
      .catch(() => null);
    if (content === null) throw failure('text-gone', 'the text was not kept over the reload');
    if (name === null) return content.text();
    const file = new File([content], name, { type });
    written.set(file, this);
    return file;
  }
}

/** A string is editable in the field; a file is not. */
type Own = string | File | StoredText;
type OpenStore = () => Promise<FileStore>;

/** A replaced text. */
interface Replaced {
  readonly text: Own;
  /** Whether the new text is that of an opened run; false if typed, pasted or opened as a file. */
  readonly byRun: boolean;
  /** The text replaced before it. */
  readonly replaced: Replaced | null;
}

/** Storage names of the replaced texts, newest first. */
const PLACES_OF_REPLACED = ['text-before', 'text-before-2', 'text-before-3'];
/**
 * Storage name of the mark that a text was replaced by typing, pasting or opening, not by a run.
 */
const replacedBy = (place: string): string => `${place}-by`;

/** A state of the own text with its replaced ones, for `restore`. */
export interface OwnState {
  readonly text: Own;
  readonly replaced: Replaced | null;
}

export interface OwnTextOptions {
  /** A text from a link or host; replaces this tab's text. */
  readonly given: string | File | undefined;
  /** Whether texts are saved and restored. */
  readonly keeps: boolean;
  /** Called before the first read or write. */
  readonly openStore: OpenStore;
  /** Called when saving the text has failed, or a replaced text was forgotten. */
  readonly changed: () => void;
}

export class OwnText {
  readonly #options: OwnTextOptions;
  readonly #place: KeptPlace;
  readonly #placesOfReplaced: readonly KeptPlace[];
  #text: Own;
  #replaced: Replaced | null;
  /** The replaced texts saved last, so that typing does not save them again. */
  #keptReplaced: Replaced | null | undefined;
  #isUnkept = false;
  #isMissing: boolean;

  constructor(options: OwnTextOptions) {
    const { given, keeps, openStore } = options;
    this.#options = options;
    this.#place = new KeptPlace('text', openStore);
    this.#placesOfReplaced = PLACES_OF_REPLACED.map((name) => new KeptPlace(name, openStore));
    const known = keeps ? this.#place.recall() : null;
    this.#text = known ?? '';
    // If storage is refused, it is unknown whether a text existed.
    this.#isMissing = keeps && known === null && keep('tab', 'text', null);
    this.#replaced = keeps ? this.#recallReplaced() : null;
    this.#keptReplaced = keeps ? this.#replaced : undefined;
    if (given !== undefined) this.setAside(given);
  }

  /** The typed text, empty if absent; null for a file, or if `read` must load it. */
  get typed(): string | null {
    return typeof this.#text === 'string' ? this.#text : null;
  }

  /** Loads the text; throws `text-gone` if it was lost at a reload. */
  async read(): Promise<string | File> {
    const text = this.#text;
    if (!(text instanceof StoredText)) return text;
    const found = await text.read(this.#options.openStore);
    if (this.#text === text) this.#text = found;
    return found;
  }

  /** Whether this tab never had a text, not even an empty one; false if storage is refused. */
  get isMissing(): boolean {
    return this.#isMissing;
  }

  /** Whether a replaced text can be restored. */
  get isInPlaceOfAnother(): boolean {
    return this.#replaced !== null;
  }

  /** Whether the text is that of an opened run and replaced another. */
  get isOfRun(): boolean {
    return this.#replaced?.byRun === true;
  }

  /** Whether a reload would lose the text. */
  get isUnkept(): boolean {
    return this.#isUnkept;
  }

  /** Name of the text from a link or element, while it is unchanged; else empty. */
  get givenName(): string {
    const { given } = this.#options;
    return given instanceof File && this.#text === given ? given.name : '';
  }

  /** The state for `restore`. */
  get state(): OwnState {
    return { text: this.#text, replaced: this.#replaced };
  }

  /** Sets a text that was typed, pasted, corrected or opened. */
  set(text: string | File): void {
    const replaced = this.#replaced;
    this.restore({ text, replaced: replaced?.byRun === true ? replaced.replaced : replaced });
  }

  /** Sets another text and keeps the old one, so that it can be restored. */
  setAside(text: string | File): void {
    this.#setKeeping(text, false);
  }

  /** Sets the text of an opened run and keeps the old one, so that it can be restored. */
  takePlace(loaded: LoadedText): void {
    const { shown, fileName, content } = loaded;
    const before = this.#text;
    // The field may hold only a text equal to a typed one; any other stays a file.
    const text = isAsTyped(loaded) ? shown : rawFile(content, fileName);
    if (this.#setKeeping(text, true)) void this.#forgetIfSame(before, text);
  }

  /**
   * Sets a text and keeps the old one; returns whether the old one can be restored (not empty, not
   * equal).
   */
  #setKeeping(text: string | File, byRun: boolean): boolean {
    const [before, replaced] = [this.#text, this.#replaced];
    const isNew = before !== '' && before !== text;
    // A text that is set again need not be restored.
    const remaining = withoutText(replaced, text);
    const one = { text: before, byRun, replaced: remaining };
    this.restore({ text, replaced: isNew ? newest(one) : remaining });
    return isNew;
  }

  /** Forgets a replaced text equal to the new one. */
  async #forgetIfSame(before: Own, text: string | File): Promise<void> {
    if (typeof before === 'string' || typeof text === 'string') return;
    const { name, size } = before instanceof StoredText ? before.note : before;
    if (name !== text.name || size !== text.size) return;
    try {
      const found =
        before instanceof StoredText ? await before.read(this.#options.openStore) : before;
      if (!(await haveSameBytes(new Blob([found]), text)) || this.#replaced?.text !== before)
        return;
    } catch {
      return;
    }
    this.#replaced = this.#replaced.replaced;
    this.#keepReplaced();
    this.#options.changed();
  }

  /**
   * Restores the newest replaced text. The present text becomes the last of the replaced ones,
   * unless it is empty or a run's, which is stored with the run.
   */
  bringBack(): void {
    if (this.#replaced === null) return;
    const { text, byRun, replaced } = this.#replaced;
    const isElsewhere = byRun || this.#text === '';
    this.restore({ text, replaced: isElsewhere ? replaced : withLast(replaced, this.#text) });
  }

  /** Sets a previous state. */
  restore({ text, replaced }: OwnState): void {
    this.#text = text;
    this.#replaced = replaced;
    this.#isUnkept = false;
    this.#isMissing = false;
    this.#keepReplaced();
    if (!this.#options.keeps) return;
    void this.#place.keep(text).then((kept) => {
      if (kept || this.#text !== text) return;
      this.#isUnkept = true;
      this.#options.changed();
    });
  }

  #keepReplaced(): void {
    const replaced = this.#replaced;
    if (!this.#options.keeps || replaced === this.#keptReplaced) return;
    this.#keptReplaced = replaced;
    let one = replaced;
    for (const place of this.#placesOfReplaced) {
      void place.keep(one?.text ?? null);
      keep('tab', replacedBy(place.name), one?.byRun === false ? 'typing' : null);
      one = one?.replaced ?? null;
    }
  }

  #recallReplaced(): Replaced | null {
    return this.#placesOfReplaced.reduceRight<Replaced | null>((replaced, place) => {
      const text = place.recall();
      const byRun = recall('tab', replacedBy(place.name)) === null;
      return text === null ? replaced : { text, byRun, replaced };
    }, null);
  }
}

/** The first `most` texts of a list of replaced texts. */
function newest(one: Replaced | null, most = PLACES_OF_REPLACED.length): Replaced | null {
  return one === null || most === 0 ? null : { ...one, replaced: newest(one.replaced, most - 1) };
}

/** The list without `text`. */
function withoutText(all: Replaced | null, text: Own): Replaced | null {
  if (all === null) return null;
  return all.text === text ? all.replaced : { ...all, replaced: withoutText(all.replaced, text) };
}

/** The list with `text` at its end, as one that no run replaced. */
function withLast(all: Replaced | null, text: Own): Replaced {
  if (all === null) return { text, byRun: false, replaced: null };
  return { ...all, replaced: withLast(all.replaced, text) };
}

/** Saves one text for this tab: in the tab's storage if short, else in the store. */
class KeptPlace {
  readonly name: string;
  readonly #openStore: OpenStore;
  /** Store key of the typed text, reused for each change. */
  #typedKey = '';
  #turn = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(name: string, openStore: OpenStore) {
    this.name = name;
    this.#openStore = openStore;
  }

  /** The text saved before a reload; null if absent. */
  recall(): string | StoredText | null {
    return recall('tab', this.name) ?? readNote(recall('tab', this.#noteName));
  }

  /** Saves a text; null deletes the saved one. Returns false if that failed. */
  async keep(text: Own | null): Promise<boolean> {
    const turn = ++this.#turn;
    const isShort = typeof text === 'string' && text.length <= KEEP_LENGTH;
    if (isShort && keep('tab', this.name, text)) {
      keep('tab', this.#noteName, null);
      return true;
    }
    keep('tab', this.name, null);
    const known = text instanceof File ? (written.get(text) ?? text) : text;
    const stored = known instanceof StoredText || known === null ? known : this.#noteOf(known);
    // Noted before it is written, so that after a reload in between the loss can be reported.
    const isNoted = keep('tab', this.#noteName, stored && JSON.stringify(stored.note));
    if (stored === null || known === null || known instanceof StoredText) return isNoted;
    const before = this.#writing;
    const write = async (): Promise<boolean> => {
      await before;
      // A newer text waits.
      if (turn !== this.#turn) return true;
      const content = typeof known === 'string' ? new Blob([known]) : known;
      const put = this.#openStore().then((store) => store.put(stored.note.key, content));
      return put.then(
        () => {
          if (content instanceof File) written.set(content, stored);
          return isNoted;
        },
        () => false,
      );
    };
    const writing = write();
    this.#writing = writing;
    return writing;
  }

  get #noteName(): string {
    return `${this.name}-stored`;
  }

  #noteOf(text: string | File): StoredText {
    if (text instanceof File) {
      const { name, size, type } = text;
      return new StoredText({ key: randomId(), name, size, type });
    }
    if (this.#typedKey === '') this.#typedKey = randomId();
    return new StoredText({
      key: this.#typedKey,
      name: null,
      size: text.length,
      type: 'text/plain',
    });
  }
}

function readNote(text: string | null): StoredText | null {
  const note = KEPT ? readStored(NOTE, text) : null;
  return note && new StoredText(note);
}

async function haveSameBytes(one: Blob, other: Blob): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map(async (blob) => new Uint8Array(await blob.arrayBuffer())),
  );
  return a!.length === b!.length && a!.every((byte, at) => byte === b![at]);
}
