/** Models opened from files and saved to them. */
export const model = {
  'model.title': 'Open or save a model',
  'model.open': 'Open a model…',
  'model.open.folder': 'Open a folder…',
  'model.none':
    'The model starts from random weights. You can also open a trained model: one saved here, or a GPT-2 from Hugging Face.',
  'model.which': 'Which files?',
  'model.which.files':
    'A checkpoint or weights saved here: one .safetensors file. GPT-2, all chosen or dropped together: config.json, model.safetensors (or all its shards with their index), vocab.json and merges.txt, or tokenizer.json; or the raw form, a JSON with its .bin files.',
  'model.busy': 'Reading the file…',
  'model.facts':
    '{parameters} {parameters|parameter|parameters}, {vocab} {vocab|token|tokens} in its vocabulary.',
  'model.facts.saved':
    '{parameters} {parameters|parameter|parameters}, {vocab} {vocab|token|tokens} in its vocabulary, saved at step {step}.',
  'model.purpose': 'What to do with it',
  'model.resume': 'Continue its run',
  'model.train': 'Learn the text',
  'model.generate': 'Only write',
  'model.close': 'Start a new model',
  'model.save': 'Save the model',
  'model.saved': 'Saved at step {step}: {name}',
  'model.save.own':
    'To open here again. A checkpoint continues where it stopped, to the last bit, with the same text. Weights alone are a smaller file; they can write or learn another text.',
  'model.save.refused': 'For a new model, change them here:',
  'model.save.checkpoint': 'Checkpoint',
  'model.save.weights': 'Weights',
  'model.save.shared':
    'For Python: transformers (Hugging Face) opens one folder with all of these files, if the model is built like GPT-2. The folder includes the tokenizer for bytes or BPE; transformers has none for characters. If a setting is not supported, you see which when you press.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly model: typeof model;
  }
}
