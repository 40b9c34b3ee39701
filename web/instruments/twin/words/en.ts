/** Twins: runs side by side, and what can be learned from them. */
export const twin = {
  'twin.lead':
    'Train this run once more with one thing changed and the same seed. The current curve stays beside the new one, so only the change can explain the difference.',
  'twin.finding': 'This run reached a loss of {loss}. Would another setting have done better?',
  'twin.caution': 'Note: {list} {count|was|were} changed in the middle of {run}.',
  'twin.caution.chance': 'A twin starts from random weights, without the opened model ({name}).',
  'twin.caution.this': 'this run',
  'twin.caution.other': 'run {number}',
  'twin.caution.why':
    'A twin uses the changed values from its first step on, which can also make the curves differ.',
  'twin.caution.waits':
    'A twin ignores settings that you changed but have not used yet, and resets them.',
  'twin.text': 'The text has changed. Start a new run with it first: twins learn the same text.',
  'twin.verdict.texts':
    'These runs learned different texts, and one may be easier: their losses do not say which run is better.',
  'twin.option': 'Change',
  'twin.value': 'to',
  'twin.now': 'now {value}',
  'twin.go': 'Train the twin',
  'twin.busy': 'Training …',
  'twin.table': 'The runs side by side',
  'twin.caption': 'All runs at step {step}, the last step that all of them have',
  'twin.this': 'This run',
  'twin.this.named': 'This run: {differs}',
  'twin.curves': 'The losses of these runs over {step} {step|step|steps}',
  'twin.curves.dashed':
    'Dashed: the validation loss of each run, in the colour of its training loss.',
  'twin.run': 'Run',
  'twin.loss': 'Loss, smoothed (nats per token)',
  'twin.loss.plain': 'Loss (nats per token)',
  'twin.bits': 'Bits per character',
  'twin.validation': 'Validation ({unit})',
  'twin.validation.at': '{loss} (step {step})',
  'twin.sample': 'What it writes',
  'twin.still':
    'With a learning rate of 0 nothing is learned: the weights stay as random as they began.',
  'twin.alike': '{name} already has this value: choose another one.',
  'twin.verdict.pair': 'This run and the previous one:',
  'twin.verdict.validation':
    'Best on held-out text at step {step}: “{best}”. Its validation loss is {gap} {unit} below that of “{other}”.',
  'twin.verdict.validation.alike':
    'On held-out text, “{best}” and “{other}” are practically equal at step {step}.',
  'twin.verdict.loss':
    'Best on its training text at step {step}: “{best}”. Its loss is {gap} {unit} below that of “{other}”. Only held-out text can tell whether it is better on new text, too.',
  'twin.verdict.loss.alike':
    'On their training text, “{best}” and “{other}” are practically equal at step {step}.',
  'twin.verdict.bits':
    'Best on its training text at step {step}: “{best}”. Its loss is {gap} bits per character below that of “{other}”; their losses per token cannot be compared, because their tokens differ.',
  'twin.verdict.bits.alike':
    'In bits per character, “{best}” and “{other}” are practically equal at step {step}; their losses per token cannot be compared, because their tokens differ.',
  'twin.verdict.same':
    '“{best}” and “{other}” have the same losses until step {step}, to the last digit, and write the same: the same training twice.',
  'twin.verdict.context':
    'Note: with shorter tokens the same context holds less text, and longer lines are cut off there. So the losses are not measured on exactly the same text.',
  'twin.verdict.chance':
    'A difference this small may be chance: train both once more with another seed before you believe it.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly twin: typeof twin;
  }
}
