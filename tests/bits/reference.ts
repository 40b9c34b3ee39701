/** The reference for all engines: the recipes in Node, with one thread. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLong } from '../long.ts';
import { instantiate } from '../node/threads.mjs';
import { longer, recipes, TEXT_BYTES } from './recipes.mjs';
import type { BitsRecipe } from './recipes.mjs';
import { runRecipe } from './run-recipe.mjs';
import type { BitsRun } from './run-recipe.mjs';

export const root = join(import.meta.dirname, '../..');

/** Longer runs for `make test-bits`. */
export const bitsRecipes = isLong ? longer(20) : recipes;

export const bitsText = (recipe: BitsRecipe): Uint8Array =>
  new Uint8Array(readFileSync(join(root, 'public/texts', recipe.text)).subarray(0, TEXT_BYTES));

/** Runs every recipe in Node on the module in a folder of build/. */
export async function runInNode(folder: string, threads: number): Promise<BitsRun[]> {
  const bytes = readFileSync(join(root, 'build', folder, 'glasshouse.wasm'));
  const instance = await instantiate(bytes, { threads });
  try {
    const count = (instance.exports['gpt_threads_count'] as () => number)();
    if (count !== threads) throw new Error(`${count} threads came, not ${threads}`);
    return bitsRecipes.map((recipe) => runRecipe(instance, recipe, bitsText(recipe)));
  } finally {
    await instance.stop();
  }
}
