/**
 * Recipes for which all engines must compute the same bits: the three families, BPE, batches of
 * documents, a mixed model on Chinese. Each run has two halves: between them its number of steps
 * (and its learning rate) changes, as with "train further". Options are numbers by name; choices
 * are indices.
 */
export const recipes = [
  {
    name: 'microgpt on names',
    preset: 'microgpt',
    text: 'first-names-en.txt',
    settings: {},
    half: 15,
    change: { lr: 0.002 },
    prompt: 'a',
  },
  {
    name: 'tinygpt on bytes of a story',
    preset: 'tinygpt',
    text: 'moby-dick-en.txt',
    settings: { batch: 4, channels: 48, context: 32 },
    half: 4,
    change: { lr: 0.001 },
    prompt: 'The ',
  },
  {
    name: 'gpt2 with a BPE learned from a story',
    preset: 'gpt2',
    text: 'moby-dick-en.txt',
    settings: { batch: 3, layers: 2, channels: 48, context: 24, vocabulary: 300, warmup: 2 },
    half: 4,
    change: { clip: 0.5 },
    prompt: 'Call',
  },
  {
    name: 'documents of bytes in batches of four',
    preset: 'microgpt',
    text: 'first-names-en.txt',
    settings: { tokenizer: 0, batch: 4, validation: 0.1 },
    half: 6,
    change: { weight_decay: 0.1 },
    prompt: '',
  },
  {
    name: 'a mixed model on Chinese characters',
    preset: 'gpt2',
    text: 'tang-quatrains-zh.txt',
    settings: {
      tokenizer: 1,
      batch: 2,
      layers: 1,
      channels: 36,
      heads: 3,
      norm: 1,
      activation: 1,
      tied_head: 0,
    },
    half: 3,
    change: { schedule: 1 },
    prompt: '春',
  },
];

/** The recipes with more steps, for `make test-bits`. */
export const longer = (factor) =>
  recipes.map((recipe) => ({ ...recipe, half: recipe.half * factor }));

/** Bytes of the training text. */
export const TEXT_BYTES = 30_000;
/** Options of the sample after training. */
export const SAMPLE = { tokens: 24, temperature: 0.8, seed: 7 };
