/**
 * The text that the page shows: chosen, typed, opened, mended or brought back. What was asked for
 * last wins, and what there was stays until that is here.
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
 * How a text comes: `typed`, a letter more or less; `put` there as a whole by the reader, pasted or
 * opened; or `given`, by the page or its host.
 */
export type Coming = 'typed' | 'put' | 'given';

/** More code units than this at a time are pasted, not typed. */
const PASTED = 20;

export interface TextControllerOptions {
  /** What is shown of the text is written here. */
  readonly state: PageState;
  readonly own: OwnText;
  readonly readSample: SampleReader;
  /** A text has come, for a model to learn, and how. */
  readonly onText: (text: LoadedText, coming: Coming) => void;
  /** None has come: `state.textError` says why. */
  readonly onFailure: () => void;
  readonly changed: () => void;
}

export class TextController {
  readonly #options: TextControllerOptions;
  #loads = 0;
  /** All of the text that is shown, and where it comes from; null until there is one. */
  #shown: KeptText | null = null;
  /** One that was asked for is on its way. */
  #isComing = false;
  /** To be done with it. */
  #then: (() => void) | null = null;

  constructor(options: TextControllerOptions) {
    this.#options = options;
  }

  /** A sample text, or the reader's own, which may be empty still. */
  choose(id: SourceId): void {
    const { own } = this.#options;
    if (id === 'own' && own.isMissing) own.set('');
    this.#fetch(id);
  }

  /** The text that an address asks for: one of somebody's own does not come with it. */
  follow(id: SourceId): void {
    const { own, state, changed } = this.#options;
    this.#fetch(id);
    if (id !== 'own' || !own.isMissing) return;
    state.textError = failure('text-unsent', 'a link does not carry your own text');
    changed();
  }

  /** Forgets the error of a refused text once something else is opened. */
  forgetFailure(): void {
    if (this.#shown !== null) this.#options.state.textError = null;
  }

  /** Something else that was opened is not taken. */
  refuse(why: ErrorFacts): void {
    this.#options.state.textError = why;
    this.#options.changed();
  }

  /** `given`: a host sets the text, not a reader. */
  type(text: string, given = false): void {
    const { typed } = this.#options.own;
    const change = Math.abs(text.length - (typed ?? '').length);
    this.#setOwn(text, isOther(typed, text));
    const coming = change > PASTED || isOther(typed, text) ? 'put' : 'typed';
    this.#take(typedText(text), given ? 'given' : coming);
  }

  /** What there was stays, also as the reader's own text, until the file is known to be one. */
  open(file: File): void {
    this.#load('put', loadFile(file), (text) => {
      // What stands in a file is there still.
      this.#setOwn(inMemory(file, text), this.#options.own.typed !== null);
    });
  }

  /** The opened file once more, read in another way. */
  readAs(choice: ReadingChoice): void {
    const { own } = this.#options;
    let wanted: File | null = null;
    const load = async (): Promise<LoadedText> => {
      const file = await own.read();
      if (typeof file === 'string') return typedText(file);
      wanted = fileReadAs(file, choice);
      return loadFile(wanted);
    };
    this.#load('put', load(), () => {
      if (wanted !== null) own.set(wanted);
    });
  }

  /** The text in other words; answers how to have it back as it was. */
  mend(text: string): () => void {
    const { state, own } = this.#options;
    const before = { source: state.source as SourceId, own: own.state };
    // Too long for the field: as if it had come from a file.
    if (state.readOnly) {
      const file = rawFile(text, state.fileName);
      this.#load('put', loadFile(file), () => {
        this.#setOwn(file);
      });
    } else {
      this.#setOwn(text);
      this.#take(typedText(text), 'put');
    }
    return () => {
      own.restore(before.own);
      this.choose(before.source);
    };
  }

  /**
   * Shows the text of an opened run, which that run has already. The reader's own can be brought
   * back.
   */
  showOfRun(text: LoadedText): void {
    if (text.source === 'own') this.#options.own.takePlace(text);
    this.#show(text);
  }

  /**
   * Does something with the text that was asked for: now, or when it has come; not at all where it
   * does not, or another is asked for meanwhile.
   */
  whenHere(then: () => void): void {
    if (!this.#isComing) {
      then();
      return;
    }
    this.#then = then;
    this.#options.state.awaitsText = true;
    this.#options.changed();
  }

  /**
   * How often another text was asked for: who has to wait before asking sees whether someone was
   * faster.
   */
  get requests(): number {
    return this.#loads;
  }

  /** The reader's own text before another took its place. */
  bringBack(): void {
    this.#options.own.bringBack();
    this.choose('own');
  }

  /** The reader's own text that should have come with the page and has not. */
  missOwn(why: unknown): void {
    const { state } = this.#options;
    state.source = 'own';
    this.#showNone();
    state.textError = asError(why);
  }

  /**
   * All of the text that is shown, as it came: the field shows a part of a large one, and one kind
   * of line end.
   */
  async readText(most?: number): Promise<string> {
    return textOfUtf8(await this.readBytes(), yieldTask, most);
  }

  /** Rejects where the text cannot be had any more, and says so. */
  async readBytes(): Promise<Uint8Array<ArrayBuffer>> {
    try {
      return new Uint8Array(await (this.#shown?.content ?? new Blob()).arrayBuffer());
    } catch (thrown) {
      this.refuse(asError(thrown));
      throw thrown;
    }
  }

  /**
   * Another text in the place of the one before it keeps that one to bring back; and a reader with
   * a sample text before them does not see the text of their own that this takes the place of.
   */
  #setOwn(text: string | File, other = false): void {
    const { state, own } = this.#options;
    const isSeen = (this.#shown?.source ?? state.source) === 'own';
    // The text of a run is there as long as the run is.
    if (isSeen && (!other || own.isOfRun)) own.set(text);
    else own.setAside(text);
  }

  #fetch(id: SourceId): void {
    const { own, readSample } = this.#options;
    this.#setSource(id);
    if (id !== 'own') this.#load('given', loadSample(id, readSample));
    else if (own.typed !== null) this.#take(typedText(own.typed), 'given');
    else this.#load('given', loadOwn(own));
  }

  /** Takes a text when it has come, unless another was chosen meanwhile. */
  #load(
    coming: Coming,
    loading: Promise<LoadedText>,
    taken: (text: LoadedText) => void = () => undefined,
  ): void {
    const ticket = ++this.#loads;
    this.#setComing(true);
    loading.then(
      (text) => {
        if (ticket !== this.#loads) return;
        const then = this.#then;
        taken(text);
        this.#take(text, coming);
        then?.();
      },
      (thrown: unknown) => {
        if (ticket !== this.#loads) return;
        this.#setComing(false);
        // What was there stays there: the message says why the new text is not.
        if (this.#shown === null) this.#showNone();
        else this.#setSource(this.#shown.source);
        this.#options.state.textError = asError(thrown);
        this.#options.changed();
        this.#options.onFailure();
      },
    );
  }

  #take(text: LoadedText, coming: Coming): void {
    this.#show(text);
    this.#options.onText(text, coming);
  }

  #show(text: LoadedText): void {
    const { state } = this.#options;
    this.#loads += 1;
    this.#setComing(false);
    this.#setSource(text.source);
    const { source, fileName, content } = text;
    this.#shown = { source, fileName, content };
    state.shown = text.shown;
    state.readOnly = text.readOnly;
    state.fileName = text.fileName;
    state.fileSize = text.raw?.size ?? text.size;
    state.reading = text.reading;
    state.version += 1;
    state.textError = null;
    this.#options.changed();
  }

  #setComing(isComing: boolean): void {
    this.#isComing = isComing;
    this.#then = null;
    this.#options.state.awaitsText = false;
  }

  /** A field to type into. */
  #showNone(): void {
    const { state } = this.#options;
    state.shown = '';
    state.readOnly = false;
  }

  /** Another text than the last: a prompt that came with that one goes with it. */
  #setSource(id: SourceId): void {
    const { state } = this.#options;
    if (state.ask.prompt === (findSample(state.source)?.prompt ?? '')) {
      state.ask = { ...state.ask, prompt: findSample(id)?.prompt ?? '' };
    }
    state.source = id;
  }
}

/** The bytes of an opened file: it may change where it lies. */
function inMemory(file: File, { content, raw = content }: LoadedText): File {
  return new File([raw], file.name, { type: file.type });
}

/** The reader's own text, where it is a file or has to be read first. */
async function loadOwn(own: OwnText): Promise<LoadedText> {
  const text = await own.read();
  return typeof text === 'string' ? typedText(text) : loadFile(text);
}

/** Code units from which on a text is worth keeping when another takes its place. */
const WORTH = 20;
/**
 * Of a text that was edited at least this part stands where it stood, before and behind the change.
 */
const EDITED = 0.1;

/**
 * Whether hardly anything of a typed text is left in what is in its place: another was pasted over
 * it.
 */
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
