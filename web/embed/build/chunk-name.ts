/** Names a chunk after its instrument, because every instrument has a panel.ts. */
export function chunkName(facade: string | null): string {
  const [, instrument] = /\/instruments\/([\w/-]+)\/panel\.ts$/.exec(facade ?? '') ?? [];
  return instrument === undefined ? '[name]' : instrument.replaceAll('/', '-');
}
