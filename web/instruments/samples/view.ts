/**
 * What the model wrote at different steps, the one that is looked at first and large. So that the
 * way from nonsense to words stays in sight, beside it only the newest, the oldest, and about one
 * for each halving in between are shown; all of them on request.
 */
import type { Words } from '../../i18n/index.ts';
import {
  arrange,
  el,
  freshId,
  reserveSpace,
  perFrame,
  setText,
  setAttribute,
} from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { sampleAt } from '../../store/timeline.ts';
import type { TextMarks } from '../../kit/text-marks.ts';
import { dotsOfCut, hasBroken, hasCut, isCut, landmarks } from '../../kit/written.ts';
import type { SampleEntry } from '../../kit/written.ts';

export interface SamplesData {
  readonly entries: readonly SampleEntry[];
  /** The step that is looked at; null for the newest. */
  readonly lookedAt: number | null;
  /** What the model of that step writes, where it is there; else what it wrote last before it. */
  readonly exact: SampleEntry | null;
  /** Whether a token may be part of a character: then � is one that was not finished. */
  readonly pieces: boolean;
  /** Whether it writes running text, and not lines. */
  readonly stream: boolean;
  readonly training: boolean;
}

export interface SamplesOptions {
  readonly words: Words;
  readonly textMarks: TextMarks;
  /** Opens the card of what the model wrote; null without a card. */
  readonly onShare: (() => void) | null;
}

/** Milliseconds between two announcements for those who hear the page: texts change far faster. */
const QUIET = 10_000;

/** Creates the stream of samples in `container`. */
export function createSamples(container: HTMLElement, options: SamplesOptions): View<SamplesData> {
  return new Samples(container, options);
}

/**
 * A place on the page that shows one entry after the other, with the elements of its texts, but for
 * those that are empty. Places stay where they are: rows that moved down would be hard to read.
 */
interface Row {
  readonly root: HTMLLIElement;
  readonly stamp: HTMLElement;
  readonly box: HTMLElement;
  entry: SampleEntry | null;
  texts: readonly { readonly element: HTMLElement; readonly text: string }[];
}

class Samples implements View<SamplesData> {
  readonly #container: HTMLElement;
  readonly #words: Words;
  readonly #textMarks: TextMarks;
  readonly #list: HTMLOListElement;
  readonly #empty: HTMLElement;
  readonly #all: HTMLButtonElement;
  readonly #share: HTMLButtonElement;
  readonly #notes: Readonly<Record<'lead' | 'cut' | 'broken', HTMLElement>>;
  readonly #spoken = el('p', { class: 'visually-hidden', role: 'status' });
  /** From the large one down. */
  readonly #rows: Row[] = [];
  #data: SamplesData = {
    entries: [],
    lookedAt: null,
    exact: null,
    pieces: false,
    stream: false,
    training: false,
  };
  #showAll = false;
  #spokeAt = 0;
  #spokeOf: SampleEntry | undefined;
  /** Of the run whose texts are shown. */
  #first: SampleEntry | undefined;
  /** Of the large text, when its room was kept. */
  #width = 0;
  /**
   * The large text takes no less room than one before it in the same run: the rows stay put. Told
   * after the layout, which so need not be asked for.
   */
  readonly #growth = new ResizeObserver((told) => {
    for (const { target, contentRect } of told) {
      reserveSpace(target as HTMLElement, contentRect.height);
      this.#width = contentRect.width;
    }
  });

  constructor(container: HTMLElement, { words, textMarks, onShare }: SamplesOptions) {
    const { t } = words;
    this.#container = container;
    this.#words = words;
    this.#textMarks = textMarks;
    const id = freshId('samples');
    this.#list = el('ol', { id, class: 'samples', reversed: true });
    this.#empty = el('p', { class: 'muted samples-empty' }, t('samples.empty'));
    const link = { type: 'button', class: 'link', hidden: true } as const;
    this.#all = el('button', { ...link, 'aria-controls': id });
    this.#share = el('button', link, t('samples.share'));
    this.#share.setAttribute('aria-haspopup', 'dialog');
    if (onShare !== null) this.#share.addEventListener('click', onShare);
    const note = (key: 'lead' | 'cut' | 'broken'): HTMLElement =>
      el('p', { class: 'note', hidden: true }, t(`samples.${key}`));
    const [lead, cut, broken] = [note('lead'), note('cut'), note('broken')];
    this.#notes = { lead, cut, broken };
    const head = el('div', { class: 'head-row' }, el('h2', {}, t('samples.title')), this.#all);
    if (onShare !== null) head.append(this.#share);
    container.append(head, this.#empty, this.#list, lead, cut, broken, this.#spoken);
    this.#all.addEventListener('click', () => {
      this.#showAll = !this.#showAll;
      this.#draw.request();
    });
    this.#draw.request();
  }

  readonly #draw = perFrame(() => {
    const { t } = this.#words;
    const { entries, lookedAt, exact, pieces } = this.#data;
    const few = landmarks(entries);
    const large = exact ?? sampleAt(entries, lookedAt);
    const chosen = (this.#showAll ? [...entries] : few).filter((one) => one.step !== large?.step);
    if (large !== undefined) chosen.push(large);
    this.#empty.hidden = entries.length > 0;
    this.#share.hidden = entries.length === 0;
    this.#notes.lead.hidden = !this.#showAll || entries.length < 2;
    this.#notes.cut.hidden = !this.#showAll || !hasCut(chosen);
    this.#notes.broken.hidden = !pieces || !hasBroken(chosen);
    this.#all.hidden = entries.length <= few.length;
    this.#list.classList.toggle('whole', this.#showAll);
    this.#container.classList.toggle('stream', this.#data.stream);
    setAttribute(this.#all, 'aria-expanded', String(this.#showAll));
    const label = this.#showAll ? 'samples.fewer' : 'samples.all';
    setText(this.#all, t(label, { count: entries.length }));
    this.#show(chosen.reverse());
    if (entries[0] !== this.#first) this.#forgetHeight();
    this.#first = entries[0];
  });

  #show(entries: readonly SampleEntry[]): void {
    for (const [at, entry] of entries.entries()) {
      const row = (this.#rows[at] ??= createRow());
      if (row.entry !== entry) this.#fill(row, entry);
      // The others are cut to a line: nobody could see what they press there.
      const isMarked = this.#showAll || at === 0;
      for (const { element, text } of row.texts) this.#textMarks.show(element, text, isMarked);
    }
    this.#rows.length = entries.length;
    arrange(
      this.#list,
      this.#rows.map(({ root }) => root),
    );
  }

  /** The texts of another run, or at another width, may be shorter. */
  #forgetHeight(): void {
    this.#growth.disconnect();
    const large = this.#rows[0]?.root;
    if (large === undefined) return;
    reserveSpace(large, null);
    this.#growth.observe(large);
  }

  #fill(row: Row, entry: SampleEntry): void {
    const { t, number } = this.#words;
    const texts: { element: HTMLElement; text: string }[] = [];
    const boxes = entry.texts.map((text, at) => {
      if (text.trim() === '') return el('span', { class: 'written muted' }, t('samples.nothing'));
      const element = el('span');
      texts.push({ element, text });
      const dots = isCut(entry, at) ? dotsOfCut() : null;
      return el('span', { class: 'written', translate: 'no', dir: 'auto' }, element, dots);
    });
    setText(row.stamp, t('samples.step', { step: number(entry.step) }));
    // With blanks between them, for those who hear or copy them.
    row.box.replaceChildren(...boxes.flatMap((one, at) => (at === 0 ? [one] : [' ', one])));
    row.box.className = boxes.length > 1 ? 'many' : 'one';
    row.entry = entry;
    row.texts = texts;
  }

  /** Says the newest text, seldom while training, and once when it rests. */
  #speak(): void {
    const { entries, training } = this.#data;
    const newest = entries.at(-1);
    if (newest === undefined || newest === this.#spokeOf) return;
    const now = performance.now();
    if (training && now - this.#spokeAt < QUIET) return;
    [this.#spokeAt, this.#spokeOf] = [now, newest];
    const { t, number } = this.#words;
    const text = newest.texts.find((one) => one.trim() !== '') ?? t('samples.nothing');
    setText(this.#spoken, t('samples.spoken', { step: number(newest.step), text }));
  }

  update(data: SamplesData): void {
    // Who opens a finished run is not told what it wrote: that stands on the page.
    if (!data.training && !this.#data.training) this.#spokeOf = data.entries.at(-1);
    this.#data = data;
    this.#speak();
    this.#draw.request();
  }

  resize(): void {
    // At another width the texts take other heights.
    if (Math.abs(this.#list.clientWidth - this.#width) > 1) this.#forgetHeight();
    this.#draw.request();
  }

  destroy(): void {
    this.#growth.disconnect();
    this.#draw.cancel();
    this.#container.replaceChildren();
  }
}

function createRow(): Row {
  const stamp = el('span', { class: 'stamp' });
  const box = el('div');
  return { root: el('li', {}, stamp, box), stamp, box, entry: null, texts: [] };
}
