/** After a run: what would help most. */
export const after = {
  'after.trying': 'Trying what would help most…',
  'after.nothing':
    'Nothing would help on this text: its order is chance, no model gets below a loss of {least} but by chance, and this one is at {end}.',
  'after.rate':
    'A lower learning rate would help most: the training loss was {before} around step {step}, rose, and was {after} in the end.',
  'after.text.heart':
    'More text would help most: the validation loss was lowest at step {step} ({loss}, now {end}); since then the model learns the text by heart.',
  'after.text.read':
    'More text would help most: the model has read this text {readings} {readings|time|times} and knows it by heart.',
  'after.text.trial':
    'More text would help most: in a short trial neither {steps} more steps ({before}, then {after}) nor a larger model did better.',
  'after.text.flat':
    'More text would help most: the loss no longer falls, and no larger model is possible here.',
  'after.text.do': 'Add more text',
  'after.steps.trial':
    'More steps would help most: a trial of {steps} more brought the validation loss from {before} to {after}.',
  'after.steps.falling':
    'More steps would help most: the training loss was still falling, from {before} to {after} over the last fifth of the run.',
  'after.steps.falling.heldOut':
    'More steps would help most: the validation loss was still falling, from {before} to {after} over the last fifth of the run.',
  'after.steps.unread':
    'More steps would help most: the model has not read the whole text once yet.',
  'after.steps.time': '{count} more take about {time} here.',
  'after.model.trial':
    'A larger model would help most: after {steps} {steps|step|steps} its validation loss was {loss}, not {own}.',
  'after.model.flat': 'A larger model would help most: the loss of this one no longer falls.',
  'after.model.time': 'It takes about {time} here.',
  'after.model.do': 'Train the larger model',
  'after.seconds': '{count} {count|second|seconds}',
  'after.minutes': '{count} {count|minute|minutes}',
  'after.hours': '{count} {count|hour|hours}',
} as const;
