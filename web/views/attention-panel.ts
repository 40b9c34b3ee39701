/** The attention section: the text that is looked at, all heads small, one head large. */
import type { Words } from '../i18n/index.ts';
import type { AttentionData, HeadPlace } from './attention-data.ts';
import { createAttentionGrid } from './attention-grid.ts';
import { createAttentionMap } from './attention-map.ts';
import { el, freshId, setText, setAttribute } from './dom.ts';
import type { View } from './dom.ts';

export interface AttentionPanelOptions {
  readonly words: Words;
  readonly isDark: () => boolean;
  readonly probe: string;
  readonly onProbe: (text: string) => void;
}

export interface AttentionPanelData {
  readonly attention: AttentionData | null;
  /** Tokens of the text that did not fit. */
  readonly omitted: number;
  /** What is wrong with the text, in the reader's language. */
  readonly error: string;
}

export interface AttentionPanel extends View<AttentionPanelData> {
  /** Shows another text in the field, as when a new sample text comes with one of its own. */
  setProbe(text: string): void;
}

/** Creates the attention section in `container`. */
export function createAttentionPanel(
  container: HTMLElement,
  options: AttentionPanelOptions,
): AttentionPanel {
  const { words, isDark, onProbe } = options;
  const { t } = words;
  const fieldId = freshId('probe');
  const noteId = freshId('probe-note');
  const field = el('input', {
    id: fieldId,
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 400,
    'aria-describedby': noteId,
  });
  field.value = options.probe;
  const note = el('p', { id: noteId, class: 'note', role: 'status' });
  const gridBox = el('div', {});
  const mapBox = el('div', { class: 'map-box' });
  const headName = el('h3', {});
  const stamp = el('span', { class: 'stamp' });
  const empty = el('p', { class: 'muted' }, t('attention.empty'));
  container.append(
    el('h2', {}, t('attention.title')),
    el('p', { class: 'lead' }, t('attention.lead')),
    el('label', { for: fieldId, class: 'field-label' }, t('attention.probe')),
    field,
    note,
    empty,
    gridBox,
    el('div', { class: 'head-row map-head' }, headName, stamp),
    mapBox,
  );

  let data: AttentionPanelData = { attention: null, omitted: 0, error: '' };
  let chosen: HeadPlace = { layer: 0, head: 0 };
  const grid = createAttentionGrid(gridBox, {
    words,
    isDark,
    onChoose: (place) => {
      chosen = place;
      show();
    },
  });
  const map = createAttentionMap(mapBox, { words, isDark });
  field.addEventListener('input', () => {
    onProbe(field.value);
  });

  function show(): void {
    const { attention, omitted, error } = data;
    if (attention !== null) {
      // Another model may have fewer layers or heads.
      const layer = Math.min(chosen.layer, attention.layers - 1);
      const head = Math.min(chosen.head, attention.heads - 1);
      chosen = { layer, head };
    }
    grid.update({ attention, chosen });
    map.update({ attention, chosen });
    empty.hidden = attention !== null || error !== '';
    const place = { layer: chosen.layer + 1, head: chosen.head + 1 };
    setText(headName, attention === null ? '' : t('attention.head', place));
    setText(
      stamp,
      attention === null ? '' : t('attention.step', { step: words.number(attention.step) }),
    );
    setAttribute(field, 'aria-invalid', String(error !== ''));
    note.classList.toggle('error', error !== '');
    setText(note, error !== '' ? error : omitted > 0 ? t('attention.omitted', { omitted }) : '');
  }
  show();

  return {
    update(next) {
      // An error keeps the last picture, so that a slip of the finger does not blank it.
      const attention = next.error === '' ? next.attention : (next.attention ?? data.attention);
      data = { ...next, attention };
      show();
    },
    setProbe(text) {
      if (field.value !== text) field.value = text;
    },
    resize() {
      grid.resize();
      map.resize();
    },
    destroy() {
      grid.destroy();
      map.destroy();
      container.replaceChildren();
    },
  };
}
