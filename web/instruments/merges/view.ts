/**
 * The merges of a learned vocabulary: all of them in order, and a text that is merged step by step.
 */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { axisLabel, spokenLabel } from '../../data/attention-data.ts';
import type { AttentionToken } from '../../data/attention-data.ts';
import { mergeSteps, ranksOf } from './bpe-steps.ts';
import type { MergeRanks, MergeStep, Piece } from './bpe-steps.ts';
import { el, freshId, range, setText, table } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';

/** One merge: wherever `left` and `right` stand side by side they become `result`. */
export interface ShownMerge {
  readonly left: AttentionToken;
  readonly right: AttentionToken;
  readonly result: AttentionToken;
  /** How often the pair stood there when it was learned; 0 in a vocabulary that was given. */
  readonly occurrences: number;
}

/** The text that is merged, and the step that is looked at. */
export interface MergeWalkPlace {
  text: string;
  at: number;
}

export interface MergesPanelOptions {
  readonly words: AllWords;
  /** What is merged, to begin with and from then on. */
  readonly walk: MergeWalkPlace;
  /** Chooses word pieces as tokens; null where that is not to be changed. */
  readonly onUse: (() => void) | null;
  /** Takes that back. */
  readonly onBack: () => void;
}

export interface MergesPanelData {
  /** In the order in which they were learned; null when the model has no merges. */
  readonly merges: readonly ShownMerge[] | null;
  /** Only part of the merges has come. */
  readonly loading: boolean;
  /** What is wrong, in the reader's language. */
  readonly error: string;
  /** Whether word pieces were chosen here: for the run that is shown, or for the next one. */
  readonly chosen: 'no' | 'now' | 'next';
}

/** Before there are any: the same each time, so that nothing is begun anew for it. */
const NONE: readonly ShownMerge[] = [];
/** Rows of the table at a time. */
const PAGE = 20;
/** Characters of the text to merge: more would be too long to follow. */
const TEXT_LENGTH = 120;

/** Creates the panel in `container`. */
export function createMergesPanel(
  container: HTMLElement,
  options: MergesPanelOptions,
): View<MergesPanelData> {
  const { words } = options;
  const { t } = words;
  let merges = NONE;

  const note = el('p', { class: 'note', role: 'status', 'data-part': 'merges-note' });
  const list = createMergeList(words);
  const walk = createMergeWalk(words, options.walk, (rank) => merges[rank]);
  const both = el('div', { class: 'merges' }, walk.root, list.root);
  let isChosen = false;
  // One button for both ways, so that the focus stays where it is.
  const use = button('', () => {
    if (isChosen) options.onBack();
    else options.onUse?.();
  });
  const told = el('p', { class: 'note', role: 'status', 'data-part': 'merges-chosen' });
  container.append(el('p', { class: 'lead' }, t('merges.lead')), note, use, told, both);

  return {
    update(data) {
      const next = data.merges ?? NONE;
      note.classList.toggle('error', data.error !== '');
      setText(note, data.error === '' ? about(data) : data.error);
      both.hidden = next.length === 0;
      isChosen = data.chosen !== 'no';
      const usable = isChosen || (data.merges === null && data.error === '');
      // What was just pressed stays until the model has followed.
      use.hidden = options.onUse === null || !(usable || use.matches(':focus'));
      setText(use, t(isChosen ? 'merges.use.back' : 'merges.use'));
      setText(told, data.chosen === 'no' ? '' : t(`merges.chosen.${data.chosen}`));
      if (next === merges) return;
      merges = next;
      list.show(next);
      walk.learn(ranksOf(next));
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };

  function about({ merges: all, loading }: MergesPanelData): string {
    if (all === null) return t('merges.none');
    if (loading) return t('merges.loading', { count: all.length });
    return t('merges.count', { count: all.length });
  }
}

// ---- The list -----------------------------------------------------------------------------------

interface MergeList {
  readonly root: HTMLElement;
  show(merges: readonly ShownMerge[]): void;
}

/** A page of the merges at a time, with buttons and a field to move in them. */
function createMergeList(words: AllWords): MergeList {
  const { t } = words;
  let merges: readonly ShownMerge[] = [];
  let first = 0;
  const rows = el('div', { class: 'merges-table', translate: 'no' });
  const place = el('span', { class: 'muted', role: 'status', 'data-part': 'merges-place' });
  const earlier = button(t('merges.earlier'), () => {
    go(first - PAGE);
  });
  const later = button(t('merges.later'), () => {
    go(first + PAGE);
  });
  const rankId = freshId('rank');
  const rank = el('input', {
    id: rankId,
    class: 'number',
    inputmode: 'numeric',
    autocomplete: 'off',
  });
  rank.addEventListener('change', () => {
    const wanted = Number(rank.value);
    if (Number.isFinite(wanted)) go(Math.trunc(wanted) - 1);
  });
  const root = el(
    'div',
    { class: 'merges-list' },
    el('h3', {}, t('merges.list')),
    el(
      'div',
      { class: 'merges-moves' },
      earlier,
      later,
      el('label', { for: rankId }, t('merges.rank.go')),
      rank,
    ),
    place,
    rows,
  );

  function go(to: number): void {
    const last = Math.max(0, merges.length - PAGE);
    first = Math.min(Math.max(0, to), last);
    const shown = merges.slice(first, first + PAGE);
    earlier.disabled = first === 0;
    later.disabled = first >= last;
    const [from, end] = [first + 1, first + shown.length];
    setText(place, t('merges.place', { from, to: end, count: merges.length }));
    // A vocabulary that was given does not say how often its pairs stood anywhere.
    const counted = merges.some(({ occurrences }) => occurrences > 0);
    const heads = [t('merges.rank'), t('merges.left'), t('merges.right'), t('merges.result')];
    const body = shown.map(({ left, right, result, occurrences }, index) => [
      words.number(from + index),
      axisLabel(left),
      axisLabel(right),
      axisLabel(result),
      ...(counted ? [words.number(occurrences)] : []),
    ]);
    if (counted) heads.push(t('merges.occurrences'));
    rows.replaceChildren(table(t('merges.caption'), heads, body));
  }

  return {
    root,
    show(next) {
      merges = next;
      go(first);
    },
  };
}

// ---- The text -----------------------------------------------------------------------------------

interface MergeWalk {
  readonly root: HTMLElement;
  /** The merges are these now. */
  learn(ranks: MergeRanks): void;
}

/** A short text that is merged step by step. */
function createMergeWalk(
  words: AllWords,
  place: MergeWalkPlace,
  mergeOf: (rank: number) => ShownMerge | undefined,
): MergeWalk {
  const { t } = words;
  let ranks: MergeRanks = new Map();
  let steps: MergeStep[] = [];
  const fieldId = freshId('merge-text');
  const field = el('input', {
    id: fieldId,
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: TEXT_LENGTH,
  });
  field.value = place.text.slice(0, TEXT_LENGTH);
  const sliderId = freshId('merge-step');
  const slider = range({ id: sliderId, min: 0 });
  const moves = {
    first: button(t('merges.first'), () => {
      show(0);
    }),
    back: button(t('merges.back'), () => {
      show(place.at - 1);
    }),
    next: button(t('merges.next'), () => {
      show(place.at + 1);
    }),
    last: button(t('merges.last'), () => {
      show(steps.length - 1);
    }),
  };
  const told = el('p', { class: 'note', role: 'status', 'data-part': 'merge-told' });
  const pieces = el('ol', { class: 'pieces', translate: 'no', 'aria-label': t('merges.pieces') });
  const root = el(
    'div',
    { class: 'merges-walk' },
    el('h3', {}, t('merges.walk')),
    el('label', { for: fieldId, class: 'field-label' }, t('merges.text')),
    field,
    el('div', { class: 'merges-moves' }, moves.first, moves.back, moves.next, moves.last),
    el('label', { for: sliderId, class: 'visually-hidden' }, t('merges.slider')),
    slider,
    told,
    pieces,
  );
  field.addEventListener('input', () => {
    place.text = field.value;
    begin(0);
  });
  slider.addEventListener('input', () => {
    show(Number(slider.value));
  });

  /** Merges the text anew and goes to a step. */
  function begin(step: number): void {
    steps = mergeSteps(field.value, ranks);
    slider.max = String(steps.length - 1);
    show(step);
  }

  function show(step: number): void {
    const at = Math.min(Math.max(0, step), steps.length - 1);
    place.at = at;
    const now = steps[at];
    if (now === undefined) return;
    const last = at === steps.length - 1;
    slider.value = String(at);
    slider.setAttribute('aria-valuetext', tell(now));
    moves.first.disabled = moves.back.disabled = at === 0;
    moves.next.disabled = moves.last.disabled = last;
    setText(told, sentences([tell(now), last ? t('merges.done') : ''], words));
    pieces.replaceChildren(...now.pieces.map((piece, index) => chip(now, piece, index)));
  }

  /** What the step did, in a sentence. */
  function tell({ pieces: all, rank }: MergeStep): string {
    const count = all.length;
    const merge = rank === null ? undefined : mergeOf(rank);
    if (rank === null || merge === undefined) return t('merges.bytes', { count });
    return t('merges.step', {
      step: place.at,
      steps: steps.length - 1,
      left: spokenLabel(merge.left, words),
      right: spokenLabel(merge.right, words),
      rank: rank + 1,
      count,
    });
  }

  function chip({ pieces: all, made }: MergeStep, piece: Piece, index: number): HTMLElement {
    const token = tokenOf(piece.hex);
    const begins = index > 0 && all[index - 1]?.word !== piece.word;
    const fresh = made.has(index);
    return el(
      'li',
      { class: `merge-piece${begins ? ' begins' : ''}${fresh ? ' fresh' : ''}` },
      el('span', { 'aria-hidden': 'true' }, axisLabel(token)),
      el(
        'span',
        { class: 'visually-hidden' },
        fresh ? t('merges.fresh', { token: spokenLabel(token, words) }) : spokenLabel(token, words),
      ),
    );
  }

  return {
    root,
    learn(next) {
      ranks = next;
      begin(place.at);
    },
  };
}

function button(text: string, onClick: () => void): HTMLButtonElement {
  const made = el('button', { type: 'button', class: 'secondary' }, text);
  made.addEventListener('click', onClick);
  return made;
}

/** A token from its bytes: text where they are whole characters. */
function tokenOf(hex: string): AttentionToken {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, kind: 'text', hex };
  } catch {
    return { text: '', kind: 'bytes', hex };
  }
}
