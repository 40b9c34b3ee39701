/** Answers of the model to a prompt, and sampling parameters. */
export const ask = {
  'ask.title': 'Let the model write',
  'ask.prompt': 'Prompt',
  'ask.placeholder': 'may be empty',
  'ask.button': 'Write',
  'ask.stop': 'Stop',
  'ask.settings': 'Length, seed and more',
  'ask.temperature': 'Temperature',
  'ask.temperature.help': '0 always takes the likeliest token; higher values dare more.',
  'ask.topK': 'Top-k',
  'ask.topK.help': 'Choose only among the k likeliest tokens. 0 allows all.',
  'ask.topP': 'Top-p',
  'ask.topP.help':
    'Choose only among the likeliest tokens that together reach this share. 1 allows all.',
  'ask.maxTokens': 'Length (tokens)',
  'ask.maxTokens.help': 'The largest number of tokens to write.',
  'ask.seed': 'Seed',
  'ask.seed.help': 'Random seed. The same seed, model, prompt and settings give the same text.',
  'ask.done':
    'Written at step {step}, temperature {temperature}, seed {seed}: {tokens} {tokens|token|tokens}.',
  'ask.ended':
    'Written at step {step}, temperature {temperature}, seed {seed}: {tokens} {tokens|token|tokens} with the end. The model ended the text.',
  'ask.full': 'The context was full.',
  'ask.limit': 'A text may have at most 65,536 bytes.',
  'ask.refills':
    'The context was full {count} {count|time|times}; each time the model continued from its last half.',
  'ask.again.request':
    'The same text again, because the model, the prompt and the seed are the same. “{=ask.another}” takes another seed.',
  'ask.again.seed':
    'The same text with another seed: the model is sure of every token. A higher temperature brings variety.',
  'ask.cancelled': 'Stopped.',
  'ask.empty': 'The model wrote nothing.',
  'ask.another': 'Another',
  'ask.back': 'Back to the last one',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly ask: typeof ask;
  }
}
