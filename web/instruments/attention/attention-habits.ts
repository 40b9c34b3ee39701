/**
 * What the chosen head does: its habit in a sentence, and each statistic now, before training, for
 * even attention, and as a small curve over the steps seen.
 */
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import type { Key } from '../../i18n/index.ts';
import { el, setAttribute, setText, svg } from '../../kit/dom.ts';
import {
  CLEAR,
  HABITS,
  habitOf,
  PEAKED,
  SPREAD,
  strengthOf,
} from '../../store/training/head-habits.ts';
import type { HeadMeasures } from '../../store/training/head-habits.ts';
import { termButton } from '../../kit/term.ts';

export interface AttentionHabitsData {
  /** Of the chosen head at the shown step; null if absent. */
  readonly now: HeadMeasures | null;
  /** The name of that step where it is not the newest. */
  readonly at: string | null;
  /** Of the same head before training; or that it is asked for, or that nobody knows. */
  readonly untrained: HeadMeasures | 'awaited' | 'unknown';
  /** Of the same head at the steps seen, in order. */
  readonly course: readonly { readonly step: number; readonly measures: HeadMeasures }[];
}

const ROWS = [...HABITS, 'entropy'] as const;
const WIDTH = 64;
const HEIGHT = 18;

interface Row {
  readonly name: (typeof ROWS)[number];
  readonly root: HTMLElement;
  readonly now: HTMLElement;
  readonly before: HTMLElement;
  readonly even: HTMLElement;
  readonly course: SVGElement;
}

/** The first and the last of a course, and how long it is. */
type Extent = readonly [HeadMeasures | undefined, HeadMeasures | undefined, number];

/** Sentence and figures; where they stand is the caller's to say. */
export class AttentionHabits {
  /** What the head does, in a sentence. */
  readonly verdict = el('p', { class: 'verdict', 'data-part': 'habit' });
  /** The figures behind it. */
  readonly parts: readonly HTMLElement[];
  readonly #words: Words;
  readonly #rows: readonly Row[];
  readonly #nowHead: HTMLElement;
  readonly #missing = el('p', { class: 'note', 'data-part': 'habit-missing' });
  #drawn: Extent = [undefined, undefined, 0];

  constructor(words: Words) {
    const { t } = words;
    this.#words = words;
    this.#rows = ROWS.map((name) => createRow(name, words));
    this.#nowHead = el('th', { scope: 'col' }, t('attention.habit.now'));
    const clear = { clear: words.percent(CLEAR), spread: words.short(SPREAD) };
    const rule = [t('attention.habit.overlap'), t('attention.habit.rule', clear)];
    const help = el('p', { class: 'help' }, sentences(rule, words));
    this.parts = [this.#createTable(), this.#missing, help];
  }

  update({ now, at, untrained: known, course }: AttentionHabitsData): void {
    const words = this.#words;
    for (const part of [this.verdict, ...this.parts]) part.hidden = now === null;
    if (now === null) return;
    const untrained = typeof known === 'string' ? null : known;
    setText(this.#missing, whatIsMissing(known, course.length, words));
    this.#missing.hidden = this.#missing.textContent === '';
    setText(this.#nowHead, at ?? words.t('attention.habit.now'));
    setText(this.verdict, verdictOf(now, untrained, words));
    for (const row of this.#rows) {
      setText(row.now, figure(now[row.name].value, words));
      setText(row.before, figure(untrained?.[row.name].value, words));
      setText(row.even, figure(now[row.name].uniform, words));
    }
    // All of another head or another run is other, and what comes in comes in at the end.
    const extent: Extent = [course[0]?.measures, course.at(-1)?.measures, course.length];
    if (extent.every((one, index) => one === this.#drawn[index])) return;
    this.#drawn = extent;
    for (const row of this.#rows) setAttribute(row.course, 'd', pathOf(course, row.name));
  }

  #createTable(): HTMLElement {
    const { t } = this.#words;
    const head = (key: Key): HTMLElement => el('th', { scope: 'col' }, t(key));
    const columns = [
      head('attention.habit.what'),
      this.#nowHead,
      head('attention.habit.untrained'),
      head('attention.habit.even'),
      head('attention.habit.course'),
    ];
    const term = termButton('entropy', t('attention.habit.spread'));
    const apart = el('th', { scope: 'rowgroup', colspan: columns.length }, term);
    const rows = (isEntropy: boolean): HTMLElement[] =>
      this.#rows.filter(({ name }) => (name === 'entropy') === isEntropy).map(({ root }) => root);
    return el(
      'table',
      { class: 'habits' },
      el('caption', { class: 'visually-hidden' }, t('attention.habit.caption')),
      el('thead', {}, el('tr', {}, ...columns)),
      el('tbody', {}, ...rows(false)),
      // No weight, so not among the weights.
      el('tbody', {}, el('tr', { class: 'habits-apart' }, apart), ...rows(true)),
    );
  }
}

function createRow(name: (typeof ROWS)[number], { t }: Words): Row {
  const now = el('td', { class: 'figure' });
  const before = el('td', { class: 'figure muted' });
  const even = el('td', { class: 'figure muted' });
  const course = svg('path', { class: 'spark-line' });
  const size = { class: 'spark', viewBox: `0 0 ${String(WIDTH)} ${String(HEIGHT)}` };
  const spark = svg('svg', { ...size, 'aria-hidden': 'true' }, course);
  const help = t(`attention.habit.${name}.help` satisfies Key);
  const title = el('th', { scope: 'row', title: help }, t(`attention.habit.${name}` satisfies Key));
  const root = el('tr', {}, title, now, before, even, el('td', { class: 'spark-cell' }, spark));
  return { name, root, now, before, even, course };
}

function figure(value: number | undefined, { number }: Words): string {
  return value === undefined || Number.isNaN(value) ? '–' : number(value, 2);
}

/** What the head does, and how strongly it did so before training. */
function verdictOf(now: HeadMeasures, untrained: HeadMeasures | null, words: Words): string {
  const { t } = words;
  if (HABITS.every((one) => Number.isNaN(strengthOf(now, one))))
    return t('attention.verdict.alone');
  const habit = habitOf(now);
  if (habit === null) {
    return t(now.entropy.value <= PEAKED ? 'attention.verdict.peaked' : 'attention.verdict.none');
  }
  const strength = figure(strengthOf(now, habit), words);
  const text = t(`attention.verdict.${habit}` satisfies Key, { strength });
  const earlier = untrained === null ? strength : figure(strengthOf(untrained, habit), words);
  // Before training there is nothing to compare with.
  if (earlier === strength) return text;
  return sentences([text, t('attention.verdict.before', { strength: earlier })], words);
}

/** Why a column has dashes, or nothing at all. */
function whatIsMissing(
  untrained: AttentionHabitsData['untrained'],
  seen: number,
  words: Words,
): string {
  const { t } = words;
  const missing = [
    untrained === 'unknown' ? t('attention.habit.untrained.unknown') : '',
    seen < 2 ? t('attention.habit.course.none') : '',
  ];
  return sentences(missing, words);
}

/** A statistic over the steps, as a path. */
function pathOf(course: AttentionHabitsData['course'], name: (typeof ROWS)[number]): string {
  const lastStep = course.at(-1)?.step ?? 0;
  const points = course
    .filter(({ measures }) => !Number.isNaN(measures[name].value))
    .map(({ step, measures }) => {
      const x = 1 + ((WIDTH - 2) * step) / Math.max(1, lastStep);
      const y = HEIGHT - 1 - (HEIGHT - 2) * measures[name].value;
      return `${x.toFixed(1)} ${y.toFixed(1)}`;
    });
  return points.length > 1 ? `M${points.join('L')}` : '';
}
