/**
 * Base name of a file downloaded from `run` after `step` steps, without extension; `run` is empty
 * if the run has no name.
 */
export function fileName(what: string, run: string, step: number): string {
  return `glasshouse-${what}-${run === '' ? '' : `${run}-`}step-${String(step)}`;
}
