/** The best table beside the model, token by token. */
export const tokensMore = {
  'tokens.compare': 'Compare with the best table of the last tokens',
  'tokens.compare.wait': 'Counting the tables…',
  'tokens.beside':
    'The best table, “{table}”, loses {loss} nats per token here, the model {own}. Green: the model knew more; violet: the table did. It has counted what stands in your text; “{=tokens.source.heldOut}” is fair to both.',
  'tokens.scale.gain': 'Better than the table',
  'tokens.number.gain': 'The number is by how many nats the model did better than the table.',
  'tokens.cell.table': '{name}, loss {loss}, by the table {table}',
  'tokens.chosen.table': 'The table lost {loss} here.',
  'tokens.col.table': 'Loss of the table',
} as const;

declare module '../../../i18n/areas.ts' {
  interface LaterWords {
    readonly tokensMore: typeof tokensMore;
  }
}
