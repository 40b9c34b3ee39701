/** The text check's advice on a text, with the engine's plan for it. */
import { adviceOn, adviceText } from '../../web/instruments/text/text-check/advice.ts';
import type { Advice } from '../../web/instruments/text/text-check/advice.ts';
import { DirectTrainer } from '../../web/engine/direct.ts';
import { findOption, withChange } from '../../web/engine/options.ts';
import type { OptionTable, Recipe } from '../../web/engine/options.ts';
import type { Plan } from '../../web/engine/trainer.ts';
import '../../web/i18n/all.ts';
import { loadAllWords } from '../../web/i18n/index.ts';
import type { Session } from '../../web/store/training/session.ts';
import { findingsOf } from './findings-of.ts';
import { engineBytes } from './load-engine.ts';

/** Options by name; choices by their names. */
export type Settings = Readonly<Record<string, number | string>>;

export interface Adviser {
  readonly table: OptionTable;
  /** Advice on a text under `microgpt` with these changes. */
  readonly advise: (
    text: string,
    settings?: Settings,
  ) => Promise<{
    all: readonly Advice[];
    plan: Plan;
    recipe: Recipe;
    find: (id: string) => Advice | undefined;
    /** The text of one piece of advice; empty if absent. */
    say: (id: string) => string;
  }>;
  readonly close: () => void;
}

export async function createAdviser(): Promise<Adviser> {
  const trainer = new DirectTrainer(engineBytes());
  const table = await trainer.options();
  const words = await loadAllWords('en');
  return {
    table,
    async advise(text, settings = {}) {
      let recipe: Recipe = { preset: 'microgpt', changes: {} };
      for (const [name, value] of Object.entries(settings)) {
        const choice = findOption(table, name)!.choices.indexOf(String(value));
        recipe = withChange(table, recipe, name, typeof value === 'number' ? value : choice);
      }
      await trainer.setText(text);
      const plan = await trainer.plan(recipe);
      const session = { table, recipe, plan } as unknown as Session;
      const all = adviceOn(findingsOf(text), true, session);
      const find = (id: string) => all.find((one) => one.id === id);
      const say = (id: string) => {
        const found = find(id);
        return found === undefined ? '' : adviceText(found, words);
      };
      return { all, plan, recipe, find, say };
    },
    close: () => {
      trainer.close();
    },
  };
}
