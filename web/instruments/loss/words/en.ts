/** The loss curve. */
export const loss = {
  'loss.title': 'Loss',
  'loss.train': 'Each step',
  'loss.smoothed': 'Smoothed',
  'loss.validation': 'Validation',
  'loss.random': 'Guessing, ln V',
  'loss.random.bits': 'Guessing',
  'loss.axis.steps': 'step',
  'loss.axis.loss': 'nats per token',
  'loss.empty': 'The curve begins at the dotted line and falls as the model learns.',
  'loss.empty.barred': 'The curve appears as soon as training can begin.',
  'loss.empty.opened': 'The curve begins where the opened model stands.',
  'loss.opened': 'This model was opened from a file.',
  'loss.opened.steps':
    'This model was opened from a file and has {step} {step|step|steps} of training behind it.',
  'loss.opened.curve':
    'The curve begins with the first step that is trained here; random guessing would be {random} {unit}.',
  'loss.opened.writes': 'Here it only writes: without training there is no loss to draw.',
  'loss.summary.before':
    'An untrained model guesses at random, with a loss of about {random} {unit}. Learning begins below that line.',
  'loss.summary':
    'After {step} {step|step|steps} the loss has gone from {first} to {smoothed} {unit}; random guessing is {random}.',
  'loss.summary.first':
    'At the first step the loss is {first} {unit}; random guessing is {random}.',
  'loss.summary.choices':
    'It now wavers as if between {choices} equally likely {choices|token|tokens}.',
  'loss.summary.sure': 'The model is now all but sure of every next token.',
  'loss.summary.worse': 'That is worse than guessing.',
  'loss.summary.heart':
    'A model is rarely this sure unless it knows the text by heart; only held-out text can tell.',
  'loss.summary.validation': 'On the text that was kept back, the loss was {loss} at step {step}.',
  'loss.memorising':
    'From about step {step} on it gets worse on text it never saw (validation loss {loss} there): it begins to learn by heart.',
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
    'Step {step}: smoothed {smoothed} {unit} (perplexity of the smoothed: {perplexity}); its own loss is not kept.',
  'loss.point.validation': 'Validation {loss}.',
  'loss.point.validation.near': 'Validation {loss}, at step {step}.',
  'loss.point.rate': 'Learning rate {rate}, gradient norm {norm}.',
  'loss.point.other': '{name}: {loss}.',
  'loss.tip': 'Step {step}, {unit}',
  'loss.tip.validation': '{=loss.validation}, at step {step}',
  'loss.roof':
    'No loss counts as more than {roof} {unit}, the flat top of the curve: a probability below 10⁻³⁰ counts as 10⁻³⁰.',
  'loss.thinned':
    'This run is long: one step in {stride} is kept for the chart, the table and the files.',
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
    'Models that cut the text into different tokens compare fairly in bits per character: how many yes-or-no answers each letter still costs.',
  'loss.bits.higher':
    'The text that is held out has more tokens to a character ({held}) than the one that is learned ({train}): in bits per character the validation curve therefore begins higher, even above random guessing.',
  'loss.bits.lower':
    'The text that is held out has fewer tokens to a character ({held}) than the one that is learned ({train}): in bits per character the validation curve therefore begins lower.',
  'loss.smoothing': 'Smoothing',
  'loss.smoothing.help':
    'Every smoothed figure on this page follows this choice, the loss in the run strip too.',
  'loss.smoothing.none': 'none',
  'loss.smoothing.times': '{times}× the usual',
  'loss.log.steps': 'Steps logarithmic',
  'loss.log.loss': 'Loss logarithmic',
  'loss.beneath': 'Learning rate and gradient beneath',
  'loss.rate': 'Learning rate',
  'loss.beneath.before': 'Learning rate and gradient norm are drawn from the first step on.',
  'loss.beneath.none':
    'A checkpoint keeps the losses, but neither learning rates nor gradient norms: they are drawn from the next step that is trained here.',
  'loss.beneath.from':
    'Learning rate and gradient norm are known from step {step} on: the checkpoint that was opened keeps the losses only.',
  'loss.cut':
    'At {count} {count|step|steps} the loss is above the picture, marked at its top; the highest is {loss}, at step {step}.',
  'loss.norm.cut':
    'The gradient norm leaves the chart at {count} {count|step|steps}, marked at its top; the highest is {norm}, at step {step}.',
  'loss.norm': 'Gradient norm, before clipping',
  'earlier.title': 'Earlier runs',
  'earlier.name': 'Run {number}: {name}',
  'earlier.short': 'Run {number}',
  'earlier.bits':
    'In bits per character, since the tokens of these runs are not alike: their losses by token cannot be compared.',
  'earlier.aside':
    'Curves of another text or of other tokens are hidden: tick them to show them. With other tokens, compare in {=loss.axis.bits}; losses on another text do not say which run is better.',
  'earlier.texts':
    'One of these curves is of another text: that may only be the easier one, so these losses do not say which run is better.',
  'earlier.validation': 'Dots in the colour of an earlier run: its validation loss.',
  'earlier.same': 'the same settings',
  'earlier.text': 'another text',
  'earlier.end': '{loss} {unit} at step {step}',
  'earlier.remove': 'Remove',
  'earlier.remove.named': 'Remove {name}',
  'export.title': 'Save:',
  'export.save': 'Save as {form}: {what}',
  'export.what.loss': 'the loss',
  'export.what.map': 'the map of attention',
  'export.what.arcs': 'the arcs of attention',
  'export.what.diagram': 'the diagram of the model',
  'export.what.values': 'these numbers',
  'export.saved': 'Saved: {name}',
  'export.nothing': 'There is nothing to save yet.',
  'export.failed': 'This browser could not make the picture.',
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
