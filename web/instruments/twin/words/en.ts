/** Twins: runs side by side, and what can be learned from them. */
export const twin = {
  'twin.lead':
    'Train this run once more with one thing changed and the same seed. The present curve stays beside the new one, so only the change can explain the difference.',
  'twin.caution': 'Note: {list} {count|was|were} changed in the middle of {run}.',
  'twin.caution.chance': 'A twin starts from random weights, without the opened model ({name}).',
  'twin.caution.this': 'this run',
  'twin.caution.other': 'run {number}',
  'twin.caution.why':
    'A twin has what was changed from its first step on, so that too can make the curves differ.',
  'twin.caution.waits':
    'Settings that were changed and are not in use yet are no part of a twin: it takes them back.',
  'twin.text': 'The text has changed. Start a new run with it first: twins learn the same text.',
  'twin.verdict.texts':
    'These runs learned different texts: one may only have had the easier one, so their losses say nothing of which is better.',
  'twin.option': 'Change',
  'twin.value': 'to',
  'twin.now': 'now {value}',
  'twin.go': 'Train the twin',
  'twin.busy': 'Training …',
  'twin.table': 'The runs side by side',
  'twin.caption': 'All runs at step {step}, the last that each of them has',
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
  'twin.alike': '{name} is that already: choose another value.',
  'twin.verdict.pair': 'Of this run and the one before it:',
  'twin.verdict.validation':
    'Best on text that it never learned, at step {step}: “{best}”. Its validation loss is {gap} {unit} below that of “{other}”.',
  'twin.verdict.validation.alike':
    'On text that they never learned, “{best}” and “{other}” are practically equal at step {step}.',
  'twin.verdict.loss':
    'Best at what it learns from, at step {step}: “{best}”. Its loss is {gap} {unit} below that of “{other}”. Whether it is better on text that it never learned, only text held out for validation can tell.',
  'twin.verdict.loss.alike':
    'At what they learn from, “{best}” and “{other}” are practically equal at step {step}.',
  'twin.verdict.bits':
    'Best at what it learns from, at step {step}: “{best}”. Its loss is {gap} bits per character below that of “{other}”; by token they cannot be compared, since their tokens differ.',
  'twin.verdict.bits.alike':
    'By character, “{best}” and “{other}” are practically equal at step {step}; by token they cannot be compared, since their tokens differ.',
  'twin.verdict.same':
    '“{best}” and “{other}” have the same losses until step {step}, to the last digit, and write the same: it is the same training twice.',
  'twin.verdict.context':
    'Note: a context of as many tokens holds less text where tokens are shorter, and a line counts only as far as it fits: the losses are not of quite the same text.',
  'twin.verdict.chance':
    'A difference this small may be chance: train both once more with another seed before you believe it.',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly twin: typeof twin;
  }
}
