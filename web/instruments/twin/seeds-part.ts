/** Offers to train a pair of runs again with other seeds, and shows what came of it. */
import { findOption, valueOf, withChange } from '../../engine/options.ts';
import { messageOf } from '../../store/messages.ts';
import type { LaterContext } from '../panel.ts';
import { keyOf, MORE_SEEDS } from './seeds.ts';
import type { Seeds, Pair, Seeded } from './seeds.ts';
import { SeedsForm } from './seeds-form.ts';

export class SeedsPart {
  readonly #context: LaterContext;
  readonly #seeds: Seeds;
  readonly #form: SeedsForm;
  #pair: Pair | null = null;

  constructor(context: LaterContext, seeds: Seeds, changed: () => void) {
    this.#context = context;
    this.#seeds = seeds;
    seeds.changed = changed;
    this.#form = new SeedsForm({
      words: context.words,
      onTrain: () => {
        this.#train();
      },
      onStop: () => {
        seeds.stop();
      },
    });
  }

  get root(): HTMLElement {
    return this.#form.root;
  }

  /** `pair` is null while no two runs can be trained again. */
  update(pair: Pair | null): void {
    const seeds = this.#seeds;
    this.#pair = pair;
    const isIt = pair !== null && keyOf(pair) === seeds.key;
    // Others are looked at now: what comes of these would be seen nowhere.
    if (!isIt && seeds.progress !== null) seeds.stop();
    const { unit, rows, progress, error } = seeds;
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
    void this.#seeds.train(pair, seeds, startQuestions);
    void now.trainer.closed.then(() => {
      this.#seeds.stop();
    });
  }
}
