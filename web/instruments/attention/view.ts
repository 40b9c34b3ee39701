/**
 * The attention section: the text that is looked at, all heads small, one head large as a map or as
 * arcs, and what that head does. A slider looks back at earlier steps of the run.
 */
import { sentences, withNumbers } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { createAttentionArcs } from './attention-arcs.ts';
import { placeWithin } from '../../data/attention-data.ts';
import type { AttentionData, HeadPlace } from '../../data/attention-data.ts';
import { createAttentionGrid } from './attention-grid.ts';
import { createAttentionHabits } from './attention-habits.ts';
import { createAttentionMap } from './attention-map.ts';
import {
  attentionPicture,
  headFileName,
  pictureTitle,
} from '../../kit/pictures/attention-picture.ts';
import { cssValue, el, freshId, range, setAttribute, setText, standAt } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { createExport } from '../../kit/export-picture.ts';
import type { HeadMeasures, UntrainedHeads } from '../../store/training/head-habits.ts';
import { standaloneDrawing } from '../../kit/standalone-drawing.ts';
import type { Cell } from '../../base/cell.ts';

/** How the large head is looked at. */
export interface AttentionLook {
  shape: 'map' | 'arcs';
  /** The token whose row is read; -1 for the last. */
  row: number;
}

export interface AttentionPanelOptions {
  readonly words: Words;
  readonly folds: Folds;
  /** The shown run in the names of files. */
  readonly runFile: () => string;
  readonly isDark: () => boolean;
  readonly probe: string;
  /** Another text is looked at; null for the one that suits the text to learn. */
  readonly onProbe: (text: string | null) => void;
  /** Another head is to be shown large. */
  readonly onHead: (place: HeadPlace) => void;
  /** Another step is to be looked back at; null for the newest. */
  readonly onLookAt: (step: number | null) => void;
  /** All heads of a probe, layer by layer, in plain statistics. */
  readonly measure: (attention: AttentionData) => readonly HeadMeasures[];
  /** How it is looked at, to begin with and from then on. */
  readonly look: AttentionLook;
  /** With room for map and arcs side by side; without a title, since a tab has it. */
  readonly wide: boolean;
  /**
   * From the form in the column to the wide one, or back; null where there is no other. `at` is
   * where the button was pressed, in CSS pixels below the top of the window.
   */
  readonly onOther: ((at: number) => void) | null;
  /** A cell of the map was chosen: what is said of it. */
  readonly onRead: (sentence: string) => void;
  /** To how the weight of a cell is computed; null where that cannot be shown. */
  readonly onWeight: ((head: HeadPlace, cell: Cell) => void) | null;
}

export interface AttentionPanelData {
  /** Which run it is: pictures of another one say nothing of it. */
  readonly run: number;
  /** The head that is shown large, where the model has it. */
  readonly head: HeadPlace;
  /** The step that is looked back at, as far as the history has it; null follows the run. */
  readonly lookBack: number | null;
  readonly attention: AttentionData | null;
  /**
   * The probes of this run on this text that can be looked back at, in order; the last is
   * `attention`.
   */
  readonly history: readonly AttentionData[];
  readonly untrained: UntrainedHeads;
  /** Tokens of the text that did not fit. */
  readonly omitted: number;
  /** Whether the model itself would see more tokens than maps have room for. */
  readonly fits: boolean;
  /** The text that one can go back to; empty for none. */
  readonly suited: string;
  /** What is wrong with the text, in the reader's language. */
  readonly error: string;
}

export interface AttentionPanel extends View<AttentionPanelData> {
  /** Shows another text in the field, as when a new sample text comes with one of its own. */
  setProbe(text: string): void;
  /** Comes into sight, with the way back where the way here was pressed. */
  enter(at: number): void;
}

/** No step that is looked back at takes more letters. */
const LONGEST_STEP = 199_500;

/** Creates the attention section in `container`. */
export function createAttentionPanel(
  container: HTMLElement,
  options: AttentionPanelOptions,
): AttentionPanel {
  const { words, isDark, onProbe, onHead, onLookAt, measure, look, wide, onOther, onWeight } =
    options;
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
  // Beside the label, where it moves nothing when it comes.
  const suited = el('button', { type: 'button', class: 'link' });
  suited.addEventListener('click', () => {
    // It goes with its text: the keyboard goes on in the field.
    field.focus();
    onProbe(null);
  });
  const note = el('p', { id: noteId, class: 'note', role: 'status' });
  const gridBox = el('div', {});
  const mapBox = el('div', { class: 'map-box' });
  const arcsBox = el('div', { class: 'arcs-box' });
  const habitsBox = el('div', { class: 'habits-box' });
  const headName = el('span', {});
  const headTitle = el('h3', {}, headName);
  const stamp = el('span', { class: 'stamp' });
  const empty = el('p', { class: 'muted' }, t('attention.empty'));
  const beginning = el('p', { class: 'note' }, t('attention.beginning'));
  const backId = freshId('look-back');
  const back = range({ id: backId, min: 0, max: 0, value: 0 });
  const backRow = el(
    'div',
    { class: 'look-back' },
    el('label', { for: backId }, t('attention.back')),
    back,
    stamp,
  );
  const backNote = el('p', { id: freshId('look-back-note'), class: 'note' });
  back.setAttribute('aria-describedby', backNote.id);
  const kinds = (['map', 'arcs'] as const).map((kind) => {
    const button = el(
      'button',
      { type: 'button', class: 'segment', 'aria-pressed': 'false' },
      t(`attention.as.${kind}`),
    );
    button.addEventListener('click', () => {
      look.shape = kind;
      show();
    });
    return { kind, button };
  });
  const switcher = el(
    'div',
    { class: 'segmented', role: 'group', 'aria-label': t('attention.as') },
    ...kinds.map(({ button }) => button),
  );
  const other = el(
    'button',
    { type: 'button', class: 'link' },
    t(wide ? 'attention.reduce' : 'attention.enlarge'),
  );
  other.hidden = onOther === null;
  other.addEventListener('click', () => onOther?.(other.getBoundingClientRect().top));
  const how = el('button', { type: 'button', class: 'link weight-how' }, t('attention.how'));
  how.addEventListener('click', () => {
    const cell = map.cellToRead();
    if (cell !== null) onWeight?.(chosen, cell);
  });
  const controls = el(
    'div',
    { class: 'attention-controls' },
    el(
      'div',
      { class: 'probe-head' },
      el('label', { for: fieldId, class: 'field-label' }, t('attention.probe')),
      suited,
    ),
    field,
    note,
    empty,
    gridBox,
    backRow,
    backNote,
  );
  const save = createExport({
    words,
    what: t('export.what.map'),
    name: () => headFileName('attention', chosen, shown(), options.runFile()),
    draw: () => {
      const attention = shown();
      return attention === null ? null : attentionPicture(attention, chosen, words);
    },
  });
  const saveArcs = createExport({
    words,
    what: t('export.what.arcs'),
    name: () => headFileName('arcs', chosen, shown(), options.runFile()),
    draw: () => {
      const attention = shown();
      if (attention === null) return null;
      const title = pictureTitle(attention, chosen, words);
      return standaloneDrawing(arcs.picture(), title, cssValue(container, '--paper'));
    },
  });
  const large = el(
    'div',
    { class: 'attention-large' },
    el('div', { class: 'head-row map-head' }, headTitle, wide ? other : switcher),
    beginning,
    el(
      'div',
      { class: 'attention-pictures' },
      el('div', {}, mapBox, how, save),
      el('div', {}, arcsBox, saveArcs),
    ),
    habitsBox,
  );
  const panel = el(
    'div',
    { class: wide ? 'attention-wide' : 'attention-panel' },
    ...(wide
      ? []
      : [
          el('div', { class: 'head-row' }, el('h2', {}, t('attention.title')), other),
          el('p', { class: 'lead' }, t('attention.lead')),
        ]),
    controls,
    large,
  );
  container.append(panel);

  let data: AttentionPanelData = {
    ...{
      run: -1,
      attention: null,
      history: [],
      untrained: 'awaited',
      omitted: 0,
      fits: false,
      error: '',
    },
    ...{ suited: '' },
    ...{ head: { layer: 0, head: 0 }, lookBack: null },
  };
  let chosen = data.head;
  const grid = createAttentionGrid(gridBox, {
    words,
    isDark,
    onChoose: onHead,
  });
  const map = createAttentionMap(mapBox, {
    words,
    folds: options.folds,
    isDark,
    wide,
    onRow: takeRow,
    onRead: options.onRead,
  });
  const arcs = createAttentionArcs(arcsBox, { words, wide, onRow: takeRow });
  const habits = createAttentionHabits(habitsBox, { words });
  field.addEventListener('input', () => {
    onProbe(field.value);
  });
  back.addEventListener('input', () => {
    const { history } = data;
    const index = Number(back.value);
    onLookAt(index >= history.length - 1 ? null : (history[index]?.step ?? null));
  });

  /** Map and arcs read the same row. */
  function takeRow(next: number): void {
    look.row = next;
    showLarge(shown());
  }

  /** The probe that is shown: the newest, or the one that is looked back at. */
  function shown(): AttentionData | null {
    const { attention, history, lookBack } = data;
    if (lookBack === null) return attention;
    // When the history was thinned out, the nearest before it; of another text it may have none.
    return history.filter((entry) => entry.step <= lookBack).at(-1) ?? attention;
  }

  function show(): void {
    const { history, untrained, error } = data;
    const attention = shown();
    chosen = attention === null ? data.head : placeWithin(data.head, attention);
    const measures = attention === null ? [] : measure(attention);
    grid.update({ attention, chosen, measures });
    showLarge(attention);
    empty.hidden = attention !== null || error !== '';
    suited.hidden = data.suited === '';
    setText(suited, t('attention.probe.back', { text: data.suited }));
    // What is drawn is of the text before the mistake.
    panel.classList.toggle('of-before', error !== '');
    const place = { layer: chosen.layer + 1, head: chosen.head + 1 };
    const past = attention === data.attention ? null : (attention?.step ?? null);
    const stepName = t('attention.step', { step: words.number(past ?? 0) });
    const named = t('attention.head', place);
    const full = past === null ? named : t('attention.head.at', { head: named, step: stepName });
    setText(headName, attention === null ? '' : withNumbers(full));
    const longest = t('attention.step', { step: words.number(LONGEST_STEP) });
    headTitle.dataset.longest = withNumbers(t('attention.head.at', { head: named, step: longest }));
    showBack(attention);
    const index = attention === null ? 0 : chosen.layer * attention.heads + chosen.head;
    habits.update({
      now: measures[index] ?? null,
      at: past === null ? null : stepName,
      untrained: typeof untrained === 'string' ? untrained : (untrained[index] ?? 'unknown'),
      course: history.flatMap((entry) => {
        const one = measure(entry)[index];
        return one === undefined ? [] : [{ step: entry.step, measures: one }];
      }),
    });
    setAttribute(field, 'aria-invalid', String(error !== ''));
    note.classList.toggle('error', error !== '');
    setText(note, error !== '' ? error : leftOut(attention));
  }

  /** How many tokens do not fit. The beginning, which nobody has typed, takes a place too. */
  function leftOut(attention: AttentionData | null): string {
    const { omitted } = data;
    if (omitted === 0) return '';
    const tokens = attention?.tokens ?? [];
    const all = { room: tokens.length };
    const begun = tokens[0]?.kind === 'bos' ? t('attention.omitted.room', all) : '';
    const room = data.fits ? t('attention.omitted.maps', all) : begun;
    return sentences([t('attention.omitted', { omitted }), room], words);
  }

  function showLarge(attention: AttentionData | null): void {
    const mapSeen = wide || look.shape === 'map';
    const arcsSeen = wide || look.shape === 'arcs';
    switcher.hidden = attention === null;
    beginning.hidden = attention?.tokens[0]?.kind !== 'bos';
    save.hidden = !mapSeen || attention === null;
    saveArcs.hidden = !arcsSeen || attention === null;
    mapBox.hidden = !mapSeen || attention === null;
    how.hidden = mapBox.hidden || onWeight === null;
    // What is looked back at was computed with weights that are gone; nothing moves for that.
    how.style.visibility = attention === data.attention ? '' : 'hidden';
    arcsBox.hidden = !arcsSeen || attention === null;
    if (look.row >= (attention?.tokens.length ?? Infinity)) look.row = -1;
    const { row, shape } = look;
    if (mapSeen) map.update({ attention, chosen, row });
    if (arcsSeen) arcs.update({ attention, chosen, row });
    for (const { kind, button } of kinds) {
      setAttribute(button, 'aria-pressed', String(kind === shape));
    }
  }

  /**
   * How one looks back, or why one can look back no further: a line in any case, so that nothing
   * moves.
   */
  function aboutBack(): string {
    const { attention, history } = data;
    const from = history[0]?.step ?? 0;
    if (attention === null || (attention.step === 0 && from === 0))
      return t('attention.back.before');
    const step = words.number(from);
    if (history.length < 2) return t('attention.back.none', { step });
    return from === 0 ? t('attention.back.how') : t('attention.back.from', { step });
  }

  function showBack(attention: AttentionData | null): void {
    const { history } = data;
    backRow.hidden = attention === null;
    back.disabled = history.length < 2;
    setText(backNote, aboutBack());
    backNote.hidden = attention === null;
    setAttribute(back, 'max', String(Math.max(0, history.length - 1)));
    const at = attention === null ? -1 : history.indexOf(attention);
    back.value = String(at < 0 ? history.length - 1 : at);
    const step = words.number(attention?.step ?? 0);
    setText(stamp, t('attention.step', { step }));
    setAttribute(back, 'aria-valuetext', t('attention.step', { step }));
  }
  show();

  return {
    update(next) {
      // An error keeps the run's last picture, so that a slip of the finger does not blank it.
      const kept = next.error !== '' && next.run === data.run ? data.attention : null;
      const attention = next.attention ?? kept;
      data = { ...next, attention };
      show();
    },
    setProbe(text) {
      if (field.value !== text) field.value = text;
    },
    enter(at) {
      // After the frame in which the heads above are drawn, which moves what stands below them.
      requestAnimationFrame(() => {
        requestAnimationFrame(() => {
          standAt(other, wide ? map.end : other, at);
          other.focus({ preventScroll: true });
        });
      });
    },
    resize() {
      grid.resize();
      map.resize();
      arcs.resize();
    },
    destroy() {
      grid.destroy();
      map.destroy();
      arcs.destroy();
      habits.destroy();
      container.replaceChildren();
    },
  };
}
