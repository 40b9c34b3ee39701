/**
 * The merges of a learned vocabulary: all of them in order, and a text that is merged step by step.
 */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { axisLabel, spokenLabel } from '../../data/attention-data.ts';
import type { AttentionToken } from '../../data/attention-data.ts';
import { mergeSteps, ranksOf } from './bpe-steps.ts';
import type { MergeRanks, MergeStep, Piece } from './bpe-steps.ts';
import { AS_TYPED, disableUnless, el, freshId, range, setText, table } from '../../kit/dom.ts';
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
  const walk = new MergeWalk(words, options.walk, (rank) => merges[rank]);
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
    disableUnless(first > 0, earlier, rank);
    disableUnless(first < last, later, rank);
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

/** A short text that is merged step by step. */
class MergeWalk {
  readonly root: HTMLElement;
  readonly #words: AllWords;
  readonly #place: MergeWalkPlace;
  readonly #mergeOf: (rank: number) => ShownMerge | undefined;
  readonly #field: HTMLInputElement;
  readonly #slider = range({ id: freshId('merge-step'), min: 0 });
  readonly #moves: Readonly<Record<'first' | 'back' | 'next' | 'last', HTMLButtonElement>>;
  readonly #status = el('p', { class: 'note', role: 'status', 'data-part': 'merge-told' });
  readonly #pieces: HTMLElement;
  #ranks: MergeRanks = new Map();
  #steps: MergeStep[] = [];

  constructor(
    words: AllWords,
    place: MergeWalkPlace,
    mergeOf: (rank: number) => ShownMerge | undefined,
  ) {
    const { t } = words;
    this.#words = words;
    this.#place = place;
    this.#mergeOf = mergeOf;
    this.#field = el('input', {
      id: freshId('merge-text'),
      type: 'text',
      ...AS_TYPED,
      maxlength: TEXT_LENGTH,
    });
    this.#field.value = place.text.slice(0, TEXT_LENGTH);
    this.#moves = {
      first: button(t('merges.first'), () => this.#show(0)),
      back: button(t('merges.back'), () => this.#show(place.at - 1)),
      next: button(t('merges.next'), () => this.#show(place.at + 1)),
      last: button(t('merges.last'), () => this.#show(this.#steps.length - 1)),
    };
    this.#pieces = el('ol', { class: 'pieces', translate: 'no', 'aria-label': t('merges.pieces') });
    const { first, back, next, last } = this.#moves;
    this.root = el(
      'div',
      { class: 'merges-walk' },
      el('h3', {}, t('merges.walk')),
      el('label', { for: this.#field.id, class: 'field-label' }, t('merges.text')),
      this.#field,
      el('div', { class: 'merges-moves' }, first, back, next, last),
      el('label', { for: this.#slider.id, class: 'visually-hidden' }, t('merges.slider')),
      this.#slider,
      this.#status,
      this.#pieces,
    );
    this.#field.addEventListener('input', () => {
      place.text = this.#field.value;
      this.#begin(0);
    });
    this.#slider.addEventListener('input', () => this.#show(Number(this.#slider.value)));
  }

  /** The merges are these now. */
  learn(ranks: MergeRanks): void {
    this.#ranks = ranks;
    this.#begin(this.#place.at);
  }

  /** Merges the text anew and goes to a step. */
  #begin(step: number): void {
    this.#steps = mergeSteps(this.#field.value, this.#ranks);
    this.#slider.max = String(this.#steps.length - 1);
    this.#show(step);
  }

  #show(step: number): void {
    const end = this.#steps.length - 1;
    const at = Math.min(Math.max(0, step), end);
    this.#place.at = at;
    const now = this.#steps[at];
    if (now === undefined) return;
    const said = this.#tell(now);
    this.#slider.value = String(at);
    this.#slider.setAttribute('aria-valuetext', said);
    const { first, back, next, last } = this.#moves;
    for (const one of [first, back]) disableUnless(at > 0, one, this.#slider);
    for (const one of [next, last]) disableUnless(at < end, one, this.#slider);
    const done = at === end ? this.#words.t('merges.done') : '';
    setText(this.#status, sentences([said, done], this.#words));
    this.#pieces.replaceChildren(
      ...now.pieces.map((piece, index) => this.#chip(now, piece, index)),
    );
  }

  /** What the step did, in a sentence. */
  #tell({ pieces: { length: count }, rank }: MergeStep): string {
    const { t } = this.#words;
    const merge = rank === null ? undefined : this.#mergeOf(rank);
    if (rank === null || merge === undefined) return t('merges.bytes', { count });
    return t('merges.step', {
      step: this.#place.at,
      steps: this.#steps.length - 1,
      left: spokenLabel(merge.left, this.#words),
      right: spokenLabel(merge.right, this.#words),
      rank: rank + 1,
      count,
    });
  }

  #chip({ pieces: all, made }: MergeStep, piece: Piece, index: number): HTMLElement {
    const token = tokenOf(piece.hex);
    const begins = index > 0 && all[index - 1]?.word !== piece.word;
    const fresh = made.has(index);
    const spoken = spokenLabel(token, this.#words);
    const name = fresh ? this.#words.t('merges.fresh', { token: spoken }) : spoken;
    return el(
      'li',
      { class: `merge-piece${begins ? ' begins' : ''}${fresh ? ' fresh' : ''}` },
      el('span', { 'aria-hidden': 'true' }, axisLabel(token)),
      el('span', { class: 'visually-hidden' }, name),
    );
  }
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
