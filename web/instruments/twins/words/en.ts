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
  'twin.control': 'Control: train on this text with shuffled',
  'twin.control.letters': 'letters',
  'twin.control.words': 'words',
  'twin.control.lines': 'lines',
  'twin.control.back': 'Put the text back',
  'twin.control.long': 'Only a text of up to {most} {most|character|characters} is shuffled here.',
  'twin.control.said.letters':
    'The letters stand in random order: all that can be known is how frequent each is. On text that it never saw no model gets below {best} {unit}.',
  'twin.control.said.words':
    'The words stand in random order: all that can be known is how frequent each is. On text that it never saw no model gets below {best} {unit}.',
  'twin.control.said.lines':
    'The lines stand in random order: what one tells about the next is gone, and nothing else.',
  'twin.control.said.documents':
    'The lines stand in another order. To a model that learns line by line that is the same text: the curve must end where it did, but for chance.',
  'twin.control.level': 'Best possible, shuffled',
  'twin.without': 'Leave lines out: numbers',
  'twin.without.go': 'Train a twin without them',
  'twin.without.numbers': 'Write numbers of lines of the text that are not empty, such as 3, 8–10.',
  'twin.without.many': 'At most {most} {most|line|lines}, each of which is measured by itself.',
  'twin.without.more':
    'Who has read {count|this line|these lines} loses {seen} nats per token on {count|it|them}, the twin that has not {unseen}: {gap} nats are learned by heart.',
  'twin.without.less':
    'Who has read {count|this line|these lines} loses {seen} nats per token on {count|it|them}, the twin that has not {unseen}: nothing of {count|it|them} is learned by heart.',
  'twin.without.table': 'The lines that were left out',
  'twin.without.caption':
    'Loss in nats per token; the likeliest text after the first half of each line',
  'twin.without.line': 'Line',
  'twin.without.seen': 'Loss, read',
  'twin.without.unseen': 'Loss, not read',
  'twin.without.writes.seen': 'Goes on, read',
  'twin.without.writes.unseen': 'Goes on, not read',
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
