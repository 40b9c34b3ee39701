/** Where a number of the model comes from. */
export const origin = {
  'origin.hint': 'Choose a cell to see how its number is computed.',
  'origin.place': '{row}, {column}',
  'origin.step': 'What',
  'origin.value': 'Number',
  'origin.result': 'Result of the engine',
  'origin.told': '{how}. {result}: {value}',
  'origin.rest': 'The other {count} {count|term|terms}',
  'origin.others': 'The other {count} {count|token|tokens}',
  'origin.sum': 'Sum',
  'origin.input': 'Input',
  'origin.weight': 'Weight',
  'origin.product': 'Product',
  'origin.k': 'k',
  'origin.bias': 'Plus the bias',
  'origin.gain': 'Times the gain',
  'origin.linear': '{place}: the row of inputs times the column of weights, term by term',
  'origin.transposed':
    '{place}: the row of inputs times this token’s row of the matrix, term by term',
  'origin.embedding': '{place}: row {id} of the token table',
  'origin.positional': '{place}: token embedding plus position embedding',
  'origin.positional.first': 'Token embedding',
  'origin.positional.second': 'Position embedding',
  'origin.add': '{place}: the residual stream plus the output of this part',
  'origin.add.first': 'Residual stream',
  'origin.add.second': 'Output of this part',
  'origin.norm': '{place}: normalised',
  'origin.mean': 'Mean of the row',
  'origin.deviation': 'Deviation of the row: √(variance + 0.00001)',
  'origin.rms': 'Size of the row: √(mean of the squares + 0.00001)',
  'origin.shifted': '(Input − mean) ÷ deviation',
  'origin.scaled': 'Input ÷ size',
  'origin.gelu':
    '{place}: half of x times (1 + tanh(√(2/π) (x + 0.044715 x³))), where x is the input',
  'origin.tanh': 'The tanh',
  'origin.relu2': '{place}: the positive part of the input, squared',
  'origin.positive': 'Input, or 0 if it is negative',
  'origin.score':
    'First a score: query of {row} and key of {column}, multiplied term by term and added up, then divided by the square root of the number of terms',
  'origin.channel': 'Channel of the head',
  'origin.query': 'Query',
  'origin.key': 'Key',
  'origin.divided': 'Divided by √{size}: the score',
  'origin.divided.short': 'Score',
  'origin.shares':
    'Then softmax: e to the power of each score (minus the largest, to avoid huge numbers), as shares of their sum. The last line is the share with which {row} looks at {column}',
  'origin.token': 'Token',
  'origin.lifted': 'e^(score − {largest})',
  'origin.share': 'Share',
  'origin.future':
    '{column} comes after {row}, and no token may look ahead. So this share is 0, whatever query and key are.',
  'origin.mixture':
    '{place}: head {head} mixes this channel’s values of all tokens so far, weighted by their shares of attention',
  'origin.value.of': 'Value',
  'origin.softmax': '{place}: e to the power of its score, as a share of the sum over all tokens',
  'origin.own': 'Its score (logit)',
  'origin.largest': 'Largest of the {count} scores',
  'origin.power': 'e^(score − largest)',
  'origin.total': 'The same for all {count}, added up',
  'origin.surprise':
    'After {token}: minus the natural logarithm of the probability of the token that came',
  'origin.came': 'Probability of the token that came',
  'origin.unscored': 'Nothing comes after the last token of this text, so there is no loss.',
  'origin.average': 'The mean of the losses of all tokens',
  'origin.scored': 'Divided by their number',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly origin: typeof origin;
  }
}
