/** Which options mean nothing beside others. */

export interface MaybeIdle {
  readonly name: string;
  readonly choices: readonly string[];
  /** The choice without which it means nothing. */
  readonly needs: { readonly option: string; readonly choice: string } | null;
}

/** Whether an option means nothing with these values: only subwords have a vocabulary to choose. */
export function isIdle(
  { needs }: MaybeIdle,
  all: readonly MaybeIdle[],
  values: Readonly<Record<string, number>>,
): boolean {
  if (needs === null) return false;
  const other = all.find(({ name }) => name === needs.option);
  return other !== undefined && other.choices[values[needs.option] ?? NaN] !== needs.choice;
}
