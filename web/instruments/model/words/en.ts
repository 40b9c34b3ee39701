/** Models opened from files and saved to them. */
export const model = {
  'model.title': 'Open or save a model',
  'model.open': 'Open a model…',
  'model.open.folder': 'Open a folder…',
  'model.none':
    'The model starts from random weights. Or open one that is trained already: saved here, or a GPT-2 from Hugging Face.',
  'model.which': 'Which files?',
  'model.which.files':
    'A checkpoint or weights saved here: one .safetensors file. GPT-2, all chosen or dropped together: config.json, model.safetensors (or all its shards with their index), vocab.json and merges.txt, or tokenizer.json; or the raw form, a JSON with its .bin files.',
  'model.busy': 'Reading the file…',
  'model.facts':
    '{parameters} {parameters|parameter|parameters}, {vocab} {vocab|token|tokens} in its vocabulary.',
  'model.facts.saved':
    '{parameters} {parameters|parameter|parameters}, {vocab} {vocab|token|tokens} in its vocabulary, saved at step {step}.',
  'model.purpose': 'What to do with it',
  'model.resume': 'Go on with its run',
  'model.train': 'Learn the text',
  'model.generate': 'Only write',
  'model.close': 'New model instead',
  'model.save': 'Save the model',
  'model.saved': 'Saved at step {step}: {name}',
  'model.save.own':
    'To open here again. A checkpoint goes on where it stopped, to the last bit, with the same text. Weights alone are a smaller file, and can write or learn another text.',
  'model.save.refused': 'Change them here, for a new model:',
  'model.save.checkpoint': 'Checkpoint',
  'model.save.weights': 'Weights',
  'model.save.shared':
    'For Python: transformers (Hugging Face) opens one folder with all of these files, if the model is built like GPT-2. It has no tokenizer of characters; those of bytes and BPE come with the folder. What it has no place for is named when you press.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly model: typeof model;
  }
}
