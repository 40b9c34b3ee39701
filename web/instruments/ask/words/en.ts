/** Writing on from a prompt. */
export const ask = {
  'ask.title': 'Let the model write',
  'ask.prompt': 'Begin with',
  'ask.placeholder': 'a few letters, or nothing',
  'ask.button': 'Write',
  'ask.stop': 'Stop',
  'ask.settings': 'Length, seed and other choices',
  'ask.temperature': 'Temperature',
  'ask.temperature.help': '0 always takes the likeliest token; higher values dare more.',
  'ask.topK': 'Top-k',
  'ask.topK.help': 'Choose only among the k likeliest tokens. 0: among all.',
  'ask.topP': 'Top-p',
  'ask.topP.help': 'Choose only among the likeliest that together reach this share. 1: among all.',
  'ask.maxTokens': 'Length (tokens)',
  'ask.maxTokens.help': 'How many tokens to write at most.',
  'ask.seed': 'Seed',
  'ask.seed.help': 'Random seed. The same seed, model, prompt and settings give the same text.',
  'ask.done':
    'Written at step {step}, temperature {temperature}, seed {seed}: {tokens} {tokens|token|tokens}.',
  'ask.ended':
    'Written at step {step}, temperature {temperature}, seed {seed}: {tokens} {tokens|token|tokens}, the end included: the model ended it there.',
  'ask.full':
    'Written at step {step}, temperature {temperature}, seed {seed}: {tokens} {tokens|token|tokens}; the context was full.',
  'ask.limit':
    'Written at step {step}, temperature {temperature}, seed {seed}: {tokens} {tokens|token|tokens}. It stops here: a text may have at most 65,536 bytes.',
  'ask.refills':
    'The context was full {count} {count|time|times}: each time the model went on from its last half.',
  'ask.again.request':
    'It is the same text again, because the model, the beginning and the seed are the same. “{=ask.another}” takes another seed.',
  'ask.again.seed':
    'It is the same text with another seed: the model is sure of every token. At a higher temperature it varies.',
  'ask.cancelled': 'Stopped.',
  'ask.empty': 'The model chose to write nothing.',
  'ask.another': 'Another',
  'ask.back': 'Back to the last one',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly ask: typeof ask;
  }
}
