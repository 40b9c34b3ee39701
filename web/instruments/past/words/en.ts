/** Looking back at a run. */
export const past = {
  'past.title': 'Look back',
  'past.shows': 'You see step {step}, everywhere on this page.',
  'past.missing':
    'Step {step} cannot be shown: the part of this page that looks back could not be fetched. Choose a step again once the connection is back.',
  'past.before':
    'Of this step only what was kept is shown, texts above all: the run here can be made again from step {step} on.',
  'past.going':
    'On the way to step {step}: {done} of {count} {count|step|steps} repeated, {time} left. Until then you see the nearest step that is kept.',
  'past.way': 'On the way to step {step}',
  'past.only':
    'Only some steps can be looked at: keeping the state of this model at others would take {size} each.',
  'past.now': 'Back to now',
  'past.stop': 'Stop at step {step}',
  'past.play': 'Play the run',
  'past.hold': 'Stop playing',
  'past.film': 'Save as film',
  'error.no-film':
    'This browser cannot record a film. Open this page in a current Chrome, Edge or Firefox and save it there.',
  'past.film.making': 'Stop the film: {done} of {count} pictures',
  'past.film.step': 'Step {step}',
  'past.film.loss': 'loss {loss}',
  'past.report': 'How it took shape',
  'past.best': 'Best step: {step}',
  'past.best.help': 'Where the validation loss was lowest: {loss} nats a token',
  'past.best.mark': 'lowest validation loss',
  'past.best.now':
    'The validation loss was lowest here. What you let the model write, save or export is that of this step.',
  'past.fork': 'Train on from here…',
  'past.fork.title': 'Train on from step {step}, with',
  'past.fork.go': 'Train on',
  'past.fork.same': 'Change something: with the same settings it would be the same run.',
  'past.fork.anew': 'Learn the text that stands on the page now; steps then count from 0',
  'past.fork.other': 'To let it learn another text from here, choose that text first.',
  'past.fork.name': 'step {step} of the run before',
  'past.fork.steps': '{name} must be more than {step}, where it starts.',
  'error.moment':
    'This is no moment of this run, or it is damaged ({name}). Train up to that step again.',
  'error.past': 'Step {0} cannot be reached again: no state of the run at or before it is kept.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly past: typeof past;
  }
}
