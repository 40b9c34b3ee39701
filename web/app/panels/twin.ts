/** Twins: the shown run again with one setting changed, beside the curve of the one that it was. */
import { findOption, valueOf } from '../../engine/options.ts';
import type { Words } from '../../i18n/index.ts';
import { unitFactor, PLAIN_LOOK } from '../../views/loss-data.ts';
import type { TokensPerCharacter } from '../../views/loss-data.ts';
import { createTwinPanel } from '../../views/twin-panel.ts';
import type { TwinOption, TwinRun } from '../../views/twin-panel.ts';
import { runName } from '../earlier-runs.ts';
import { messageOf } from '../messages.ts';
import type { RunData } from '../run-data.ts';
import type { Session } from '../session.ts';
import { panelOf } from './panel.ts';
import type { CreatePanel } from './panel.ts';

/** Settings that make no other model: a twin has the same seed and as many steps. */
const NOT_FOR_TWINS = new Set(['seed', 'steps']);

export const createTwin: CreatePanel = (container, { words, session }) => {
  const view = createTwinPanel(container, {
    words,
    onTry: (option, value) => session()?.tryTwin(option, value),
  });
  return panelOf(view, () => {
    const now = session();
    if (now === null) return;
    const runs = comparedRuns(now, words);
    view.update({
      options: twinOptions(now, words),
      runs: runs.rows,
      step: runs.step,
      busy: now.run?.state === 'running',
      error: now.error === null ? '' : messageOf(now.error, words),
    });
  });
};

/** Every setting of the run, first those that tell the families apart. */
function twinOptions({ table, runRecipe, recipe }: Session, words: Words): TwinOption[] {
  const of = runRecipe ?? recipe;
  const title = (name: string): string => words.find(`option.${name}`) ?? name;
  const options = table.options.filter(({ name }) => !NOT_FOR_TWINS.has(name));
  const isKind = (name: string): number =>
    findOption(table, name)?.type === 'choice' || findOption(table, name)?.type === 'bool' ? 0 : 1;
  return options
    .map(({ name, type, min, max, choices }): TwinOption => {
      const texts =
        type === 'bool'
          ? [words.t('twin.off'), words.t('twin.on')]
          : choices.map((choice) => words.find(`choice.${name}.${choice}`) ?? choice);
      return {
        name,
        title: title(name),
        choices: texts.map((text, value) => ({ value, text })),
        ...{ min, max, whole: type !== 'real', value: valueOf(table, of, name) },
      };
    })
    .sort((a, b) => isKind(a.name) - isKind(b.name));
}

/** The run of now and those before it, at the last step that all of them have. */
function comparedRuns(session: Session, words: Words): { rows: TwinRun[]; step: number } {
  const { run, runRecipe, recipe, earlier, table, tokensPerCharacter } = session;
  const shown = earlier.all.filter((one) => one.shown);
  if (run === null || run.history.length === 0) return { rows: [], step: 0 };
  const step = Math.min(run.history.length, ...shown.map((one) => one.run.history.length));
  const than = { recipe: runRecipe ?? recipe, text: session.runTextNumber };
  return {
    step,
    rows: [
      compared(words.t('twin.this'), run, tokensPerCharacter, step),
      ...shown.map((one) =>
        compared(runName(one, than, table, words), one.run, one.tokensPerCharacter, step),
      ),
    ],
  };
}

function compared(
  name: string,
  { history, samples }: RunData,
  tokens: TokensPerCharacter,
  step: number,
): TwinRun {
  const loss = history.at(step)?.smoothed ?? NaN;
  const sample = samples.filter((one) => one.step <= step).at(-1);
  const bits = loss * unitFactor({ ...PLAIN_LOOK, unit: 'bits' }, tokens.train);
  const validation = history.validationIn(0, step) ?? NaN;
  return { name, loss, bits, validation, sample: sample?.texts.slice(0, 3).join('\n') ?? '' };
}
