/**
 * The KV cache while a text is written: for each layer the rows of keys and values that are filled,
 * and the work that they save.
 */
import type { AllWords } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';
import { textWidth } from '../../kit/picture-key.ts';
import { axisMarks } from '../../kit/row-labels.ts';
import type { VocabularyToken } from '../../data/token-data.ts';

export interface CachePictureData {
  /** The tokens in the cache, one a row. */
  readonly context: readonly VocabularyToken[];
  readonly capacity: number;
  readonly layers: number;
  readonly channels: number;
  readonly bytes: number;
  /** Rows at the end that the last step computed. */
  readonly computed: number;
  /** Multiplications with additions of the last step. */
  readonly work: number;
  readonly workWithout: number;
  /** The same of all steps of this text. */
  readonly totalWork: number;
  readonly totalWithout: number;
  readonly refilled: boolean;
  readonly reread: boolean;
}

/** Layers that are drawn; deeper models say how many more there are in the sentence with them. */
const LAYERS = 8;
/** Contexts up to this length have a line between positions, and their tokens above them. */
const SEPARATE = 64;
/**
 * CSS pixels that a letter needs across, of the 13 that `textWidth` counts with and of those here.
 */
const LETTER = { counted: 13, size: 11 };

/** What is filled, and what the last step computed, of the keys or the values of one layer. */
interface Track {
  readonly old: HTMLElement;
  readonly fresh: HTMLElement;
}

/** A row of the table of work. */
interface Work {
  readonly root: HTMLElement;
  readonly bar: HTMLElement;
  readonly value: HTMLElement;
}

export class CachePicture {
  readonly #words: AllWords;
  readonly #tokens = el('div', { class: 'cache-tokens', 'aria-hidden': 'true' });
  readonly #rows = el('div', { class: 'cache-rows', 'aria-hidden': 'true' });
  readonly #newKey = el('span', { class: 'cache-key new' });
  readonly #filled = el('p', { class: 'summary' });
  readonly #event = el('p', { class: 'note cache-event' });
  readonly #with: Work;
  readonly #without: Work;
  readonly #saved = el('p', { class: 'summary' });
  readonly #picture: HTMLElement;
  #shape = '';
  #tracks: Track[] = [];

  /**
   * Appends the picture to `container`. `href` leads to the page that explains the cache, if there
   * is one.
   */
  constructor(container: HTMLElement, words: AllWords, href: string | null) {
    const { t } = words;
    this.#words = words;
    this.#with = workRow(t('write.work.with'));
    this.#without = workRow(t('write.work.without'));
    this.#picture = this.#create();
    const lead = el('p', { class: 'note' }, t('write.cache.lead'), ' ');
    if (href !== null) {
      lead.append(el('a', { href, target: '_blank', rel: 'noopener' }, t('write.cache.more')));
    }
    container.append(el('h3', {}, t('write.cache')), lead, this.#picture);
  }

  update(data: CachePictureData | null): void {
    this.#picture.hidden = data === null;
    if (data === null) return;
    const { t, number } = this.#words;
    const { context, capacity, layers, computed, refilled } = data;
    this.#build(layers, capacity);
    const share = (count: number): string => `${String((100 * count) / capacity)}%`;
    for (const { old, fresh } of this.#tracks) {
      old.style.width = share(context.length - computed);
      fresh.style.left = share(context.length - computed);
      fresh.style.width = share(computed);
    }
    this.#nameTokens(context, capacity);
    setText(this.#newKey, t('write.cache.new', { count: number(computed) }));
    setText(this.#filled, filledText(data, this.#words));
    this.#event.hidden = !refilled && !data.reread;
    const event = refilled
      ? t('write.cache.refilled', { count: computed })
      : t('write.cache.reread');
    setText(this.#event, event);
    this.#showWork(data);
  }

  #create(): HTMLElement {
    const { t } = this.#words;
    const legend = el(
      'div',
      { class: 'legend', 'aria-hidden': 'true' },
      this.#newKey,
      el('span', { class: 'cache-key old' }, t('write.cache.old')),
      el('span', { class: 'cache-key free' }, t('write.cache.free')),
    );
    const work = el(
      'table',
      { class: 'work' },
      el('caption', {}, t('write.work')),
      el('tbody', {}, this.#with.root, this.#without.root),
    );
    return el(
      'div',
      { class: 'cache-picture' },
      this.#tokens,
      this.#rows,
      legend,
      this.#filled,
      this.#event,
      work,
      this.#saved,
    );
  }

  /** Makes the rows of a model of another shape. */
  #build(layers: number, capacity: number): void {
    const shape = `${String(layers)} ${String(capacity)}`;
    if (shape === this.#shape) return;
    this.#shape = shape;
    this.#tracks = [];
    const { t } = this.#words;
    const drawn = Array.from({ length: Math.min(layers, LAYERS) }, (_, layer) =>
      el(
        'div',
        { class: 'cache-layer' },
        el('span', { class: 'cache-name' }, t('write.cache.layer', { layer: layer + 1 })),
        this.#createTrack(t('write.cache.keys'), capacity),
        this.#createTrack(t('write.cache.values'), capacity),
      ),
    );
    this.#rows.replaceChildren(...drawn);
    if (layers > LAYERS) this.#rows.append(el('div', { class: 'stamp' }, '…'));
  }

  #createTrack(title: string, capacity: number): HTMLElement {
    const old = el('div', { class: 'cache-old' });
    const fresh = el('div', { class: 'cache-new' });
    this.#tracks.push({ old, fresh });
    const cells = el('div', { class: 'cache-track' }, old, fresh);
    if (capacity <= SEPARATE) {
      cells.append(el('div', { class: 'cache-lines' }));
      cells.style.setProperty('--cell', `${String(100 / capacity)}%`);
    }
    return el('div', { class: 'cache-row' }, el('span', {}, title), cells);
  }

  /** The tokens above their positions; none where there is too little room for any of them. */
  #nameTokens(context: CachePictureData['context'], capacity: number): void {
    const cell = (this.#rows.querySelector('.cache-track')?.clientWidth ?? 0) / capacity;
    let least = Infinity;
    const names = axisMarks(context, true).map(({ label, start, end }) => {
      const room = (end - start) * cell;
      const long = Array.from(label).length > 1 && widthOf(label) > room;
      // Bytes whose character is not finished yet are said above.
      const shown = long && context[start]?.kind === 'bytes' ? '…' : label;
      const onEnd = long && shown === label;
      least = Math.min(least, room / (onEnd ? LETTER.size : widthOf(shown)));
      const name = el('span', onEnd ? { class: 'on-end' } : {}, shown);
      name.style.gridColumn = `${String(start + 1)} / ${String(end + 1)}`;
      return name;
    });
    this.#tokens.hidden = capacity > SEPARATE || least < 1;
    this.#tokens.style.setProperty('--cells', String(capacity));
    this.#tokens.replaceChildren(...names);
  }

  #showWork({ work, workWithout, totalWork, totalWithout }: CachePictureData): void {
    const { t, number, percent } = this.#words;
    const most = Math.max(1, work, workWithout);
    const show = ({ bar, value }: Work, count: number): void => {
      bar.style.width = `${String((100 * count) / most)}%`;
      setText(value, number(count));
    };
    show(this.#with, work);
    show(this.#without, workWithout);
    const share = percent(Math.max(0, 1 - totalWork / Math.max(1, totalWithout)));
    const totals = { with: number(totalWork), without: number(totalWithout), share };
    setText(this.#saved, t('write.work.saved', totals));
  }
}

function workRow(title: string): Work {
  const bar = el('span', { class: 'bar' });
  const value = el('td', {});
  const track = el('span', { class: 'track', 'aria-hidden': 'true' }, bar);
  const root = el('tr', {}, el('th', { scope: 'row' }, title), el('td', {}, track), value);
  return { root, bar, value };
}

/** CSS pixels that a text needs above the rows. */
function widthOf(text: string): number {
  return (textWidth(text) * LETTER.size) / LETTER.counted;
}

function filledText(data: CachePictureData, { t, number, bytes }: AllWords): string {
  return t('write.cache.filled', {
    rows: number(data.context.length),
    capacity: number(data.capacity),
    bytes: bytes(data.bytes),
    layers: number(data.layers),
    channels: number(data.channels),
  });
}
