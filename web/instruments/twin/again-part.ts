/** Offers to train a pair of runs again with other seeds, and shows what came of it. */
import { findOption, valueOf, withChange } from '../../engine/options.ts';
import { messageOf } from '../../store/messages.ts';
import type { LaterContext } from '../panel.ts';
import { keyOf, MORE_SEEDS } from './again.ts';
import type { Again, Pair, Seeded } from './again.ts';
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
    const isIt = pair !== null && keyOf(pair) === again.key;
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
    const now = session();
    const pair = this.#pair;
    if (pair === null || now === null || startQuestions === null) return;
    const { table } = now;
    const most = findOption(table, 'seed')?.max ?? Infinity;
    const first = valueOf(table, pair.recipes[0], 'seed');
    const seeds = Array.from({ length: 1 + MORE_SEEDS }, (_, more): Seeded => {
      const seed = first + more <= most ? first + more : first - more;
      const [one, other] = pair.recipes.map((recipe) => withChange(table, recipe, 'seed', seed));
      return { seed, recipes: [one!, other!] };
    });
    void this.#again.train(pair, seeds, startQuestions);
    void now.trainer.closed.then(() => {
      this.#again.stop();
    });
  }
}
