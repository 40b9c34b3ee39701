/** The loss curve. */
export const loss = {
  'loss.title': 'Loss',
  'loss.train': 'Training, each step',
  'loss.smoothed': 'Smoothed',
  'loss.validation': 'Validation',
  'loss.random': 'Random guessing, ln V',
  'loss.axis.steps': 'step',
  'loss.axis.loss': 'nats per token',
  'loss.empty': 'The curve begins at the dotted line and falls as the model learns.',
  'loss.summary.before':
    'An untrained model guesses at random, with a loss of about {random}. Learning begins below that line.',
  'loss.summary':
    'After {step} {step|step|steps} the loss has gone from {first} to {smoothed}; random guessing is {random}.',
  'loss.summary.choices':
    'The model is now as unsure as if it chose among {choices} equally likely tokens.',
  'loss.summary.worse': 'That is worse than guessing.',
  'loss.summary.validation': 'On text it has never seen, the loss was {loss} at step {step}.',
  'loss.point': 'Step {step}: loss {loss}, smoothed {smoothed}.',
  'loss.table': 'The losses as a table',
  'loss.table.caption': 'Mean loss over blocks of steps',
  'loss.first': 'Loss of step 1, all digits (the same on every machine):',
  'loss.col.steps': 'Steps',
  'loss.col.mean': 'Mean',
  'loss.col.low': 'Lowest',
  'loss.col.high': 'Highest',
} as const;
