/** The end of a run: what it learned, and advice. */
export const after = {
  'after.now.letters':
    'It is as unsure as someone who has to choose among {choices} {choices|letter|letters}.',
  'after.now.tokens':
    'It is as unsure as someone who has to choose among {choices} {choices|token|tokens}.',
  'after.end.letters':
    '{what}: it is as unsure as someone who has to choose among {choices} {choices|letter|letters}.',
  'after.end.tokens':
    '{what}: it is as unsure as someone who has to choose among {choices} {choices|token|tokens}.',
  'after.learned.names': 'It learned names of this kind',
  'after.learned.poems': 'It learned poems of this kind',
  'after.learned.lines': 'It learned lines of this kind',
  'after.learned.text': 'It learned to write like this text',
  'after.learned.little': 'It has learned little',
  'after.sure': 'It is nearly always sure what comes next.',
  'after.heart.probably': 'It probably knows this text by heart.',
  'after.heart': 'It learned this text by heart: since step {step} it got worse on held-out text.',
  'after.pairs': 'Better than counting pairs from step {step} on.',
  'after.why': 'Why?',
  'after.steps': 'More steps would help most.',
  'after.nothing.short': 'No change that was tried does better.',
  'after.trying': 'Trying what would help most…',
  'after.nothing':
    'Nothing would help: the order of this text is random. No model gets below a loss of {least}, except by luck, and this one is at {end}.',
  'after.nothing.trial':
    'A short trial found nothing that would help: neither {steps} more steps (validation loss {before}, then {after}) nor a larger model.',
  'after.nothing.trial.alone':
    'A short trial found nothing that would help: {steps} more steps did not (validation loss {before}, then {after}).',
  'after.rate':
    'A lower learning rate would help most: the training loss was {before} around step {step}, rose, and was {after} in the end.',
  'after.heldOut':
    'Nothing is held out. Hold out a tenth, and the next run can tell what would help most.',
  'after.text.heart':
    'More text would help most: the validation loss was lowest at step {step} ({loss}, now {end}). Since then the model learns by heart.',
  'after.text.read':
    'More text would help most: the model has read this text {readings} {readings|time|times} and knows it by heart.',
  'after.text.do': 'Add more text',
  'after.steps.trial':
    'More steps would help most: a trial of {steps} more brought the validation loss from {before} to {after}.',
  'after.steps.falling':
    'More steps would help most: the training loss was still falling, from {before} to {after} over the last fifth of the run.',
  'after.steps.falling.heldOut':
    'More steps would help most: the validation loss was still falling, from {before} to {after} over the last fifth of the run.',
  'after.steps.unread':
    'More steps would help most: the model has not yet read the whole text once.',
  'after.steps.time': '{count} more take about {time} here.',
  'after.model.trial':
    'A larger model would help most: after {steps} {steps|step|steps} its validation loss was {loss} instead of {own}.',
  'after.model.time': 'It takes about {time} here.',
  'after.model.do': 'Train the larger model',
  'after.seconds': '{count} {count|second|seconds}',
  'after.minutes': '{count} {count|minute|minutes}',
  'after.hours': '{count} {count|hour|hours}',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly after: typeof after;
  }
}
