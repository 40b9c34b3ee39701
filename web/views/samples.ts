/**
 * What the model wrote at different steps, newest first. So that the way from nonsense to words
 * stays in sight, only the newest, the oldest, and about one for each halving in between are shown;
 * all of them on request.
 */
import type { Words } from '../i18n/index.ts';
import { withControlSigns } from './attention-data.ts';
import { el, freshId, perFrame, setText, setAttribute } from './dom.ts';
import type { View } from './dom.ts';

/** Texts written at one step. */
export interface SampleEntry {
  readonly step: number;
  readonly texts: readonly string[];
  /** Which of them, from 0, the model did not end itself, having no room for more. */
  readonly cut?: readonly number[];
}

export interface SamplesData {
  readonly entries: readonly SampleEntry[];
  /** Whether a token may be part of a character: then � is one that was not finished. */
  readonly pieces: boolean;
}

/** Creates the stream of samples in `container`. */
export function createSamples(
  container: HTMLElement,
  options: { readonly words: Words },
): View<SamplesData> {
  const { words } = options;
  const { t } = words;
  const listId = freshId('samples');
  const list = el('ol', { id: listId, class: 'samples', reversed: true });
  const empty = el('p', { class: 'muted' }, t('samples.empty'));
  const all = el('button', {
    type: 'button',
    class: 'link',
    'aria-controls': listId,
    hidden: true,
  });
  const broken = el('p', { class: 'note', hidden: true }, t('samples.broken'));
  const cutNote = el('p', { class: 'note', hidden: true }, t('samples.cut'));
  const head = el('div', { class: 'head-row' }, el('h2', {}, t('samples.title')), all);
  const side = el('p', { class: 'note', hidden: true }, t('samples.many'));
  const lead = el('p', { class: 'lead' }, t('samples.lead'));
  container.append(head, lead, empty, side, cutNote, broken, list);
  let entries: readonly SampleEntry[] = [];
  let pieces = false;
  let showAll = false;
  let shown = '';
  const rows = new Map<SampleEntry, HTMLLIElement>();

  function row(entry: SampleEntry): HTMLLIElement {
    let made = rows.get(entry);
    if (made === undefined) {
      const step = el(
        'span',
        { class: 'stamp' },
        t('samples.step', { step: words.number(entry.step) }),
      );
      const texts = entry.texts.map((text, at) =>
        text.trim() === ''
          ? el('span', { class: 'written muted' }, t('samples.nothing'))
          : el(
              'span',
              { class: 'written', translate: 'no' },
              ...writtenParts(text, isCut(entry, at)),
            ),
      );
      const written = el('div', { class: entry.texts.length > 1 ? 'many' : 'one' }, ...texts);
      made = el('li', {}, step, written);
      rows.set(entry, made);
    }
    return made;
  }

  const draw = perFrame(() => {
    const chosen = showAll ? [...entries] : landmarks(entries);
    empty.hidden = entries.length > 0;
    side.hidden = chosen.every(({ texts }) => texts.length < 2);
    cutNote.hidden = !hasCut(chosen);
    broken.hidden = !pieces || !hasBroken(chosen);
    all.hidden = entries.length <= landmarks(entries).length;
    list.classList.toggle('whole', showAll);
    setAttribute(all, 'aria-expanded', String(showAll));
    setText(all, showAll ? t('samples.fewer') : t('samples.all', { count: entries.length }));
    for (const known of rows.keys()) if (!entries.includes(known)) rows.delete(known);
    const wanted = chosen.map(({ step }) => step).join(' ');
    if (wanted === shown && chosen.every((entry) => rows.has(entry))) return;
    shown = wanted;
    list.replaceChildren(...chosen.reverse().map(row));
  });
  all.addEventListener('click', () => {
    showAll = !showAll;
    draw.request();
  });
  draw.request();

  return {
    update(data) {
      ({ entries, pieces } = data);
      draw.request();
    },
    resize: () => undefined,
    destroy() {
      draw.cancel();
      container.replaceChildren();
    },
  };
}

/** A text as it is shown; one that the model did not end itself ends in dots of another colour. */
export function writtenParts(text: string, isCut: boolean): (string | HTMLElement)[] {
  const shown = withControlSigns(text);
  return isCut ? [shown, el('span', { class: 'muted' }, '…')] : [shown];
}

/** Whether the model did not end the text at `at`. */
export function isCut({ cut = [] }: SampleEntry, at: number): boolean {
  return cut.includes(at);
}

/** Whether any text does so. */
export function hasCut(entries: readonly SampleEntry[]): boolean {
  return entries.some(({ cut = [] }) => cut.length > 0);
}

/** Whether a sign stands in the place of a character that could not be read. */
export function hasBroken(entries: readonly SampleEntry[]): boolean {
  return entries.some(({ texts }) => texts.some((text) => text.includes('\uFFFD')));
}

/** The first, the last, and for each halving of the last step the first sample after it. */
export function landmarks(entries: readonly SampleEntry[]): SampleEntry[] {
  const last = entries.at(-1);
  const first = entries[0];
  if (last === undefined || first === undefined) return [];
  const chosen = new Set([first, last]);
  for (let mark = last.step / 2; mark >= 10 && chosen.size < 7; mark /= 2) {
    const found = entries.find((entry) => entry.step >= mark);
    if (found !== undefined) chosen.add(found);
  }
  return entries.filter((entry) => chosen.has(entry));
}
