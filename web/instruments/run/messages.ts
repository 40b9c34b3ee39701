/**
 * Messages of the run bar: errors, changes that need a new run, and text that the next run omits.
 */
import type { ErrorFacts } from '../../engine/errors.ts';
import { valueOf, wrongValues } from '../../engine/options.ts';
import type { Recipe } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { leftOutShare } from '../../store/text/left-out.ts';
import { shows } from '../../store/address/lesson.ts';
import { isAwaited, messageOf, textProblemFor } from '../../store/messages.ts';
import { valueText } from '../../store/training/run-name.ts';
import type { OpenedModel } from '../../store/training/model-files.ts';
import type { Session } from '../../store/training/session.ts';
import type { PanelContext } from '../panel.ts';

/** A setting that differs from that of the shown run: its name, and a line with both values. */
interface Change {
  readonly name: string;
  readonly line: string;
}

type Said = Pick<PanelContext, 'words' | 'lesson'>;

/** The error or notice of the run bar; empty if the text field shows it, or nothing is wrong. */
export function runBarMessage(
  problem: ErrorFacts | null,
  now: Session | null,
  trains: boolean,
  said: Said,
): string {
  const { words } = said;
  const message =
    problem === null ? worthKnowing(now, trains, words) : whatIsWrong(problem, now, said);
  return message === '' ? '' : sentences([message, whose(problem, now, words)], words);
}

function worthKnowing(now: Session | null, trains: boolean, words: Words): string {
  if (!trains) return whyNot(now?.model ?? null, words);
  // A run without the opened model may be unintended, for example after “New seed”.
  const left = now?.pending().length === 0 ? now.left : null;
  return left === null ? '' : words.t('run.left', { name: left.name });
}

/** Names all invalid values at once, so that the reader need not find them one by one. */
function whatIsWrong(facts: ErrorFacts, now: Session | null, { words, lesson }: Said): string {
  // The text field already asks for a missing text.
  if (isAwaited(facts) && shows(lesson, 'text')) return '';
  const problem = textProblemFor(facts, lesson);
  const wrong = now === null ? [] : wrongValues(now.table, now.recipe);
  const isOne = ({ code, subject }: ErrorFacts): boolean =>
    code === problem.code && subject === problem.subject;
  const all = wrong.some(isOne) ? wrong : [problem];
  return sentences(
    all.map((one) => messageOf(one, words)),
    words,
  );
}

/** Says which run is shown while the chosen settings are invalid; empty if it has the same ones. */
function whose(problem: ErrorFacts | null, now: Session | null, { t }: Words): string {
  if (problem === null || now?.error !== problem || now.notOfRun().length === 0) return '';
  return t(now.run?.state === 'running' ? 'run.changed.running' : 'run.changed.resting');
}

/** Why the opened model cannot train. Asks for the training text if only this text is missing. */
function whyNot(model: OpenedModel | null, words: Words): string {
  const { why = null, facts } = model ?? {};
  if (why?.code === 'text-differs') return messageOf(why, words);
  const lacks = why !== null && isAwaited(why) && facts?.resumable === true;
  return words.t(lacks ? 'run.lacks' : 'error.no-text');
}

/** Describes how much of the text the next run would omit; empty if nothing. */
export function leftOutText(now: Session | null, words: Words): string {
  const plan = now?.plan ?? null;
  const isNext = now?.run?.step === 0 || (now?.pending().length ?? 0) > 0;
  if (plan === null || !isNext) return '';
  const share = leftOutShare({ plan });
  if (share === 0) return '';
  return words.t('run.leftOut', { share: words.percent(share), lines: plan.cutDocuments });
}

/** Settings that differ from those of the shown run and need a new run. */
export function changesOf(session: Session, words: Words): Change[] {
  const { t } = words;
  const { table, recipe } = session;
  const old = (session.current ?? session).recipe;
  const change = (name: string, was: string, now: string): Change => ({
    name,
    line: t('run.changed.one', { name, was, now }),
  });
  const names = session.pending();
  // A changed preset counts as one change, not as one per option.
  const isPreset = (name: string): boolean =>
    old.preset !== recipe.preset && !(name in recipe.changes) && !(name in old.changes);
  const options = names.filter((name) => name !== 'text');
  const single = options.filter((name) => !isPreset(name));
  const text = t('run.changed.text');
  return [
    // The line of a changed text has no values, because texts are too long.
    ...(names.length > options.length ? [{ name: text, line: text }] : []),
    ...(options.length > single.length
      ? [change(t('settings.preset'), old.preset, recipe.preset)]
      : []),
    ...single.map((name) => {
      const value = (of: Recipe): string => valueText(table, name, valueOf(table, of, name), words);
      return change(words.find(`option.${name}`) ?? name, value(old), value(recipe));
    }),
  ];
}
