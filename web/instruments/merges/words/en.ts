/** The merges of a learned vocabulary. */
export const merges = {
  'merges.lead':
    'Nobody wrote this vocabulary: again and again, the two neighbours that stood side by side most often in the training text became one token. The same merges, in the same order, put any text together.',
  'merges.none':
    'This model reads bytes or characters. Choose word pieces (BPE) as tokens, or the preset gpt2, to see merges here.',
  'merges.use': 'Use word pieces as tokens',
  'merges.use.back': 'Back to the tokens before',
  'merges.chosen.now': 'Word pieces are the tokens now.',
  'merges.chosen.next':
    'Word pieces are chosen for the next run: “{=run.restart}” above begins it, and then they are listed here.',
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
  'merges.slider': 'Step of merging',
  'merges.pieces': 'The text at this step',
  'merges.bytes':
    'The text as {count} {count|byte|bytes}, in words that are never merged together.',
  'merges.step':
    'Step {step} of {steps}: {left} and {right} became one (rank {rank}). The text now has {count} {count|token|tokens}.',
  'merges.done': 'No learned pair is left.',
  'merges.fresh': '{token}, new',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly merges: typeof merges;
  }
}
