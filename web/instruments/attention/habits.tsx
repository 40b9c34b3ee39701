/**
 * The habits of a head in numbers: a table of its statistics now, before training, for uniform
 * attention, and as a small curve over the recorded steps.
 */
import { textOf } from '../../data/byte-groups.ts';
import type { Attention, Trainer } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { TermButton } from '../../kit/term-button.tsx';
import { CLEAR, HABITS, SPREAD } from '../../store/training/head-habits.ts';
import type { HeadMeasures } from '../../store/training/head-habits.ts';
import type { Question } from '../../store/ask.ts';
import { useAsk, useFirstInstrument } from '../component.tsx';
import { measure } from './shown-head.ts';
import type { ShownHead } from './shown-head.ts';

type Row = keyof HeadMeasures;

const WIDTH = 64;
const HEIGHT = 18;

export type Habits = ReturnType<typeof useHabits>;

export function useHabits({ measures, index, past, history }: ShownHead) {
  const { session } = useFirstInstrument();
  const { trainer, run = null, current = null } = session() ?? {};
  const first = run?.attentions.entries[0] ?? null;
  const opened = current?.model ?? null;
  // A file lacks the initial weights; those of a resumed run are made again from its recipe.
  const isGiven = opened !== null && opened.purpose !== 'resume';
  const isKnown = first?.step === 0 && !isGiven;
  const probe = run?.attention ?? null;
  const isAsked = trainer !== undefined && probe !== null && !isGiven && !isKnown;
  const answer = useAsk(isAsked ? untrainedQuestion(trainer, probe) : null, null);
  const asked = !isAsked || answer.isStale ? null : answer.value;
  const untrained = (isKnown ? measure(first) : asked)?.[index] ?? null;
  return {
    now: measures[index] ?? null,
    past,
    untrained,
    /** Attention before step 1; null if unknown. */
    first: isKnown ? first : null,
    isUnknown: untrained === null && (isGiven || asked !== null || answer.error !== null),
    /** Statistics of the head at the steps of `history`; called only while the table is open. */
    course: () =>
      history.flatMap((entry) => {
        const one = measure(entry)[index];
        return one === undefined ? [] : [{ step: entry.step, measures: one }];
      }),
  };
}

/** The question for the statistics of all heads before step 1; an empty answer if unknown. */
function untrainedQuestion(
  trainer: Trainer,
  { tokens }: Attention,
): Question<readonly HeadMeasures[]> {
  const text = textOf(tokens);
  return {
    key: JSON.stringify(['untrainedHeads', text, tokens.length]),
    ask: async () => (await trainer.untrainedHeads(text, tokens.length)) ?? [],
    isConstant: true,
    isOfTrainer: true,
  };
}

export function HabitTable({ habits }: { readonly habits: Habits }) {
  const { words } = useFirstInstrument();
  const { t, number, percent, short } = words;
  const { now, past, untrained, isUnknown } = habits;
  if (now === null) return null;
  const course = habits.course();
  const heads = [
    t('attention.habit.what'),
    past === null ? t('attention.habit.now') : t('attention.step', { step: number(past) }),
    t('attention.habit.untrained'),
    t('attention.habit.even'),
    t('attention.habit.course'),
  ];
  const row = (name: Row) => (
    <tr key={name}>
      <th scope="row" title={t(`attention.habit.${name}.help`)}>
        {t(`attention.habit.${name}`)}
      </th>
      <td class="figure">{figure(now[name].value, words)}</td>
      <td class="figure muted">{figure(untrained?.[name].value, words)}</td>
      <td class="figure muted">{figure(now[name].uniform, words)}</td>
      <td class="spark-cell">
        <svg class="spark" viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`} aria-hidden="true">
          <path class="spark-line" d={pathOf(course, name)} />
        </svg>
      </td>
    </tr>
  );
  const missing = [
    isUnknown ? t('attention.habit.untrained.unknown') : '',
    course.length < 2 ? t('attention.habit.course.none') : '',
  ].filter((text) => text !== '');
  const rule = t('attention.habit.rule', { clear: percent(CLEAR), spread: short(SPREAD) });
  return (
    <>
      <table class="habits">
        <caption class="visually-hidden">{t('attention.habit.caption')}</caption>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={at} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{HABITS.map(row)}</tbody>
        {/* A row group of its own, because entropy is not an attention weight. */}
        <tbody>
          <tr class="habits-apart">
            <th scope="rowgroup" colSpan={heads.length}>
              <TermButton id="entropy" text={t('attention.habit.spread')} />
            </th>
          </tr>
          {row('entropy')}
        </tbody>
      </table>
      {missing.length === 0 ? null : (
        <p class="note" data-part="habit-missing">
          {sentences(missing, words)}
        </p>
      )}
      <p class="help">{sentences([t('attention.habit.overlap'), rule], words)}</p>
    </>
  );
}

function figure(value: number | undefined, { number }: Words): string {
  return value === undefined || Number.isNaN(value) ? '–' : number(value, 2);
}

/** SVG path of the curve of a statistic by step; empty with fewer than two points. */
function pathOf(course: ReturnType<Habits['course']>, name: Row): string {
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
