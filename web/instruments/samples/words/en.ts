/** Texts written while training. */
export const samples = {
  'samples.title': 'What it writes',
  'samples.lead': 'Always the same dice, at temperature 0.8: only the model changes.',
  'samples.empty':
    'Press “{=run.start}”. What the model writes appears here, at first as nonsense.',
  'samples.step': 'step {step}',
  'samples.all': 'Show all {count}',
  'samples.fewer': 'Show fewer',
  'samples.share': 'Share',
  'samples.unreadable':
    'stands for bytes that the model wrote but that make no readable character.',
  'samples.cut': '… marks a text that was cut off for lack of room; the model had not ended it.',
  'samples.nothing': '(an empty text)',
  'samples.spoken': 'Step {step}. It writes: {text}',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly samples: typeof samples;
  }
}
