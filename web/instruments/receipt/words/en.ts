/** Receipts of runs. */
export const receipt = {
  'receipt.title': 'Receipt',
  'receipt.lead':
    'A receipt says what went into a run (engine, settings, seed, text, changes during the run) and what came out: its losses and weights, to the last bit. Anyone with the same text can replay it, on any machine.',
  'receipt.none': 'The receipt appears when the run is paused.',
  'receipt.line': 'Short receipt of this run',
  'receipt.copy': 'Copy',
  'receipt.copied': 'Copied.',
  'receipt.download': 'Download the full receipt',
  'receipt.check': 'Check it',
  'receipt.check.own': 'Check this run',
  'receipt.cancel': 'Cancel',
  'receipt.other': 'Check another receipt: paste its short line or the full JSON',
  'receipt.other.none': 'Paste a short line to compare it, or a full receipt to check it.',
  'receipt.other.json': 'A full receipt: it can be checked with the text above.',
  'receipt.other.running': 'It will be compared with the run here as soon as you pause it.',
  'receipt.other.alone':
    'There is no run here to compare it with. Train with the same text, settings and seed to step {step}, or paste the full receipt to check it.',
  'receipt.other.unknown':
    'This is not a receipt, or there are several. A line looks like gh1-microgpt-s42-500-1a2b3c4d-5e6f7081-92a3b4c5.',
  'receipt.same': 'Equal: the same run, to the last bit.',
  'receipt.differs.engine': 'Another version of the engine: the two cannot be compared.',
  'receipt.differs.preset': 'Another preset: {other} there, {own} here.',
  'receipt.differs.seed': 'Another seed: {other} there, {own} here.',
  'receipt.differs.step': 'Another step: {other} there, {own} here.',
  'receipt.differs.horizon':
    'The recipe differs too, perhaps only in the number of steps, perhaps in other settings, the text or changes on the way. To compare the two, train to the same step with the same settings.',
  'receipt.differs.recipe':
    'Another recipe: settings (the number of steps is one of them), text or changes on the way differ.',
  'receipt.differs.sameStep': 'The same recipe, at another step: {other} there, {own} here.',
  'receipt.differs.losses':
    'The same recipe and step, but other losses: one of the two receipts is wrong.',
  'receipt.differs.weights':
    'The same losses, but other weights: one of the two receipts is wrong.',
  'receipt.wrong.line': 'its short line does not match the rest',
  'receipt.wrong.JSON': 'something is missing or does not belong there',
  'receipt.wrong.part': 'its part “{part}” is wrong',
  'receipt.progress': 'Replaying: step {done} of {steps}',
  'receipt.true':
    'True: all {steps} {steps|step|steps} came out the same, and so did the weights, to the last bit.',
  'receipt.false.loss':
    'Not true: the loss of step {at} differs first ({expected} there, {found} here).',
  'receipt.false.weights':
    'Not true: the losses are right, but the weights after step {at} differ.',
  'receipt.false.diverged': 'Not true: replayed, the run diverges at step {at}.',
  'error.receipt': 'This receipt was altered or not copied whole: {name}. Copy it again.',
  'error.receipt-engine':
    'The receipt was made by engine {0}, and this is engine {1}: their numbers differ, so it cannot be checked here.',
  'error.receipt-origin':
    'The run of this receipt began with weights from a file, so the text alone cannot repeat it.',
  'error.receipt-text':
    'This is the receipt of a run that continues another one, and one of their texts is missing ({0} {0|byte|bytes}, hash {name}). Open that text here, then check again.',
  'error.fork':
    'You can only train on from a checkpoint of a run whose first weights are known. Train its weights instead.',
  'error.fork-depth':
    'A run can follow at most {0} earlier {0|run|runs}, with receipts that are not too long. Train its weights instead.',
  'error.receipt-steps':
    'The receipt has {0} {0|step|steps}, but at most {1} can be replayed here.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly receipt: typeof receipt;
  }
}
