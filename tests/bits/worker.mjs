// Runs recipes in a browser's worker, with one thread or several.
import { startWorker } from '../bench/page/helpers.mjs';
import { instantiate } from '../node/threads.mjs';
import { TEXT_BYTES } from './recipes.mjs';
import { runRecipe } from './run-recipe.mjs';

const read = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());

async function run({ recipes, threads }) {
  const folder = threads > 1 ? 'wasm-threads' : 'wasm';
  const instance = await instantiate(await read(`/build/${folder}/glasshouse.wasm`), {
    threads,
    startWorker,
  });
  const taking = instance.exports.gpt_threads_count();
  if (taking !== threads) throw new Error(`${taking} threads came, not ${threads}`);
  const runs = [];
  for (const recipe of recipes) {
    const text = (await read(`/public/texts/${recipe.text}`)).subarray(0, TEXT_BYTES);
    runs.push(runRecipe(instance, recipe, text));
  }
  await instance.stop();
  return runs;
}

self.onmessage = ({ data }) => {
  run(data).then(
    (runs) => self.postMessage({ runs }),
    (error) => self.postMessage({ error: String(error?.stack ?? error) }),
  );
};
