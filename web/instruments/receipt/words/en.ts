/** Receipts of runs. */
export const receipt = {
  'receipt.title': 'Receipt',
  'receipt.lead':
    'A receipt says what a run was made of (engine, recipe, seed, text, changes on the way) and what came out: its losses and weights, to the last bit. Anyone with the same text can replay it, on any machine.',
  'receipt.none': 'There is a receipt of the run whenever it is paused.',
  'receipt.line': 'Short receipt of this run',
  'receipt.copy': 'Copy',
  'receipt.copied': 'Copied.',
  'receipt.download': 'Download the full receipt',
  'receipt.check': 'Check it',
  'receipt.check.own': 'Check this run',
  'receipt.cancel': 'Cancel',
  'receipt.other': 'Another receipt: its line, or the whole',
  'receipt.other.none': 'Paste a line to compare it, or a whole receipt to check it.',
  'receipt.other.json': 'A whole receipt: it can be checked with the text above.',
  'receipt.other.running': 'It is compared with the run here as soon as that is paused.',
  'receipt.other.alone':
    'There is no run here to compare it with yet. Train with the same text, settings and seed to the same step, {step}; or paste the whole receipt to check it.',
  'receipt.other.unknown':
    'This is not a receipt, or more than one. A line looks like gh1-microgpt-s42-500-1a2b3c4d-5e6f7081-92a3b4c5.',
  'receipt.same': 'Equal: the same run, to the last bit.',
  'receipt.differs.engine': 'Made by another version of the engine: the two cannot be compared.',
  'receipt.differs.preset': 'Another preset: {other} there, {own} here.',
  'receipt.differs.seed': 'Another seed: {other} there, {own} here.',
  'receipt.differs.step': 'Another step: {other} there, {own} here.',
  'receipt.differs.horizon':
    'The recipe differs too: perhaps only in the number of steps, which is one of its settings; perhaps in other settings, the text or changes on the way. To compare the two, train to the same step with the same settings.',
  'receipt.differs.recipe':
    'Another recipe: settings (the number of steps is one of them), text or changes on the way differ.',
  'receipt.differs.sameStep': 'The same recipe, at another step: {other} there, {own} here.',
  'receipt.differs.losses':
    'The same recipe and step, but other losses: one of the two is not what it says.',
  'receipt.differs.weights':
    'The same losses, but other weights: one of the two is not what it says.',
  'receipt.wrong.line': 'its short line does not fit the rest',
  'receipt.wrong.JSON': 'something is missing, or does not belong there',
  'receipt.wrong.part': 'its part “{part}” cannot be right',
  'receipt.progress': 'Replaying: step {done} of {steps}',
  'receipt.true':
    'True: all {steps} {steps|step|steps} came out the same, and so did the weights, to the last bit.',
  'receipt.false.loss':
    'Not true: the loss of step {at} differs first ({expected} there, {found} here).',
  'receipt.false.weights':
    'Not true: the losses are right, but the weights after step {at} differ.',
  'receipt.false.diverged': 'Not true: replayed, the run diverges at step {at}.',
  'error.receipt': 'This receipt was altered, or not copied whole: {name}.',
  'error.receipt-engine':
    'The receipt was made by engine {0}, and this is engine {1}: their numbers differ, so it cannot be checked here.',
  'error.receipt-origin':
    'The run of this receipt began with weights from a file, so its text alone cannot repeat it.',
  'error.receipt-text':
    'This is the receipt of a fork, and one of its texts is missing: the one of {0} {0|byte|bytes} (its hash is {name}). Open that text here, then check again.',
  'error.fork':
    'Only a checkpoint of a run whose first weights are known can be forked. Train its weights instead.',
  'error.fork-depth':
    'A run can have at most {0} {0|run|runs} before it, whose receipts are not too long. Train its weights instead.',
  'error.receipt-steps': 'The receipt is of {0} {0|step|steps}, and at most {1} are replayed here.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly receipt: typeof receipt;
  }
}
