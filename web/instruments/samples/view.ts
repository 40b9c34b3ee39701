/**
 * What the model wrote at different steps, newest first. So that the way from nonsense to words
 * stays in sight, only the newest, the oldest, and about one for each halving in between are shown;
 * all of them on request.
 */
import type { Words } from '../../i18n/index.ts';
import { el, freshId, perFrame, setText, setAttribute } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { hasBroken, hasCut, isCut, landmarks, writtenParts } from '../../kit/written.ts';
import type { SampleEntry } from '../../kit/written.ts';

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
