/**
 * Loads the text that the page shows: chosen, typed, opened, corrected or restored. The last
 * request wins; the previous text stays until the new one is loaded.
 */
import { asError, failure } from '../../engine/errors.ts';
import type { ErrorFacts } from '../../engine/errors.ts';
import type { OwnText } from './own-text.ts';
import type { PageState } from '../page-state.ts';
import { fileReadAs, loadFile, loadSample, rawFile, typedText } from './text-source.ts';
import type { KeptText, LoadedText, SampleReader } from './text-source.ts';
import { yieldTask } from '../../base/yield-task.ts';
import { textOfUtf8 } from './decode.ts';
import type { ReadingChoice } from './decode.ts';
import { findSample } from './texts.ts';
import type { SourceId } from './texts.ts';

/**
 * Origin of a text: `typed` letter by letter; `put` as a whole by the reader (pasted, opened); or
 * `given` by the page or its host.
 */
export type Coming = 'typed' | 'put' | 'given';

/** A change by more UTF-16 units is a paste. */
const PASTED = 20;

export interface TextControllerOptions {
  /** State to which the controller writes everything shown of the text. */
  readonly state: PageState;
  readonly own: OwnText;
  readonly readSample: SampleReader;
  /** Called with each loaded text, except texts of opened runs, which the engine already has. */
  readonly onText: (text: LoadedText, coming: Coming) => void;
  /** Called after a failure; `state.textError` has the reason. */
  readonly onFailure: () => void;
  readonly changed: () => void;
}

export class TextController {
  readonly #options: TextControllerOptions;
  #loads = 0;
  /** The text shown, with its source; null before the first. */
  #shown: KeptText | null = null;
  /** Whether a requested text is still loading. */
  #isLoading = false;
  /** Called once the requested text is loaded. */
  #onceLoaded: (() => void) | null = null;

  constructor(options: TextControllerOptions) {
    this.#options = options;
  }

  /** Shows a sample text or the reader's own, which may be empty. */
  choose(id: SourceId): void {
    const { own } = this.#options;
    if (id === 'own' && own.isMissing) own.set('');
    this.#fetch(id);
  }

  /** Shows the text named in a link, which does not contain the reader's own. */
  follow(id: SourceId): void {
    const { own, state, changed } = this.#options;
    this.#fetch(id);
    if (id !== 'own' || !own.isMissing) return;
    state.textError = failure('text-unsent', 'a link does not carry your own text');
    changed();
  }

  /** Clears the error of a refused text when something else is opened. */
  forgetFailure(): void {
    if (this.#shown !== null) this.#options.state.textError = null;
  }

  /** Refuses an opened file. */
  refuse(why: ErrorFacts): void {
    this.#options.state.textError = why;
    this.#options.changed();
  }

  /** Takes over the text of the field. `given`: a host has set it, not a reader. */
  type(text: string, given = false): void {
    const { typed } = this.#options.own;
    const isReplaced = isOther(typed, text);
    const isPut = isReplaced || Math.abs(text.length - (typed ?? '').length) > PASTED;
    const coming = given ? 'given' : isPut ? 'put' : 'typed';
    this.#setOwn(text, isReplaced);
    this.#learn(typedText(text), coming);
  }

  /** Opens a file. The previous text stays until the file proves to be a text. */
  open(file: File): void {
    this.#learn(loadFile(file), 'put', (text) => {
      // A replaced text needs keeping only if typed: a file still exists on disk.
      this.#setOwn(inMemory(file, text), this.#options.own.typed !== null);
    });
  }

  /** Decodes the opened file again, with another choice. */
  readAs(choice: ReadingChoice): void {
    const { own } = this.#options;
    let wanted: File | null = null;
    const load = async (): Promise<LoadedText> => {
      const file = await own.read();
      if (typeof file === 'string') return typedText(file);
      wanted = fileReadAs(file, choice);
      return loadFile(wanted);
    };
    this.#learn(load(), 'put', () => {
      if (wanted !== null) own.set(wanted);
    });
  }

  /** Replaces the text by a corrected one; returns an undo function. */
  mend(text: string): () => void {
    const { state, own } = this.#options;
    const before = { source: state.source as SourceId, own: own.state };
    // Too long for the field: treated like a file.
    const file = state.readOnly ? rawFile(text, state.fileName) : null;
    const mended = file === null ? typedText(text) : loadFile(file);
    this.#learn(mended, 'put', () => this.#setOwn(file ?? text));
    return () => {
      own.restore(before.own);
      this.choose(before.source);
    };
  }

  /**
   * Shows the text of an opened run, which the engine already has. The reader's own can be
   * restored.
   */
  showOfRun(text: LoadedText): void {
    if (text.source === 'own') this.#options.own.takePlace(text);
    this.#show(text);
  }

  /**
   * Calls `then` once the requested text is loaded, at once if none is loading; never if loading
   * fails or another text is requested.
   */
  whenHere(then: () => void): void {
    if (!this.#isLoading) {
      then();
      return;
    }
    this.#onceLoaded = then;
    this.#options.state.awaitsText = true;
    this.#options.changed();
  }

  /** Whether a text is being loaded. */
  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** Number of texts requested or shown so far, to notice a newer one after a wait. */
  get requests(): number {
    return this.#loads;
  }

  /** Restores the reader's own text that another replaced. */
  bringBack(): void {
    this.#options.own.bringBack();
    this.choose('own');
  }

  /** Reports that the reader's own text did not arrive with the page. */
  missOwn(why: unknown): void {
    const { state } = this.#options;
    state.source = 'own';
    this.#showNone();
    state.textError = asError(why);
  }

  /** The whole text, unchanged; the field shows only part of a long one, and LF line ends. */
  async readText(most?: number): Promise<string> {
    return textOfUtf8(await this.readBytes(), yieldTask, most);
  }

  /** The bytes of the whole text. Reports an error and rejects if they can no longer be read. */
  async readBytes(): Promise<Uint8Array<ArrayBuffer>> {
    try {
      return new Uint8Array(await (this.#shown?.content ?? new Blob()).arrayBuffer());
    } catch (thrown) {
      this.refuse(asError(thrown));
      throw thrown;
    }
  }

  /**
   * Sets the reader's own text. The old one can be restored if `other` (the new one is another
   * text), or if a sample text was shown, so that the reader did not see the old one replaced.
   */
  #setOwn(text: string | File, other = false): void {
    const { state, own } = this.#options;
    const isSeen = (this.#shown?.source ?? state.source) === 'own';
    // An old text that is a run's needs no copy to restore: it is stored with the run.
    if (isSeen && (!other || own.isOfRun)) own.set(text);
    else own.setAside(text);
  }

  #fetch(id: SourceId): void {
    const { own, readSample } = this.#options;
    const { typed } = own;
    this.#setSource(id);
    if (id !== 'own') this.#learn(loadSample(id, readSample), 'given');
    else this.#learn(typed === null ? loadOwn(own) : typedText(typed), 'given');
  }

  /**
   * Shows a loaded text and sends it to the session, unless another was requested meanwhile; every
   * text takes this path. `onLoaded` is called before the text is shown.
   */
  #learn(
    wanted: LoadedText | Promise<LoadedText>,
    coming: Coming,
    onLoaded: (text: LoadedText) => void = () => undefined,
  ): void {
    const take = (text: LoadedText): void => {
      onLoaded(text);
      this.#show(text);
      this.#options.onText(text, coming);
    };
    if (!(wanted instanceof Promise)) {
      take(wanted);
      return;
    }
    const ticket = ++this.#loads;
    this.#setLoading(true);
    wanted.then(
      (text) => {
        if (ticket !== this.#loads) return;
        const then = this.#onceLoaded;
        take(text);
        then?.();
      },
      (thrown: unknown) => {
        if (ticket !== this.#loads) return;
        this.#setLoading(false);
        // The previous text stays; the error says why the new one failed.
        if (this.#shown === null) this.#showNone();
        else this.#setSource(this.#shown.source);
        this.#options.state.textError = asError(thrown);
        this.#options.changed();
        this.#options.onFailure();
      },
    );
  }

  #show(text: LoadedText): void {
    const { state } = this.#options;
    this.#loads += 1;
    this.#setLoading(false);
    this.#setSource(text.source);
    const { source, fileName, content, shown, readOnly, reading } = text;
    this.#shown = { source, fileName, content };
    const fileSize = text.raw?.size ?? text.size;
    const version = state.version + 1;
    Object.assign(state, { shown, readOnly, fileName, fileSize, reading, version });
    state.textError = null;
    this.#options.changed();
  }

  #setLoading(isComing: boolean): void {
    this.#isLoading = isComing;
    this.#onceLoaded = null;
    this.#options.state.awaitsText = false;
  }

  /** Shows an empty, editable field. */
  #showNone(): void {
    const { state } = this.#options;
    state.shown = '';
    state.readOnly = false;
  }

  /** Sets the source; a prompt that belongs to the previous sample text is replaced. */
  #setSource(id: SourceId): void {
    const { state } = this.#options;
    if (state.ask.prompt === (findSample(state.source)?.prompt ?? '')) {
      state.ask = { ...state.ask, prompt: findSample(id)?.prompt ?? '' };
    }
    state.source = id;
  }
}

/** A copy of an opened file, which may change on disk. */
function inMemory(file: File, { content, raw = content }: LoadedText): File {
  return new File([raw], file.name, { type: file.type });
}

/** Loads the reader's own text from a file or the store. */
async function loadOwn(own: OwnText): Promise<LoadedText> {
  const text = await own.read();
  return typeof text === 'string' ? typedText(text) : loadFile(text);
}

/** Shorter texts are not worth keeping when replaced. */
const WORTH = 20;
/** Minimum share of a text that remains around a change, if the text was edited, not replaced. */
const EDITED = 0.1;

/** Whether hardly anything of `before` is left, so that another text was pasted over it. */
function isOther(before: string | null, text: string): boolean {
  if (before === null || before.length < WORTH) return false;
  const enough = before.length * EDITED;
  const most = Math.min(before.length, text.length);
  let same = 0;
  while (same < most && same < enough && before[same] === text[same]) same += 1;
  const left = most - same;
  for (let at = 1; at <= left && same < enough && before.at(-at) === text.at(-at); at++) same += 1;
  return same < enough;
}
