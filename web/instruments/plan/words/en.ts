/** Figures of the plan, such as tokens, parameters and memory. */
export const plan = {
  'plan.becomes': '{now} → {then}',
  'plan.fold': 'Parameters: {parameters}, and more',
  'plan.title': 'Tokens and model size',
  'plan.vocab': 'Vocabulary',
  'plan.vocab.help': 'How many different tokens the model knows',
  'plan.tokens': 'Text, in tokens',
  'plan.tokens.help': 'The length of the text in tokens, the smallest pieces that the model reads',
  'plan.parameters': 'Parameters',
  'plan.parameters.help': 'Numbers that training improves',
  'plan.memory': 'Memory',
  'plan.memory.help': 'Memory of this tab that the model and its training need',
  'plan.index': 'And for “{=copied.title}”',
  'plan.index.help': 'Additional memory, at most, for the index of the text, once you use it',
  'plan.past': 'And for looking back',
  'plan.past.help':
    'Additional memory, at most, for the snapshots from which any step can be computed again; 0 if the model is too large',
  'plan.random': 'Random guessing',
  'plan.random.help': 'The loss if every token gets the same probability: ln V nats',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly plan: typeof plan;
  }
}
