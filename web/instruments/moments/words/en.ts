/** Comparison of two steps of a run. */
export const moments = {
  'moments.lead':
    'Compare two steps of this run, A and B, on the same text. Choose A here; B is the step that the page shows.',
  'moments.finding': 'At step {a} it gave {name} {before}; at step {b} it gives it {after}.',
  'moments.finding.show': 'Show the tokens',
  'moments.a': 'A: step',
  'moments.b': 'B: step {step}, shown on the page',
  'moments.b.newest': 'B: step {step}, the newest',
  'moments.range': 'A must be a step of this run: a whole number from {first} to {last}.',
  'moments.none': 'Train first; then you can compare any two steps of the run.',
  'moments.writes':
    'This model was opened only to write. It has no run here, so there are no steps to compare.',
  'moments.large':
    'A snapshot of this model takes {size}: too much to store several of them and compare.',
  'moments.way': 'Computing step {step} again: {done} of {count} {count|step|steps} done.',
  'moments.mark': 'A',
  'moments.change': 'B − A',
  'moments.texts': 'From noise to words',
  'moments.texts.lead':
    'The same prompt and the same random seed at every step; set both in “{=ask.title}”. Press a step to look at it.',
  'moments.row': 'step {step}',
  'moments.blank': 'nothing',
  'moments.losses': 'Loss of each token',
  'moments.losses.mean': '{before} nats per token at A, {after} at B.',
  'moments.losses.key':
    'Loss at B minus loss at A, in nats. Green: lower at B. Violet: higher. Choose the text in “{=attention.title}”.',
  'moments.losses.token': 'Token',
  'moments.losses.table': 'The losses as a table, A and B',
  'moments.attention': 'Attention: what changed',
  'moments.attention.most':
    'The largest change: {from} (token {row}) looks at {to} (token {column}), {before} at A, {after} at B.',
  'moments.attention.same': 'No change: this head looks the same way at A and at B.',
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
