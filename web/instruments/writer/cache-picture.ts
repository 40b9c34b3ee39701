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

export interface CachePicture {
  update(data: CachePictureData | null): void;
}

/**
 * Appends the picture to `container`. `href` leads to the page that explains the cache, if there is
 * one.
 */
export function createCachePicture(
  container: HTMLElement,
  { words, href }: { readonly words: AllWords; readonly href: string | null },
): CachePicture {
  const { t, number } = words;
  const tokenRow = el('div', { class: 'cache-tokens', 'aria-hidden': 'true' });
  const rows = el('div', { class: 'cache-rows', 'aria-hidden': 'true' });
  const newKey = el('span', { class: 'cache-key new' });
  const legend = el(
    'div',
    { class: 'legend', 'aria-hidden': 'true' },
    newKey,
    el('span', { class: 'cache-key old' }, t('write.cache.old')),
    el('span', { class: 'cache-key free' }, t('write.cache.free')),
  );
  const filled = el('p', { class: 'summary' });
  const event = el('p', { class: 'note cache-event' });
  const work = [t('write.work.with'), t('write.work.without')].map((title) => {
    const bar = el('span', { class: 'bar' });
    const value = el('td', {});
    const track = el('span', { class: 'track', 'aria-hidden': 'true' }, bar);
    const root = el('tr', {}, el('th', { scope: 'row' }, title), el('td', {}, track), value);
    return { root, bar, value };
  });
  const saved = el('p', { class: 'summary' });
  const picture = el(
    'div',
    { class: 'cache-picture' },
    tokenRow,
    rows,
    legend,
    filled,
    event,
    el(
      'table',
      { class: 'work' },
      el('caption', {}, t('write.work')),
      el('tbody', {}, ...work.map(({ root }) => root)),
    ),
    saved,
  );
  container.append(
    el('h3', {}, t('write.cache')),
    el(
      'p',
      { class: 'note' },
      t('write.cache.lead'),
      ' ',
      ...(href === null
        ? []
        : [el('a', { href, target: '_blank', rel: 'noopener' }, t('write.cache.more'))]),
    ),
    picture,
  );
  const across = (text: string): number => (textWidth(text) * LETTER.size) / LETTER.counted;
  let shape = '';
  let tracks: { readonly old: HTMLElement; readonly fresh: HTMLElement }[] = [];

  function build(layers: number, capacity: number): void {
    tracks = [];
    const track = (title: string): HTMLElement => {
      const old = el('div', { class: 'cache-old' });
      const fresh = el('div', { class: 'cache-new' });
      tracks.push({ old, fresh });
      const cells = el('div', { class: 'cache-track' }, old, fresh);
      if (capacity <= SEPARATE) {
        cells.append(el('div', { class: 'cache-lines' }));
        cells.style.setProperty('--cell', `${String(100 / capacity)}%`);
      }
      return el('div', { class: 'cache-row' }, el('span', {}, title), cells);
    };
    rows.replaceChildren(
      ...Array.from({ length: Math.min(layers, LAYERS) }, (_, layer) =>
        el(
          'div',
          { class: 'cache-layer' },
          el('span', { class: 'cache-name' }, t('write.cache.layer', { layer: layer + 1 })),
          track(t('write.cache.keys')),
          track(t('write.cache.values')),
        ),
      ),
    );
    if (layers > LAYERS) rows.append(el('div', { class: 'stamp' }, '…'));
  }

  /** The tokens above their positions; none where there is too little room for any of them. */
  function nameTokens(context: CachePictureData['context'], capacity: number): void {
    const cell = (rows.querySelector('.cache-track')?.clientWidth ?? 0) / capacity;
    let least = Infinity;
    const names = axisMarks(context, true).map(({ label, start, end }) => {
      const room = (end - start) * cell;
      const long = Array.from(label).length > 1 && across(label) > room;
      // Bytes whose character is not finished yet are said above.
      const shown = long && context[start]?.kind === 'bytes' ? '…' : label;
      const onEnd = long && shown === label;
      least = Math.min(least, room / (onEnd ? LETTER.size : across(shown)));
      const name = el('span', onEnd ? { class: 'on-end' } : {}, shown);
      name.style.gridColumn = `${String(start + 1)} / ${String(end + 1)}`;
      return name;
    });
    tokenRow.hidden = capacity > SEPARATE || least < 1;
    tokenRow.style.setProperty('--cells', String(capacity));
    tokenRow.replaceChildren(...names);
  }

  function filledText({ context, capacity, bytes, layers, channels }: CachePictureData): string {
    return t('write.cache.filled', {
      rows: number(context.length),
      capacity: number(capacity),
      bytes: words.bytes(bytes),
      layers: number(layers),
      channels: number(channels),
    });
  }

  return {
    update(data) {
      picture.hidden = data === null;
      if (data === null) return;
      const { context, capacity, layers, computed } = data;
      const wanted = `${String(layers)} ${String(capacity)}`;
      if (wanted !== shape) build(layers, capacity);
      shape = wanted;
      const share = (count: number): string => `${String((100 * count) / capacity)}%`;
      for (const { old, fresh } of tracks) {
        old.style.width = share(context.length - computed);
        fresh.style.left = share(context.length - computed);
        fresh.style.width = share(computed);
      }
      nameTokens(context, capacity);
      setText(newKey, t('write.cache.new', { count: number(computed) }));
      setText(filled, filledText(data));
      event.hidden = !data.refilled && !data.reread;
      setText(
        event,
        data.refilled ? t('write.cache.refilled', { count: computed }) : t('write.cache.reread'),
      );
      const most = Math.max(1, data.work, data.workWithout);
      for (const [index, value] of [data.work, data.workWithout].entries()) {
        const one = work[index];
        if (one === undefined) continue;
        one.bar.style.width = `${String((100 * value) / most)}%`;
        setText(one.value, number(value));
      }
      setText(
        saved,
        t('write.work.saved', {
          with: number(data.totalWork),
          without: number(data.totalWithout),
          share: words.percent(Math.max(0, 1 - data.totalWork / Math.max(1, data.totalWithout))),
        }),
      );
    },
  };
}
