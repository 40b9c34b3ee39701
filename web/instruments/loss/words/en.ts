/** The loss curve. */
export const loss = {
  'loss.title': 'Loss',
  'loss.train': 'Each step',
  'loss.smoothed': 'Smoothed',
  'loss.validation': 'Validation',
  'loss.random': 'Guessing',
  'loss.random.bits': 'Guessing',
  'loss.axis.steps': 'step',
  'loss.axis.loss': 'nats per token',
  'loss.empty': 'The curve begins at the dotted line and falls as the model learns.',
  'loss.empty.barred': 'The curve appears as soon as training can begin.',
  'loss.empty.opened': 'The curve begins at the loss of the opened model.',
  'loss.opened': 'This model was opened from a file.',
  'loss.opened.steps':
    'This model was opened from a file, after {step} {step|step|steps} of training.',
  'loss.opened.curve':
    'The curve begins with the first step trained here; random guessing would be {random} {unit}.',
  'loss.opened.writes': 'Here it only writes. Without training there is no loss to draw.',
  'loss.summary.before':
    'An untrained model guesses at random, with a loss of about {random} {unit}. Everything below that line has been learned.',
  'loss.summary':
    'After {step} {step|step|steps} the loss has gone from {first} to {smoothed} {unit}; random guessing is {random}.',
  'loss.summary.first':
    'At the first step the loss is {first} {unit}; random guessing is {random}.',
  'loss.summary.worse': 'That is worse than guessing.',
  'loss.summary.validation': 'On held-out text the loss was {loss} at step {step}.',
  'loss.memorising':
    'From about step {step} on the model gets worse on held-out text (validation loss {loss} there): it begins to learn the text by heart.',
  'loss.memorising.compare': 'Compare',
  'loss.table': 'The losses as a table',
  'loss.table.caption': 'Mean loss over blocks of steps, in {unit}',
  'loss.first': 'Loss of step 1 in nats per token, all digits (the same on every machine):',
  'loss.col.steps': 'Steps',
  'loss.col.mean': 'Mean',
  'loss.col.low': 'Lowest',
  'loss.col.high': 'Highest',
  'loss.axis.bits': 'bits per character',
  'loss.chart':
    'The loss curve. Left and right arrow: along the curve; Home and End: to its ends. Plus and minus: zoom. Shift with an arrow: move along. 0: show all.',
  'loss.point':
    'Step {step}: loss {loss}, smoothed {smoothed} {unit} (perplexity of the smoothed: {perplexity}).',
  'loss.point.plain': 'Step {step}: loss {loss} {unit} (perplexity {perplexity}).',
  'loss.point.smoothed':
    'Step {step}: smoothed {smoothed} {unit} (perplexity of the smoothed: {perplexity}); the unsmoothed loss is no longer stored.',
  'loss.point.validation': 'Validation {loss}.',
  'loss.point.validation.near': 'Validation {loss}, at step {step}.',
  'loss.point.rate': 'Learning rate {rate}, gradient norm {norm}.',
  'loss.point.other': '{name}: {loss}.',
  'loss.tip': 'Step {step}, {unit}',
  'loss.tip.validation': '{=loss.validation}, at step {step}',
  'loss.roof':
    'Losses are capped at {roof} {unit}, the flat top of the curve: a probability below 10⁻³⁰ counts as 10⁻³⁰.',
  'loss.thinned': 'This run is long: the chart, the table and the files keep one step in {stride}.',
  'loss.key': '{name}: {curve}',
  'loss.picture': 'Loss over {step} {step|step|steps}',
  'loss.zoom': 'Zoom',
  'loss.zoom.in': 'Zoom in',
  'loss.zoom.out': 'Zoom out',
  'loss.zoom.all': 'All',
  'loss.zoom.all.help': 'Show all steps',
  'loss.zoom.help':
    'Drag across the curve to zoom in, or turn the wheel while holding Ctrl or Shift; double-click to see all.',
  'loss.zoom.help.touch': 'The buttons here zoom in and out; then a finger moves along.',
  'loss.more': 'Zoom, units, table, files',
  'loss.unit': 'Unit of the loss',
  'loss.bits.help':
    'Models with different tokens compare fairly in bits per character: how many yes-or-no questions each character still costs.',
  'loss.bits.higher':
    'The held-out text has more tokens per character ({held}) than the training text ({train}): in bits per character the validation curve therefore begins higher, even above random guessing.',
  'loss.bits.lower':
    'The held-out text has fewer tokens per character ({held}) than the training text ({train}): in bits per character the validation curve therefore begins lower.',
  'loss.smoothing': 'Smoothing',
  'loss.smoothing.help':
    'All smoothed numbers on this page follow this choice, also the loss in the run bar.',
  'loss.smoothing.none': 'none',
  'loss.smoothing.times': '{times}× the usual',
  'loss.log.steps': 'Steps logarithmic',
  'loss.log.loss': 'Loss logarithmic',
  'loss.beneath': 'Also show learning rate and gradient norm',
  'loss.rate': 'Learning rate',
  'loss.beneath.before': 'Learning rate and gradient norm are drawn from the first step on.',
  'loss.beneath.none':
    'This checkpoint has the losses, but no learning rates or gradient norms: they are drawn from the next step trained here.',
  'loss.beneath.from':
    'Learning rate and gradient norm are known from step {step} on: the opened checkpoint has only the losses.',
  'loss.cut':
    'At {count} {count|step|steps} the loss is above the chart, marked at its top; the highest is {loss}, at step {step}.',
  'loss.norm.cut':
    'At {count} {count|step|steps} the gradient norm is above the chart, marked at its top; the highest is {norm}, at step {step}.',
  'loss.norm': 'Gradient norm, before clipping',
  'earlier.title': 'Earlier runs',
  'earlier.name': 'Run {number}: {name}',
  'earlier.short': 'Run {number}',
  'earlier.bits':
    'In bits per character, because these runs have different tokens: their losses per token cannot be compared.',
  'earlier.aside':
    'Runs on another text or with other tokens are hidden: tick them to show them. With other tokens, compare in {=loss.axis.bits}; losses on different texts do not say which run is better.',
  'earlier.texts':
    'One of these runs learned another text, perhaps an easier one: these losses do not say which run is better.',
  'earlier.validation': 'Dots in the colour of an earlier run: its validation loss.',
  'earlier.same': 'the same settings',
  'earlier.text': 'another text',
  'earlier.end': '{loss} {unit} at step {step}',
  'earlier.remove': 'Remove',
  'earlier.remove.named': 'Remove {name}',
  'export.title': 'Save:',
  'export.save': 'Save as {form}: {what}',
  'export.what.loss': 'the loss',
  'export.what.map': 'the attention map',
  'export.what.arcs': 'the attention arcs',
  'export.what.diagram': 'the diagram of the model',
  'export.what.values': 'these numbers',
  'export.saved': 'Saved: {name}.',
  'export.sandboxed':
    'If no file arrives, a page around this frame blocks downloads. Its author can allow them: sandbox="… allow-downloads".',
  'export.nothing': 'Nothing to save yet.',
  'export.failed': 'This browser could not make the picture. Use another browser.',
  'error.canvas-noise':
    'This browser gives noise instead of pictures. Allow canvas data for this page, or use another browser.',
  'twin.on': 'on',
  'twin.off': 'off',
} as const;

declare module '../../../i18n/areas.ts' {
  interface FirstWords {
    readonly loss: typeof loss;
  }
}
