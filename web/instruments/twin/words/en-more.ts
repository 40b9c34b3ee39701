/** Twins on shuffled text, and without some lines. */
export const twinMore = {
  'twin.control': 'Control: train on this text with shuffled',
  'twin.control.letters': 'letters',
  'twin.control.words': 'words',
  'twin.control.lines': 'lines',
  'twin.control.back': 'Put the text back',
  'twin.control.long': 'Only a text of up to {most} {most|character|characters} is shuffled here.',
  'twin.control.no-words':
    'No line here has several words with blanks between them: shuffle letters or lines.',
  'twin.control.said.letters':
    'The letters stand in random order: all that can be known is how frequent each is. On text that it never saw no model gets below {best} {unit}, but by chance.',
  'twin.control.said.words':
    'The words stand in random order: all that can be known is how frequent each is. On text that it never saw no model gets below {best} {unit}, but by chance.',
  'twin.control.said.lines':
    'The lines stand in random order: what one tells about the next is gone, and nothing else.',
  'twin.control.said.documents':
    'The lines stand in another order. To a model that learns line by line that is the same text: the curve must end where it did, but for chance.',
  'twin.control.level': 'Best possible, shuffled',
  'twin.seeds': 'Is it chance? Train both with {count} more {count|seed|seeds}',
  'twin.seeds.stop': 'Stop this',
  'twin.seeds.progress': 'Run {run} of {runs}: step {step} of {steps}',
  'twin.seeds.table': 'The same two runs with other seeds',
  'twin.seeds.caption': 'The same two runs with other seeds, in {unit}',
  'twin.seeds.seed': 'Seed',
  'twin.seeds.of': 'Seed {seed}',
  'twin.seeds.gap': 'Difference',
  'twin.seeds.mean':
    'With {count} {count|seed|seeds} “{best}” is {mean} {unit} below “{other}” on average; the standard deviation of the difference is {deviation}.',
  'twin.seeds.real': 'By a paired t-test at 5% that is more than chance.',
  'twin.seeds.chance': 'By a paired t-test at 5% that may be chance.',
  'twin.seeds.diverged': 'One of these runs diverged: there is no mean.',
  'twin.left-out.with': 'With these lines',
  'twin.left-out.without': 'Without them',
  'twin.left-out': 'Leave lines out: numbers',
  'twin.left-out.go': 'Train a twin without them',
  'twin.left-out.numbers':
    'Write numbers of lines of the text that are not empty, such as 3, 8–10.',
  'twin.left-out.early': 'Train this run to its end first: its twin makes all its steps.',
  'twin.left-out.many': 'At most {most} {most|line|lines}, each of which is measured by itself.',
  'twin.left-out.more':
    'Who has read {count|this line|these lines} loses {seen} nats per token on {count|it|them}, the twin that has not {unseen}: {gap} nats are learned by heart.',
  'twin.left-out.less':
    'Who has read {count|this line|these lines} loses {seen} nats per token on {count|it|them}, the twin that has not {unseen}: nothing of {count|it|them} is learned by heart.',
  'twin.left-out.same':
    'Both models lose the same on {count|this line|these lines}, to the last digit: the run never came to {count|it|them} in its steps. Train it longer.',
  'twin.left-out.part':
    'In its steps the run came to {read} of {all} {all|line|lines}: some of those above may not be among them.',
  'twin.left-out.unread':
    'This run has itself not read some lines, so it cannot stand for one that has read all.',
  'twin.left-out.whole': 'Train a run with all lines',
  'twin.left-out.table': 'The lines that were left out',
  'twin.left-out.caption':
    'Loss in nats per token; the likeliest text after the first half of each line',
  'twin.left-out.line': 'Line',
  'twin.left-out.seen': 'Loss, read',
  'twin.left-out.unseen': 'Loss, not read',
  'twin.left-out.writes.seen': 'Goes on, read',
  'twin.left-out.writes.unseen': 'Goes on, not read',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly twinMore: typeof twinMore;
  }
}
