/** What is said of kept runs where they are not listed: their names, and offers to go on. */
export const notice = {
  'runs.opening': 'Opening the run…',
  'runs.own': 'Own text',
  'runs.a': 'A run on {text}',
  'runs.the': 'The run “{name}”',
  'runs.value': '{option} {value}',
  'runs.with': '{text} ({differs})',
  'runs.more': '{list} and {count} more',
  'runs.offer.open': '{run} stopped at step {step} of {steps} ({when}).',
  'runs.offer.done': '{run} finished its {steps} {steps|step|steps} ({when}).',
  'runs.goOn': 'Go on',
  'runs.offer.show': 'Open it',
  'runs.recognised':
    '{run} is kept under “{=runs.title}” already, at this very step and with more of its history. Trained on from the file, it becomes a run of its own.',
  'runs.recognised.open': 'Open the kept one',
  'runs.dismiss': 'Dismiss',
  'runs.understood': 'OK',
  'runs.good': 'At step {step} the run was still fine. {why}',
  'runs.good.rate':
    'The learning rate, {rate}, is probably too large: the preset begins with {usual}.',
  'runs.good.clip':
    'Gradients are not clipped, and the last one had a norm of {norm}: one bad batch may have been enough.',
  'runs.good.unknown': 'A smaller learning rate usually helps.',
  'runs.back': 'Back to step {step}, learning rate {rate}',
  'error.storage-denied':
    'This browser keeps nothing for this page, so the run ends with the tab. Everything else works; save a checkpoint to keep it.',
  'error.storage-fetch':
    'The part of this page that saves runs could not be fetched, so this run is not saved yet. Check the connection: it is asked for again by itself. To be safe, save a checkpoint.',
  'error.storage-full':
    'The browser has no more room for saved runs, so this one is no longer being saved. Delete some under “{=runs.title}”, or save a checkpoint.',
  'error.storage-large':
    'A checkpoint of this model has about {0}: too much to save by itself while training. Save one yourself under “{=model.title}”.',
  'error.storage': 'The run could not be saved in this browser. Save a checkpoint to keep it.',
  'error.storage-change':
    'The browser could not change the list of saved runs. Load the page anew, then try again.',
  'error.run-gone': 'This run is not kept any more.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly notice: typeof notice;
  }
}
