/** What the check-up says of a text, with the plan that the engine makes for it. */
import { adviceOn } from '../../web/instruments/text/check-up/advice.ts';
import type { Advice } from '../../web/instruments/text/check-up/advice.ts';
import { Speeds } from '../../web/store/training/pace.ts';
import { DirectTrainer } from '../../web/engine/direct.ts';
import { findOption, withChange } from '../../web/engine/options.ts';
import type { OptionTable, Recipe } from '../../web/engine/options.ts';
import type { Plan } from '../../web/engine/trainer.ts';
import '../../web/i18n/all.ts';
import { loadAllWords } from '../../web/i18n/index.ts';
import type { Lang } from '../../web/i18n/index.ts';
import type { Session } from '../../web/store/training/session.ts';
import { findingsOf } from './findings-of.ts';
import { engineBytes } from './load-engine.ts';

/** Settings by their names, choices by theirs. */
export type Settings = Readonly<Record<string, number | string>>;

export interface Adviser {
  readonly table: OptionTable;
  /** What is said of a text under `microgpt` with these changes. */
  readonly advise: (
    text: string,
    settings?: Settings,
    more?: { opened?: object; lang?: Lang; pace?: number },
  ) => Promise<{
    all: readonly Advice[];
    plan: Plan;
    recipe: Recipe;
    find: (id: string) => Advice | undefined;
  }>;
  readonly close: () => void;
}

export async function createAdviser(): Promise<Adviser> {
  const trainer = new DirectTrainer(engineBytes());
  const table = await trainer.options();
  return {
    table,
    async advise(text, settings = {}, { opened, lang = 'en', pace } = {}) {
      let recipe: Recipe = { preset: 'microgpt', changes: {} };
      for (const [name, value] of Object.entries(settings)) {
        const choice = findOption(table, name)!.choices.indexOf(String(value));
        recipe = withChange(table, recipe, name, typeof value === 'number' ? value : choice);
      }
      await trainer.setText(text);
      const plan = await trainer.plan(recipe);
      const session = {
        table,
        recipe,
        plan,
        model: null,
        leavesModel: false,
        ...opened,
      } as unknown as Session;
      const speeds = new Speeds(null);
      const findings = findingsOf(text);
      const checked = { findings, whole: true, session, speeds, pace: pace ?? null };
      const all = adviceOn(checked, await loadAllWords(lang));
      return { all, plan, recipe, find: (id) => all.find((one) => one.id === id) };
    },
    close: () => {
      trainer.close();
    },
  };
}
