/** Options that have no effect while another option has a certain value. */

export interface MaybeIdle {
  readonly name: string;
  readonly choices: readonly string[];
  /** The choice that it depends on; null if it always has an effect. */
  readonly needs: { readonly option: string; readonly choice: string } | null;
}

/** Whether an option has no effect: the vocabulary size, say, matters to BPE only. */
export function isIdle(
  { needs }: MaybeIdle,
  all: readonly MaybeIdle[],
  values: Readonly<Record<string, number>>,
): boolean {
  if (needs === null) return false;
  const other = all.find(({ name }) => name === needs.option);
  return other !== undefined && other.choices[values[needs.option] ?? NaN] !== needs.choice;
}
