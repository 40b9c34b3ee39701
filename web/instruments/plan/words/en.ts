/** What a recipe makes of the text. */
export const plan = {
  'plan.becomes': '{now} → {then}',
  'plan.fold': 'Parameters: {parameters}, and other figures',
  'plan.title': 'What will be made of the text',
  'plan.vocab': 'Vocabulary',
  'plan.vocab.help': 'How many different tokens the model knows',
  'plan.tokens': 'Text, in tokens',
  'plan.tokens.help':
    'A token is the smallest piece of text that the model reads; this is how many the text has',
  'plan.parameters': 'Parameters',
  'plan.parameters.help': 'Numbers that training improves',
  'plan.memory': 'Memory',
  'plan.memory.help': 'What the model and its training will take of this tab’s memory',
  'plan.index': 'And for “{=copied.title}”',
  'plan.index.help': 'What the index of the text takes at most, beside that, once it is asked',
  'plan.past': 'And to look back',
  'plan.past.help':
    'At most, for states from which any step is made again; 0 for a model too large for that',
  'plan.random': 'Random guessing',
  'plan.random.help': 'The loss of guessing every token with the same probability: ln V nats',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly plan: typeof plan;
  }
}
