/** Advice after a run. */
export const after = {
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
  'after.heldOut.do': 'Hold out a tenth and train again',
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
