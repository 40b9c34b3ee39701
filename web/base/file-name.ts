/**
 * The name, without its ending, of a file of what `run` had after `step` steps; empty for one
 * without a name.
 */
export function fileName(what: string, run: string, step: number): string {
  return `glasshouse-${what}-${run === '' ? '' : `${run}-`}step-${String(step)}`;
}
