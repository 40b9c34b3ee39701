/** The merges of a learned vocabulary. */
export const merges = {
  'merges.finding':
    '{left} and {right} stood side by side most often, {count} {count|time|times}: they became the first piece. The longest piece is {piece}.',
  'merges.lead':
    'Nobody wrote this vocabulary: again and again, the two tokens that most often stood side by side in the training text became one. The same merges, in the same order, turn any text into tokens.',
  'merges.none':
    'This model reads bytes or characters. Choose word pieces (BPE) as tokens, or the preset gpt2, to see merges here.',
  'merges.none.locked': 'This model reads bytes or characters, so it has no merges.',
  'merges.use': 'Use word pieces as tokens',
  'merges.use.back': 'Back to the previous tokens',
  'merges.chosen.now': 'Word pieces are the tokens now.',
  'merges.chosen.next':
    'The next run uses word pieces: “{=run.restart}” above begins it, and its merges are then listed here.',
  'merges.loading': 'Reading the merges: {count} so far…',
  'merges.count': '{count} {count|merge|merges}, the first learned first.',
  'merges.list': 'All merges',
  'merges.caption': 'Merges in the order in which they were learned',
  'merges.rank': 'Rank',
  'merges.left': 'Left',
  'merges.right': 'Right',
  'merges.result': 'Becomes',
  'merges.occurrences': 'Times seen',
  'merges.earlier': 'Earlier',
  'merges.later': 'Later',
  'merges.rank.go': 'Go to rank',
  'merges.place': '{from} to {to} of {count}',
  'merges.walk': 'Watch a text being merged',
  'merges.text': 'The text',
  'merges.first': 'Bytes',
  'merges.back': 'Back',
  'merges.next': 'Next merge',
  'merges.last': 'Tokens',
  'merges.slider': 'Number of merges',
  'merges.pieces': 'The text after these merges',
  'merges.bytes':
    'The text as {count} {count|byte|bytes}, split into words; merges never cross word boundaries.',
  'merges.step':
    'Merge {step} of {steps}: {left} and {right} became one (rank {rank}). The text now has {count} {count|token|tokens}.',
  'merges.done': 'No learned pair is left to merge.',
  'merges.fresh': '{token}, new',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly merges: typeof merges;
  }
}
