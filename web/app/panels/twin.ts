/** Twins: the shown run again with one setting changed, beside the curve of the one that it was. */
import { failure } from '../../engine/errors.ts';
import { findOption, fitsRecipe, valueOf, withChange } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { fairUnit, unitFactor } from '../../views/loss-data.ts';
import type { TokensPerCharacter } from '../../views/loss-data.ts';
import { LossHistory } from '../../views/loss-history.ts';
import { createTwinPanel } from '../../views/twin-panel.ts';
import type { TwinOption, TwinRun } from '../../views/twin-panel.ts';
import { lossData } from '../loss-data-of.ts';
import { messageOf } from '../messages.ts';
import type { RunData } from '../run-data.ts';
import { differences, valueText, withDifferences } from '../run-name.ts';
import type { OneRun } from '../run-name.ts';
import type { Session } from '../session.ts';
import type { GivenNames } from '../shown-name.ts';
import { panelOf } from './panel.ts';
import type { CreateLaterPanel } from './panel.ts';

/** Settings that make no other model: a twin has the same seed and as many steps. */
const NOT_FOR_TWINS = new Set(['seed', 'steps']);
/** Of what a run writes. */
const LINES = 3;

export const createTwin: CreateLaterPanel = (container, { words, state, session, runs: kept }) => {
  const view = createTwinPanel(container, {
    words,
    onTry: (option, value) => session()?.tryTwin(option, value),
    unfit: (option, value) => unfit(session(), option, value, words),
    // Half an hour of training would show nothing but that.
    hint: (option, value) => (option === 'lr' && value === 0 ? words.t('twin.still') : ''),
  });
  return panelOf(view, () => {
    const now = session();
    if (now === null) return;
    const { lossChoice } = state;
    const said = now.twinError ?? now.error;
    const runs = comparedRuns(now, kept, lossChoice.smoothing, words);
    const data = lossData(now, kept, words);
    // Called as in the table beside their curves.
    const names = runs.rows.slice(1).map(({ name }) => name);
    const shown = data.lines.filter((line) => line.shown);
    const lines = shown.map((line, at) => ({ ...line, name: names[at] ?? line.name }));
    const loss = { ...data, lines };
    const unit = fairUnit(lossChoice.unit, loss);
    view.update({
      options: twinOptions(now, words),
      runs: runs.rows,
      loss,
      look: { ...lossChoice, unit, window: null },
      step: runs.step,
      caution: caution(now, words),
      busy: now.run?.state === 'running',
      ended: now.run?.state === 'finished' || now.run?.state === 'diverged',
      error: said === null ? '' : messageOf(said, words),
    });
  });
};

/** Why a twin with this value could not be beside the other settings of the run; or empty. */
function unfit(now: Session | null, option: string, value: number, words: AllWords): string {
  if (now === null) return '';
  // The engine has the other text already: two things would differ.
  if (now.pending().includes('text')) return words.t('twin.text');
  const { table } = now;
  const of = now.madeRecipe ?? now.recipe;
  if (fitsRecipe(table, of, option, value)) return '';
  const twin = withChange(table, of, option, value);
  const shared = [valueOf(table, twin, 'channels'), valueOf(table, twin, 'heads')];
  return messageOf(failure('heads', 'heads must divide channels', shared), words);
}

/** Every setting of the run, first those that tell the families apart. */
function twinOptions({ table, madeRecipe, recipe }: Session, words: AllWords): TwinOption[] {
  const of = madeRecipe ?? recipe;
  const title = (name: string): string => words.find(`option.${name}`) ?? name;
  const options = table.options.filter(({ name }) => !NOT_FOR_TWINS.has(name));
  const isKind = (name: string): number =>
    findOption(table, name)?.type === 'choice' || findOption(table, name)?.type === 'bool' ? 0 : 1;
  return options
    .map(({ name, type, min, max, choices }): TwinOption => {
      const count = type === 'bool' ? 2 : choices.length;
      const texts = Array.from({ length: count }, (_, value) =>
        valueText(table, name, value, words),
      );
      return {
        name,
        title: title(name),
        choices: texts.map((text, value) => ({ value, text })),
        ...{ min, max, whole: type !== 'real', value: valueOf(table, of, name) },
      };
    })
    .sort((a, b) => isKind(a.name) - isKind(b.name));
}

/**
 * What else tells a twin apart: settings that were changed in the midst of a run, which it has from the
 * first step on, and the file that a run went on from, which it begins without.
 */
function caution(now: Session, words: AllWords): string {
  const { t } = words;
  const { run, earlier, model } = now;
  // What waits for another run is not in this one.
  const waits = now.pending().some((name) => name !== 'text') ? t('twin.caution.waits') : '';
  // Only one that learns a text anew begins where its file stands.
  const without = model !== null && model.purpose !== 'train';
  const chance = without ? t('twin.caution.chance', { name: model.name }) : '';
  const runs = [
    { name: t('twin.caution.this'), changed: run?.changed ?? [] },
    ...earlier.all
      .filter((one) => one.shown)
      .map((one) => ({
        name: t('twin.caution.other', { number: one.id + 1 }),
        changed: one.run.changed,
      })),
  ].filter(({ changed }) => changed.length > 0);
  if (runs.length === 0) return sentences([waits, chance], words);
  const said = runs.map(({ name, changed }) => {
    const names = changed.map((option) => words.find(`option.${option}`) ?? option);
    const list = names.join(t('list.separator'));
    return t('twin.caution', { run: name, count: names.length, list });
  });
  return sentences([waits, chance, ...said, t('twin.caution.why')], words);
}

/** The run of now and those before it, at the last step that all of them have. */
function comparedRuns(
  session: Session,
  given: GivenNames,
  smoothing: number,
  words: AllWords,
): { rows: TwinRun[]; step: number } {
  const { t } = words;
  const { run, named, compared: runs, earlier, table, tokensPerCharacter } = session;
  const shown = earlier.all.filter((one) => one.shown);
  if (run === null || named === null || run.history.length === 0) return { rows: [], step: 0 };
  const step = Math.min(run.history.length, ...shown.map((one) => one.run.history.length));
  // Each row says its value of whatever differs: a twin by one setting is known by its value of that.
  const apart = (one: OneRun): string => differences(one, runs, table, words, Infinity);
  // With the name that the reader gave it, where there is one.
  const calledApart = (one: OneRun, name: string): string =>
    name === '' ? apart(one) || t('earlier.same') : withDifferences(name, apart(one), words);
  const ourName = given.nameOf(run.number);
  const ours = ourName === '' ? apart(named) : calledApart(named, ourName);
  const all = [
    {
      name: ours === '' ? t('twin.this') : t('twin.this.named', { differs: ours }),
      text: named.textNumber,
      run,
      tokens: tokensPerCharacter,
    },
    ...shown.map((one) => ({
      name: t('earlier.name', { number: one.id + 1, name: calledApart(one, given.nameOf(one.run.number)) }), // prettier-ignore
      text: one.textNumber,
      run: one.run,
      tokens: one.tokensPerCharacter,
    })),
  ];
  // Losses of different steps cannot be held against each other; runs that hold nothing out have none.
  const measured = all
    .map((one) => one.run.history)
    .filter((history) => history.validationUntil(step) !== undefined);
  const validated = LossHistory.commonValidation(measured, step) ?? step;
  return {
    step,
    rows: all.map(({ name, text, run, tokens }) => ({
      text,
      ...compared(name, run, tokens, { step, validated, smoothing }),
    })),
  };
}

function compared(
  name: string,
  { history, samples }: RunData,
  tokens: TokensPerCharacter,
  at: { readonly step: number; readonly validated: number; readonly smoothing: number },
): Omit<TwinRun, 'text'> {
  const { step, validated, smoothing } = at;
  const loss = history.at(step, smoothing)?.smoothed ?? NaN;
  const sample = samples.filter((one) => one.step <= step).at(-1);
  const bits = loss * unitFactor({ unit: 'bits' }, tokens.train);
  const validation = history.validationUntil(validated) ?? null;
  // What is written as one long text has many lines: they would push the next run out of sight.
  const lines = sample?.texts.slice(0, LINES).join('\n').split('\n').slice(0, LINES) ?? [];
  return { name, loss, bits, validation, heldOut: tokens.validation, sample: lines.join('\n') };
}
