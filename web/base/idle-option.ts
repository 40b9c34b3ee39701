/** Options that have an effect only while another option has a certain value. */

export interface MaybeIdle {
  readonly name: string;
  readonly choices: readonly string[];
  /** The choice of another option that this option needs to take effect; null if it needs none. */
  readonly needs: { readonly option: string; readonly choice: string } | null;
}

/** Whether an option has no effect now. The vocabulary size, for example, affects only BPE. */
export function isIdle(
  { needs }: MaybeIdle,
  all: readonly MaybeIdle[],
  values: Readonly<Record<string, number>>,
): boolean {
  if (needs === null) return false;
  const other = all.find(({ name }) => name === needs.option);
  return other !== undefined && other.choices[values[needs.option] ?? NaN] !== needs.choice;
}
