/** The run bar. */
export const run = {
  'run.title': 'Training run',
  'run.loading': 'Loading…',
  'run.start': 'Start',
  'run.pause': 'Pause',
  'run.continue': 'Continue',
  'run.step': 'One step',
  'run.rewind': 'Rewind',
  'run.rewind.help': 'Back to step 0, with the same initial weights and the same order of the data',
  'run.newSeed': 'New seed',
  'run.newSeed.help':
    'A new run with other random numbers: other initial weights, another order of the data',
  'run.extend': 'Train {steps} more',
  'run.extend.help':
    'The learning rate schedule is stretched over all steps, so a learning rate that has fallen rises again',
  'run.extend.fixed': 'The run is complete: this lesson fixes its number of steps.',
  'run.old.continue': 'Previous run: continue',
  'run.old.extend': 'Previous run: {steps} more',
  'run.restart': 'Restart with these changes',
  'run.gentler': 'Rewind, with a tenth of the learning rate',
  'run.progress': 'Progress of the run',
  'run.back': 'Look back',
  'run.back.help':
    'Drag back to an earlier step: the whole page shows it. For an exact step, press the arrow keys or the loss curve',
  'run.back.step': 'step {step}',
  'run.back.now': 'Now',
  'run.back.mark': 'shown',
  'run.pace': 'Speed',
  'run.pace.0': 'Full',
  'run.pace.full': 'Full speed',
  'run.pace.value': '{steps}/s',
  'run.pace.help': 'Steps a second: slow down to watch closely',
  'run.fact.step': 'Step',
  'run.fact.loss': 'Loss',
  'run.fact.loss.help': 'Smoothed like the curve',
  'run.unit.nats': 'nats',
  'run.unit.bits': 'bits/char.',
  'run.fact.speed': 'Tokens/s',
  'run.fact.left': 'Time left',
  'run.kept': 'An earlier run is saved: go to it',
  'run.of': '{step} / {steps}',
  'run.done': 'done',
  'run.changed': 'Changed: {names}.',
  'run.changed.many': 'Changed: {count} settings.',
  'run.changed.running': 'The current run continues with its old settings.',
  'run.changed.resting': 'You are still looking at the previous run.',
  'run.changed.renew': '“{=run.restart}” starts a run with {count|this change|these changes}.',
  'run.changed.chance': '“{=run.restart}” starts from random weights, without the opened model.',
  'run.leftOut':
    '{share} of the text will not be learned: {lines} {lines|line is|lines are} longer than the context.',
  'run.leftOut.cure': 'Fit the settings to the text',
  'run.left': 'This run started from random weights, without the opened model ({name}).',
  'run.lacks':
    'To continue this run, paste or open its training text. Until then the model can only write.',
  'run.tune': 'Train the opened model',
  'run.changed.whole': 'Show the whole note',
  'run.changed.which': 'Show the changes',
  'run.changed.list': 'The changes',
  'run.changed.one': '{name}: {was} → {now}',
  'run.changed.text': 'the text',
  'run.state.loading': 'Loading',
  'run.state.ready': 'Ready, at step 0',
  'run.state.running': 'Training',
  'run.state.paused': 'Paused at step {step}',
  'run.state.finished': 'Finished after {step} {step|step|steps}',
  'run.state.diverged': 'Stopped at step {step}',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly run: typeof run;
  }
}
