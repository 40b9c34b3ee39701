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
  'samples.broken':
    '� is a character that was begun and not finished: its tokens are parts of it, its bytes.',
  'samples.cut': '… ends a text that the model did not end itself: there was no room for more.',
  'samples.nothing': '(an empty text)',
  'samples.spoken': 'Step {step}. It writes: {text}',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly samples: typeof samples;
  }
}
