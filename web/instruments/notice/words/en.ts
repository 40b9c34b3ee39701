/** Names and offers of saved runs outside their list, and errors of storage. */
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
  'runs.goOn': 'Continue the run',
  'runs.offer.show': 'Open it',
  'runs.recognised':
    '{run} is already saved under “{=runs.title}”, at this very step and with more of its history. If you continue from the file, it is saved as a separate run.',
  'runs.recognised.open': 'Open the saved run',
  'runs.dismiss': 'Dismiss',
  'runs.download.go': 'Download the run',
  'runs.lost':
    '{run} was replaced at step {step} and could not be saved in this browser. Download it now: it is gone once you close this notice or the page.',
  'runs.lost.now': 'The current run is not saved either.',
  'runs.download.now': 'Download the current run',
  'runs.understood': 'OK',
  'runs.good': 'At step {step} the run was still fine. {why}',
  'runs.good.rate':
    'The learning rate, {rate}, is probably too large: the preset begins with {usual}.',
  'runs.good.clip':
    'Gradients are not clipped, and the last one had a norm of {norm}: a single bad batch may have been enough.',
  'runs.good.unknown': 'A smaller learning rate usually helps.',
  'runs.back': 'Back to step {step}, learning rate {rate}',
  'error.storage-denied':
    'This browser saves nothing for this page, so the run ends with the tab, or when another one replaces it. Everything else works. To keep the run, save a checkpoint.',
  'error.storage-fetch':
    'The part of this page that saves runs could not be loaded, so this run is not saved yet. Check the connection; the page tries again by itself. To be safe, save a checkpoint.',
  'error.storage-full':
    'The browser has no more room for saved runs, so this one is no longer saved. Delete some under “{=runs.title}”, or download this one.',
  'error.storage-full.dropped':
    'The browser has no more room for saved runs. The oldest without a name were deleted ({0}), but this one could still not be saved. Delete others under “{=runs.title}”, or download this one.',
  'error.storage-large':
    'A checkpoint of this model has about {0}: too much to save automatically. Save one yourself under “{=model.title}”.',
  'error.storage': 'The run could not be saved in this browser. Download it to keep it.',
  'error.storage-change':
    'The browser could not change the list of saved runs. Reload the page, then try again.',
  'error.run-gone': 'This run is no longer saved.',
  'error.run-damaged':
    'This saved run is damaged and cannot be opened; it stays in the list until you delete it. If you downloaded it, open its file.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly notice: typeof notice;
  }
}
