/** The best table beside the model, token by token. */
export const tokensMore = {
  'tokens.compare': 'Compare with simple counting',
  'tokens.compare.wait': 'Counting…',
  'tokens.beside':
    'The best table, “{table}”, has a loss of {loss} nats per token here, the model {own}. Green: the model did better; violet: the table did. The table has counted the whole training text, so only “{=tokens.source.heldOut}” is fair to both.',
  'tokens.scale.gain': 'Better than the table',
  'tokens.number.gain': 'The number says by how many nats the model did better than the table.',
  'tokens.cell.table': '{name}, loss {loss}, by the table {table}',
  'tokens.chosen.table': 'The table lost {loss} here.',
  'tokens.col.table': 'Loss of the table',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly tokensMore: typeof tokensMore;
  }
}
