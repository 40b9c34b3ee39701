/** Twins: the shown run again with one setting changed, beside the curve of the one that it was. */
import { TRACES } from '../../base/form.ts';
import { failure } from '../../engine/errors.ts';
import { findOption, fitsRecipe, valueOf, withChange } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { fairUnit } from '../../data/loss-data.ts';
import { Seeds } from './seeds.ts';
import { SeedsPart } from './seeds-part.ts';
import { ControlPart } from './control-part.ts';
import { settingPair } from './setting-pair.ts';
import { TwinPanel } from './view.ts';
import { LeftOutPart } from './left-out-part.ts';
import type { TwinOption } from './twin-form.ts';
import { comparedRuns } from '../../store/training/compared-runs.ts';
import { lossData } from '../../store/training/loss-data-of.ts';
import { messageOf } from '../../store/messages.ts';
import { valueText } from '../../store/training/run-name.ts';
import type { Session } from '../../store/training/session.ts';
import { learnsAnew } from '../../store/training/wanted.ts';
import { panelOf } from '../panel.ts';
import type { CreateLaterPanel } from '../panel.ts';

/** Settings that make no other model: a twin has the same seed and as many steps. */
const NOT_FOR_TWINS = new Set(['seed', 'steps']);

/** The pair that differs in a setting. */
class SeedsState {
  readonly seeds = new Seeds();
}

/** Another way to train a run beside the one that is there. */
interface TwinPart {
  readonly root: HTMLElement;
  update(now: Session): void;
  destroy?(): void;
}

export const createTwin: CreateLaterPanel = (container, context) => {
  const { words, state, session, actions, runs: kept } = context;
  const changed = (): void => panel.update();
  // What else can be trained beside this run; forms that answer no questions on texts have neither.
  const parts: readonly TwinPart[] = TRACES
    ? [ControlPart, LeftOutPart].map((Part) => new Part(context, () => view.bringNext(), changed))
    : [];
  const seeds = TRACES ? new SeedsPart(context, context.kept(SeedsState).seeds, changed) : null;

  const view = new TwinPanel(container, {
    words,
    parts: [seeds, ...parts].flatMap((part) => part?.root ?? []),
    onTry: (option, value) => {
      const now = session();
      if (now !== null) actions.onTwin(withChange(now.table, now.madeRecipe, option, value));
    },
    unfit: (option, value) => unfit(session(), option, value, words),
    // Half an hour of training would show nothing but that.
    hint: (option, value) => (option === 'lr' && value === 0 ? words.t('twin.still') : ''),
  });
  const panel = panelOf(view, () => {
    const now = session();
    if (now === null) return;
    for (const part of parts) part.update(now);
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
    seeds?.update(settingPair(now, runs, lossChoice));
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
  return {
    ...panel,
    destroy: () => {
      for (const part of parts) part.destroy?.();
      panel.destroy();
    },
  };
};

/** Why a twin with this value could not be beside the other settings of the run; or empty. */
function unfit(now: Session | null, option: string, value: number, words: AllWords): string {
  if (now === null) return '';
  // The engine has the other text already: two things would differ.
  if (now.pending().includes('text')) return words.t('twin.text');
  const { table } = now;
  const of = now.madeRecipe;
  if (fitsRecipe(table, of, option, value)) return '';
  const twin = withChange(table, of, option, value);
  const shared = [valueOf(table, twin, 'channels'), valueOf(table, twin, 'heads')];
  return messageOf(failure('heads', 'heads must divide channels', shared), words);
}

/** Every setting of the run, first those that tell the families apart. */
function twinOptions({ table, madeRecipe: of }: Session, words: AllWords): TwinOption[] {
  const title = (name: string): string => words.find(`option.${name}`) ?? name;
  const options = table.options.filter(({ name }) => !NOT_FOR_TWINS.has(name));
  const isKind = (name: string): number =>
    findOption(table, name)?.type === 'choice' || findOption(table, name)?.type === 'bool' ? 0 : 1;
  return options
    .map(({ name, type, min, max, choices, ladder }): TwinOption => {
      const count = type === 'bool' ? 2 : choices.length;
      const texts = Array.from({ length: count }, (_, value) =>
        valueText(table, name, value, words),
      );
      return {
        name,
        title: title(name),
        choices: texts.map((text, value) => ({ value, text })),
        min,
        max,
        ladder,
        whole: type !== 'real',
        value: valueOf(table, of, name),
      };
    })
    .sort((a, b) => isKind(a.name) - isKind(b.name));
}

/**
 * What else tells a twin apart: settings that were changed in the midst of a run, which it has from
 * the first step on, and the file that a run went on from, which it begins without.
 */
function caution(now: Session, words: AllWords): string {
  const { t } = words;
  const { run, earlier, model } = now;
  // What waits for another run is not in this one.
  const waits = now.pending().some((name) => name !== 'text') ? t('twin.caution.waits') : '';
  // Only one that learns a text anew begins where its file stands.
  const without = model !== null && !learnsAnew(model);
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
