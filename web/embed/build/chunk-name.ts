/** Chunks are called after their instrument: the folder of its panel.ts. */
export function chunkName(facade: string | null): string {
  const [, instrument] =
    /\/instruments\/(?:[\w-]+\/)*([\w-]+)\/panel\.ts$/.exec(facade ?? '') ?? [];
  return instrument ?? '[name]';
}
