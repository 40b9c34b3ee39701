const PICTURES = 60;

/** Steps of a film: close together at the beginning, where the model changes most. */
export function filmSteps(first: number, last: number): number[] {
  const at = (share: number): number => Math.round(first + (last - first) * share ** 2);
  const steps = Array.from({ length: PICTURES + 1 }, (_, index) => at(index / PICTURES));
  return [...new Set(steps)];
}
