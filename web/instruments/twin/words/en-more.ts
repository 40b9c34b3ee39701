/** Twins on shuffled text, and without some lines. */
export const twinMore = {
  'twin.control': 'Control: train on this text with shuffled',
  'twin.control.letters': 'letters',
  'twin.control.words': 'words',
  'twin.control.lines': 'lines',
  'twin.control.back': 'Put the text back',
  'twin.control.long': 'At most {most} {most|character|characters} can be shuffled here.',
  'twin.control.no-words':
    'No line has several words with spaces between them: shuffle letters or lines.',
  'twin.control.said.letters':
    'The letters are in random order: the model can learn only how frequent each letter is. On held-out text no model gets below {best} {unit}, except by luck.',
  'twin.control.said.words':
    'The words are in random order: the model can learn only how frequent each word is. On held-out text no model gets below {best} {unit}, except by luck.',
  'twin.control.said.lines':
    'The lines are in random order: a line no longer tells anything about the next one.',
  'twin.control.said.documents':
    'The lines are in another order. A model that learns line by line sees the same text: the curve must end where it did, except for chance.',
  'twin.control.level': 'Best possible, shuffled',
  'twin.seeds': 'Is it chance? Train both with {count} more {count|seed|seeds}',
  'twin.seeds.stop': 'Stop these runs',
  'twin.seeds.progress': 'Run {run} of {runs}: step {step} of {steps}',
  'twin.seeds.table': 'The same two runs with other seeds',
  'twin.seeds.caption': 'The same two runs with other seeds, in {unit}',
  'twin.seeds.seed': 'Seed',
  'twin.seeds.of': 'Seed {seed}',
  'twin.seeds.gap': 'Difference',
  'twin.seeds.mean':
    'With {count} {count|seed|seeds} “{best}” is {mean} {unit} below “{other}” on average; the standard deviation of the difference is {deviation}.',
  'twin.seeds.real': 'That is more than chance (paired t-test, 5% level).',
  'twin.seeds.chance': 'That may be chance (paired t-test, 5% level).',
  'twin.seeds.diverged': 'One of these runs diverged, so there is no mean.',
  'twin.left-out.with': 'With these lines',
  'twin.left-out.without': 'Without them',
  'twin.left-out': 'Lines to leave out (numbers)',
  'twin.left-out.go': 'Train a twin without them',
  'twin.left-out.numbers': 'Write numbers of lines that are not empty, such as 3, 8–10.',
  'twin.left-out.early': 'Finish this run first: its twin trains for all its steps.',
  'twin.left-out.many': 'Choose at most {most} {most|line|lines}: each is measured by itself.',
  'twin.left-out.more':
    'Loss on {count|this line|these lines}: {seen} nats per token if trained on {count|it|them}, {unseen} if not. {gap} nats are learned by heart.',
  'twin.left-out.less':
    'Loss on {count|this line|these lines}: {seen} nats per token if trained on {count|it|them}, {unseen} if not. Nothing is learned by heart.',
  'twin.left-out.same':
    'Both models have exactly the same loss on {count|this line|these lines}: the run never reached {count|it|them} in its steps. Train it longer.',
  'twin.left-out.part':
    'The run reached only {read} of {all} {all|line|lines}: some of the lines above may not be among them.',
  'twin.left-out.unread':
    'This run was itself trained without some lines. The comparison needs a run with all lines.',
  'twin.left-out.whole': 'Train a run with all lines',
  'twin.left-out.table': 'The lines that were left out',
  'twin.left-out.caption':
    'Loss in nats per token, and the likeliest text after the first half of each line',
  'twin.left-out.line': 'Line',
  'twin.left-out.seen': 'Loss if read',
  'twin.left-out.unseen': 'Loss if not read',
  'twin.left-out.writes.seen': 'Continues, if read',
  'twin.left-out.writes.unseen': 'Continues, if not read',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly twinMore: typeof twinMore;
  }
}
