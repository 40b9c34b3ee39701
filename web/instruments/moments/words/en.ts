/** Two moments of a run. */
export const moments = {
  'moments.lead':
    'Two steps of one run, A and B, get the same questions. Choose A here; B is the step that you look at.',
  'moments.a': 'A: step',
  'moments.b': 'B: step {step}, which you look at',
  'moments.b.newest': 'B: step {step}, the newest',
  'moments.range': 'A must be a step of this run: a whole number from {first} to {last}.',
  'moments.none': 'Train first: then you can compare any two steps of the run.',
  'moments.writes': 'This model was opened to write. It has no run here, so no steps to compare.',
  'moments.large':
    'The state of this model takes {size} at each step. That is too much to keep several of them and compare.',
  'moments.way': 'On the way to step {step}: {done} of {count} {count|step|steps} repeated.',
  'moments.mark': 'A',
  'moments.change': 'B − A',
  'moments.texts': 'From noise to words',
  'moments.texts.lead':
    'The same prompt and the same random seed at every step; both are set in “{=ask.title}”. Press a step to look at it.',
  'moments.row': 'step {step}',
  'moments.blank': 'nothing',
  'moments.losses': 'Loss of each token',
  'moments.losses.mean': '{before} nats per token at A, {after} at B.',
  'moments.losses.key':
    'B minus A, in nats. Green: the model is less surprised at B than at A. Violet: more. The text is set under “{=attention.title}”.',
  'moments.losses.token': 'Token',
  'moments.losses.table': 'The losses as a table, A and B',
  'moments.attention': 'Attention: what changed',
  'moments.attention.most':
    'Most changed how {from} (token {row}) looks at {to} (token {column}): {before} at A, {after} at B.',
  'moments.attention.same': 'Nothing: this head looks the same way at A and at B.',
  'moments.attention.cell':
    '{from} (token {row}) looks at {to} (token {column}): {before} at A, {after} at B.',
  'moments.attention.less': 'B: {share} of a row less',
  'moments.attention.more': '{share} more',
  'moments.attention.to': 'to',
  'moments.attention.table': 'The largest changes as a table',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly moments: typeof moments;
  }
}
