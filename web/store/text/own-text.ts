/**
 * The reader's own text: looking at a sample text does not lose it, a reload brings it back, typed
 * or opened, and when another text takes its place, which was pasted over it or came with an opened
 * run, it can come back.
 */
import { failure } from '../../engine/errors.ts';
import type { FileStore } from './file-store.ts';
import { keep, randomId, recall } from '../storage.ts';
import { isAsTyped, rawFile } from './text-source.ts';
import type { LoadedText } from './text-source.ts';

/** Typed texts up to this length, in UTF-16 units, need no store to come back after a reload. */
const KEEP_LENGTH = 1_000_000;

/** Files that the store has: they need not be written again for another place. */
const written = new WeakMap<File, StoredText>();

/** A text that the store has since before a reload, by what was noted of it. */
class StoredText {
  /** Under which the store has it. */
  readonly key: string;
  /** Of the file; null for what was typed. */
  readonly name: string | null;
  readonly size: number;
  /** The media type of the file, which says how it is read. */
  readonly type: string;

  constructor(key: string, name: string | null, size: number, type = 'text/plain') {
    this.key = key;
    this.name = name;
    this.size = size;
    this.type = type;
  }

  /** Throws `text-gone` when the store does not have it any more. */
  async read(open: OpenStore): Promise<string | File> {
    const content = await open()
      .then((store) => store.get(this.key))
      .catch(() => null);
    if (content === null) throw failure('text-gone', 'the text was not kept over the reload');
    if (this.name === null) return content.text();
    const file = new File([content], this.name, { type: this.type });
    written.set(file, this);
    return file;
  }
}

/** A file is what is not for the field to edit. */
type Own = string | File | StoredText;
type OpenStore = () => Promise<FileStore>;

/** A text that another took the place of. */
interface Replaced {
  readonly text: Own;
  /** Whether that was the text of an opened run, rather than what was typed, pasted or opened. */
  readonly byRun: boolean;
  /** What comes back after it. */
  readonly replaced: Replaced | null;
}

/** Under which texts are kept that can come back, one after the other. */
const PLACES_OF_REPLACED = ['text-before', 'text-before-2', 'text-before-3'];
/** Under which it is kept beside each of them what took its place, where that was no run. */
const replacedBy = (place: string): string => `${place}-by`;

/** The reader's own text as it was at some time, with what can come back in its place. */
export interface OwnState {
  readonly text: Own;
  readonly replaced: Replaced | null;
}

export interface OwnTextOptions {
  /** Takes the place of what was kept in this tab. */
  readonly given: string | File | undefined;
  /** Whether anything is kept or comes back. */
  readonly keeps: boolean;
  /** Called when there is something to read or to write. */
  readonly openStore: OpenStore;
  /** It became known whether the text is kept. */
  readonly changed: () => void;
}

export class OwnText {
  readonly #options: OwnTextOptions;
  readonly #place: KeptPlace;
  readonly #placesOfReplaced: readonly KeptPlace[];
  #text: Own;
  #replaced: Replaced | null;
  /** What was kept of it last: not anew with each letter. */
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
    // Where nothing can be kept, nobody knows whether there was one.
    this.#isMissing = keeps && known === null && keep('tab', 'text', null);
    this.#replaced = keeps ? this.#recallReplaced() : null;
    this.#keptReplaced = keeps ? this.#replaced : undefined;
    if (given !== undefined) this.setAside(given);
  }

  /** The typed text, empty if absent; null for a file, or while `read` has to find it. */
  get typed(): string | null {
    return typeof this.#text === 'string' ? this.#text : null;
  }

  /** The text, from wherever it is; throws `text-gone` when it was not kept over a reload. */
  async read(): Promise<string | File> {
    const text = this.#text;
    if (!(text instanceof StoredText)) return text;
    const found = await text.read(this.#options.openStore);
    if (this.#text === text) this.#text = found;
    return found;
  }

  /** Whether there was none in this tab yet, not even an empty one. */
  get isMissing(): boolean {
    return this.#isMissing;
  }

  /** Whether the text stands in the place of one that can come back. */
  get isInPlaceOfAnother(): boolean {
    return this.#replaced !== null;
  }

  /** Whether it does so as the text of an opened run. */
  get isOfRun(): boolean {
    return this.#replaced?.byRun === true;
  }

  /** Whether a reload would lose the text. */
  get isUnkept(): boolean {
    return this.#isUnkept;
  }

  /** The name of the text that came with a link or an element, as long as it is that text. */
  get givenName(): string {
    const { given } = this.#options;
    return given instanceof File && this.#text === given ? given.name : '';
  }

  /** What `restore` brings back. */
  get state(): OwnState {
    return { text: this.#text, replaced: this.#replaced };
  }

  /** Another text of the reader's own, which was typed, pasted, mended or opened. */
  set(text: string | File): void {
    const replaced = this.#replaced;
    this.restore({ text, replaced: replaced?.byRun === true ? replaced.replaced : replaced });
  }

  /**
   * The same in the place of one that is another text, or that a sample text hid: it can come back.
   */
  setAside(text: string | File): void {
    this.#replace(text, false);
  }

  /** The text of an opened run, in the place of this one. */
  takePlace(loaded: LoadedText): void {
    const { shown, fileName, content } = loaded;
    const before = this.#text;
    // Only what is as it was typed is for the field to keep: all else stays the bytes that it is.
    const text = isAsTyped(loaded) ? shown : rawFile(content, fileName);
    if (this.#replace(text, true)) void this.#forgetIfSame(before, text);
  }

  /**
   * Puts a text in the place of this one; answers whether that can come back, being there and
   * another.
   */
  #replace(text: string | File, byRun: boolean): boolean {
    const [before, replaced] = [this.#text, this.#replaced];
    const isNew = before !== '' && before !== text;
    // What is there again need not come back.
    const behind = without(replaced, text);
    const one = { text: before, byRun, replaced: behind };
    this.restore({ text, replaced: isNew ? newest(one) : behind });
    return isNew;
  }

  /** What was replaced by the same bytes need not come back. */
  async #forgetIfSame(before: Own, text: string | File): Promise<void> {
    if (typeof before === 'string' || typeof text === 'string') return;
    if (before.name !== text.name || before.size !== text.size) return;
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
   * Gives the text back whose place another took, if one did. That of a run is there as long as the
   * run is; what was typed is nowhere else, and can come back in turn, after all others.
   */
  bringBack(): void {
    if (this.#replaced === null) return;
    const { text, byRun, replaced } = this.#replaced;
    const isElsewhere = byRun || this.#text === '';
    this.restore({ text, replaced: isElsewhere ? replaced : withLast(replaced, this.#text) });
  }

  /** All as it was. */
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

/** The first of these, as many as are kept. */
function newest(one: Replaced | null, most = PLACES_OF_REPLACED.length): Replaced | null {
  return one === null || most === 0 ? null : { ...one, replaced: newest(one.replaced, most - 1) };
}

/** These, but for one. */
function without(all: Replaced | null, text: Own): Replaced | null {
  if (all === null) return null;
  return all.text === text ? all.replaced : { ...all, replaced: without(all.replaced, text) };
}

/** These, and after them one that was typed. */
function withLast(all: Replaced | null, text: Own): Replaced {
  if (all === null) return { text, byRun: false, replaced: null };
  return { ...all, replaced: withLast(all.replaced, text) };
}

/** Keeps one text for this tab: a short one at once, a file or a long one in the store. */
class KeptPlace {
  readonly name: string;
  readonly #openStore: OpenStore;
  /** Under which this page keeps what is typed: it is kept anew with each letter. */
  #typedKey = '';
  #turn = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(name: string, openStore: OpenStore) {
    this.name = name;
    this.#openStore = openStore;
  }

  /** What was kept before a reload, or null. */
  recall(): string | StoredText | null {
    return recall('tab', this.name) ?? readNote(recall('tab', this.#noteName));
  }

  /** Null forgets it. False when it could not be kept. */
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
    // Noted at once, so that a reload before it is written can say that it is lost.
    const isNoted = keep('tab', this.#noteName, stored === null ? null : writeNote(stored));
    if (stored === null || known === null || known instanceof StoredText) return isNoted;
    const before = this.#writing;
    const write = async (): Promise<boolean> => {
      await before;
      // Something newer is waiting.
      if (turn !== this.#turn) return true;
      const content = typeof known === 'string' ? new Blob([known]) : known;
      const put = this.#openStore().then((store) => store.put(stored.key, content));
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
    if (text instanceof File) return new StoredText(randomId(), text.name, text.size, text.type);
    if (this.#typedKey === '') this.#typedKey = randomId();
    return new StoredText(this.#typedKey, null, text.length);
  }
}

function writeNote({ key, name, size, type }: StoredText): string {
  return JSON.stringify({ key, name, size, type });
}

/** What was noted; null where that is not understood. */
function readNote(note: string | null): StoredText | null {
  try {
    const { key, name, size, type } = JSON.parse(note ?? '{}') as Partial<StoredText>;
    if (typeof key !== 'string' || typeof size !== 'number') return null;
    return new StoredText(key, typeof name === 'string' ? name : null, size, type);
  } catch {
    return null;
  }
}

async function haveSameBytes(one: Blob, other: Blob): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map(async (blob) => new Uint8Array(await blob.arrayBuffer())),
  );
  return a!.length === b!.length && a!.every((byte, at) => byte === b![at]);
}
