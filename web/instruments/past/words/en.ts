/** Earlier steps of a run: playback, film and forks. */
export const past = {
  'past.title': 'Look back',
  'past.shows': 'The whole page shows step {step}.',
  'past.missing':
    'Step {step} cannot be shown: a part of this page could not be loaded. Choose a step again once the connection is back.',
  'past.before':
    'This step cannot be recomputed. You see the nearest saved texts. Steps from {step} on can be shown exactly.',
  'past.going':
    'Computing step {step} again: {done} of {count} {count|step|steps} done, {time} left. Until then you see the nearest saved step.',
  'past.way': 'Computing step {step} again',
  'past.only': 'Only some steps can be shown: a snapshot of this model takes {size}.',
  'past.stop': 'Stop at step {step}',
  'past.play': 'Play the run',
  'past.play.short': 'Play',
  'past.hold': 'Stop playing',
  'past.hold.short': 'Stop',
  'past.film': 'Save as film',
  'past.film.short': 'Film',
  'error.no-film':
    'This browser cannot record a film. Open this page in a current Chrome, Edge or Firefox and save it there.',
  'past.film.making': 'Cancel the film: {done} of {count} pictures',
  'past.film.step': 'Step {step}',
  'past.film.loss': 'loss {loss}',
  'past.report': 'How it took shape',
  'past.best': 'Best step: {step}',
  'past.best.help': 'The lowest validation loss: {loss} nats per token',
  'past.best.mark': 'lowest validation loss',
  'past.best.now':
    'The validation loss was lowest at this step. Writing, saving and exporting use the model of this step.',
  'past.fork': 'Train on from here…',
  'past.fork.short': 'Train on',
  'past.fork.title': 'Train on from step {step}, with',
  'past.fork.go': 'Train on',
  'past.fork.same': 'Change something: with the same settings it would be the same run.',
  'past.fork.anew': 'Learn the text that is on the page now; steps then count from 0',
  'past.fork.other': 'To let it learn another text from here, choose that text first.',
  'past.fork.name': 'step {step} of the previous run',
  'past.fork.steps': '{name} must be more than {step}, the step where it starts.',
  'error.moment':
    'This is not a snapshot of this run, or it is damaged ({name}). Train up to that step again.',
  'error.past':
    'Step {0} cannot be computed again: there is no snapshot at or before it. Choose a later step.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly past: typeof past;
  }
}
