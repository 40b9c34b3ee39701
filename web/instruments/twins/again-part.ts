/** Offers to train a pair of runs again with other seeds, and shows what came of it. */
import { findOption, withChange } from '../../engine/options.ts';
import { messageOf } from '../../store/messages.ts';
import type { Session } from '../../store/training/session.ts';
import type { LaterContext } from '../panel.ts';
import { MORE_SEEDS } from './again.ts';
import type { Again, Pair } from './again.ts';
import { AgainForm } from './again-form.ts';

export class AgainPart {
  readonly #context: LaterContext;
  readonly #again: Again;
  readonly #form: AgainForm;
  #pair: Pair | null = null;

  constructor(context: LaterContext, again: Again, changed: () => void) {
    this.#context = context;
    this.#again = again;
    again.changed = changed;
    this.#form = new AgainForm({
      words: context.words,
      onTrain: () => {
        this.#train();
      },
      onStop: () => {
        again.stop();
      },
    });
  }

  get root(): HTMLElement {
    return this.#form.root;
  }

  /** `pair` is null while no two runs can be trained again. */
  update(pair: Pair | null): void {
    const again = this.#again;
    this.#pair = pair;
    const isIt = pair?.key === again.key;
    // Others are looked at now: what comes of these would be seen nowhere.
    if (!isIt && again.progress !== null) again.stop();
    const { unit, rows, progress, error } = again;
    this.#form.update({
      offered: pair !== null && this.#context.startQuestions !== null,
      names: pair?.names ?? ['', ''],
      unit,
      rows: isIt ? rows : [],
      progress: isIt ? progress : null,
      error: isIt && error !== null ? messageOf(error, this.#context.words) : '',
    });
  }

  #train(): void {
    const { session, startQuestions } = this.#context;
    const now: Session | null = session();
    const pair = this.#pair;
    if (pair === null || now === null || startQuestions === null) return;
    const { table } = now;
    const most = findOption(table, 'seed')?.max ?? Infinity;
    const seeds = Array.from({ length: MORE_SEEDS }, (_, at) => {
      const [next, before] = [pair.seed + at + 1, pair.seed - at - 1];
      const seed = next <= most ? next : before;
      const [first, second] = pair.recipes;
      const seeded = (recipe: typeof first): typeof first =>
        withChange(table, recipe, 'seed', seed);
      return { seed, recipes: [seeded(first), seeded(second)] as const };
    });
    void this.#again.train(pair, seeds, startQuestions);
    void now.trainer.closed.then(() => {
      this.#again.stop();
    });
  }
}
