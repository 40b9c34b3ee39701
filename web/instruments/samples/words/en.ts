/** Texts written while training. */
export const samples = {
  'samples.title': 'What it writes',
  'samples.lead': 'Written with the same dice each time: what changes is the model.',
  'samples.empty': 'Samples appear here as the model trains.',
  'samples.step': 'step {step}',
  'samples.all': 'Show all {count}',
  'samples.fewer': 'Show fewer',
  'samples.broken':
    '� is a character that was begun and not finished: its tokens are parts of it, its bytes.',
  'samples.cut': '… ends a text that the model did not end itself: there was no room for more.',
  'samples.many': 'The texts of one step stand side by side, each behind a thin line.',
  'samples.nothing': '(an empty text)',
} as const;
