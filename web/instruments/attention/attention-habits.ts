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
const COLUMNS = 5;
const WIDTH = 64;
const HEIGHT = 18;

export interface AttentionHabits {
  /** What the head does, in a sentence. */
  readonly verdict: HTMLElement;
  /** The figures behind it. */
  readonly parts: readonly HTMLElement[];
  update(data: AttentionHabitsData): void;
}

/** Creates sentence and figures; where they stand is the caller's to say. */
export function createAttentionHabits({ words }: { readonly words: Words }): AttentionHabits {
  const { t } = words;
  const verdict = el('p', { class: 'verdict', 'data-part': 'habit' });
  const rows = ROWS.map((name) => {
    const value = el('td', { class: 'figure' });
    const before = el('td', { class: 'figure muted' });
    const even = el('td', { class: 'figure muted' });
    const line = svg('path', { class: 'spark-line' });
    const picture = svg(
      'svg',
      { class: 'spark', viewBox: `0 0 ${String(WIDTH)} ${String(HEIGHT)}`, 'aria-hidden': 'true' },
      line,
    );
    const title = t(`attention.habit.${name}` satisfies Key);
    const help = t(`attention.habit.${name}.help` satisfies Key);
    const row = el(
      'tr',
      {},
      el('th', { scope: 'row', title: help }, title),
      value,
      before,
      even,
      el('td', { class: 'spark-cell' }, picture),
    );
    return { name, row, value, before, even, line };
  });
  const heads: readonly Key[] = [
    'attention.habit.what',
    'attention.habit.now',
    'attention.habit.untrained',
    'attention.habit.even',
    'attention.habit.course',
  ];
  const columns = heads.map((key) => el('th', { scope: 'col' }, t(key)));
  const nowHead = columns[heads.indexOf('attention.habit.now')]!;
  const box = el(
    'table',
    { class: 'habits' },
    el('caption', { class: 'visually-hidden' }, t('attention.habit.caption')),
    el('thead', {}, el('tr', {}, ...columns)),
    el('tbody', {}, ...rows.filter(({ name }) => name !== 'entropy').map(({ row }) => row)),
    // No weight, so not among the weights.
    el(
      'tbody',
      {},
      el(
        'tr',
        { class: 'habits-apart' },
        el(
          'th',
          { scope: 'rowgroup', colspan: COLUMNS },
          termButton('entropy', t('attention.habit.spread')),
        ),
      ),
      ...rows.filter(({ name }) => name === 'entropy').map(({ row }) => row),
    ),
  );
  const rule = el(
    'p',
    { class: 'help' },
    sentences(
      [
        t('attention.habit.overlap'),
        t('attention.habit.rule', { clear: words.percent(CLEAR), spread: words.short(SPREAD) }),
      ],
      words,
    ),
  );
  const missing = el('p', { class: 'note', 'data-part': 'habit-missing' });
  const parts = [box, missing, rule];

  const figure = (value: number | undefined): string =>
    value === undefined || Number.isNaN(value) ? '–' : words.number(value, 2);

  function sentence(now: HeadMeasures, untrained: HeadMeasures | null): string {
    if (HABITS.every((one) => Number.isNaN(strengthOf(now, one))))
      return t('attention.verdict.alone');
    const habit = habitOf(now);
    if (habit === null) {
      return t(now.entropy.value <= PEAKED ? 'attention.verdict.peaked' : 'attention.verdict.none');
    }
    const strength = figure(strengthOf(now, habit));
    const text = t(`attention.verdict.${habit}` satisfies Key, { strength });
    const earlier = untrained === null ? strength : figure(strengthOf(untrained, habit));
    // Before training there is nothing to compare with.
    if (earlier === strength) return text;
    return sentences([text, t('attention.verdict.before', { strength: earlier })], words);
  }

  let drawn: { first?: HeadMeasures | undefined; last?: HeadMeasures | undefined; length: number } = { length: 0 }; // prettier-ignore

  /** Why a column has dashes, or nothing at all. */
  function whatIsMissing(untrained: AttentionHabitsData['untrained'], seen: number): string {
    const missing = [
      untrained === 'unknown' ? t('attention.habit.untrained.unknown') : '',
      seen < 2 ? t('attention.habit.course.none') : '',
    ];
    return sentences(missing, words);
  }

  return {
    verdict,
    parts,
    update({ now, at, untrained: known, course }) {
      for (const part of [verdict, ...parts]) part.hidden = now === null;
      if (now === null) return;
      const untrained = typeof known === 'string' ? null : known;
      setText(missing, whatIsMissing(known, course.length));
      missing.hidden = missing.textContent === '';
      setText(nowHead, at ?? t('attention.habit.now'));
      setText(verdict, sentence(now, untrained));
      for (const { name, value, before, even } of rows) {
        setText(value, figure(now[name].value));
        setText(before, figure(untrained?.[name].value));
        setText(even, figure(now[name].uniform));
      }
      // All of another head or another run is other, and what comes in comes in at the end.
      const [first, last] = [course[0]?.measures, course.at(-1)?.measures];
      if (first === drawn.first && last === drawn.last && course.length === drawn.length) return;
      drawn = { first, last, length: course.length };
      for (const { name, line } of rows) setAttribute(line, 'd', pathOf(course, name));
    },
  };
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
