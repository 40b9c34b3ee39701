/** Where a number of the model comes from. */
export const origin = {
  'origin.hint': 'Choose a cell to see how its number comes about.',
  'origin.place': '{row}, {column}',
  'origin.step': 'What',
  'origin.value': 'Number',
  'origin.result': 'Result, as the engine has it',
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
  'origin.embedding': '{place}: looked up in the token table, in row {id}',
  'origin.positional': '{place}: what the token brings plus what its place brings',
  'origin.positional.first': 'From the token',
  'origin.positional.second': 'From the place',
  'origin.add': '{place}: the stream plus what this part adds to it',
  'origin.add.first': 'From the stream',
  'origin.add.second': 'Added',
  'origin.norm': '{place}: brought to a common size',
  'origin.mean': 'Mean of the row',
  'origin.deviation': 'Deviation of the row: √(variance + 0.00001)',
  'origin.rms': 'Size of the row: √(mean of the squares + 0.00001)',
  'origin.shifted': '(Input − mean) ÷ deviation',
  'origin.scaled': 'Input ÷ size',
  'origin.gelu':
    '{place}: half of x times (1 + tanh(√(2/π) (x + 0.044715 x³))), where x is the input',
  'origin.tanh': 'The tanh',
  'origin.relu2': '{place}: what is above 0, squared',
  'origin.positive': 'Input, or 0 where it is below',
  'origin.score':
    'First a score: the query of {row} and the key of {column} multiplied term by term and added up, then divided by the root of how many terms there are',
  'origin.channel': 'Channel of the head',
  'origin.query': 'Query',
  'origin.key': 'Key',
  'origin.divided': 'Divided by √{size}: the score',
  'origin.divided.short': 'Score',
  'origin.shares':
    'Then softmax: e to the power of each score (less the largest, so that nothing gets too large), as shares of their sum. {row} looks at {column} with the share in the last line',
  'origin.token': 'Token',
  'origin.lifted': 'e^(score − {largest})',
  'origin.share': 'Share',
  'origin.future':
    '{column} comes after {row}, and no token may look ahead: this share is 0, whatever query and key say.',
  'origin.mixture':
    '{place}: head {head} mixes this channel’s values of all tokens so far, each by the share of attention it gets',
  'origin.value.of': 'Value',
  'origin.softmax': '{place}: e to the power of its score, as a share of all of them',
  'origin.own': 'Its score (logit)',
  'origin.largest': 'Largest of the {count} scores',
  'origin.power': 'e^(score − largest)',
  'origin.total': 'The same of all {count}, added up',
  'origin.surprise': 'After {token}: minus the natural logarithm of the probability of what came',
  'origin.came': 'Probability of the token that came',
  'origin.unscored': 'Nothing comes after the last token of this text, so there is no loss.',
  'origin.average': 'The mean of the losses of all tokens',
  'origin.scored': 'Divided by how many there are',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly origin: typeof origin;
  }
}
