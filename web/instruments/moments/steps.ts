/** Steps at which the same is asked: close together at the beginning, where most happens. */

/** From one distance to the next: 1, 3, 10, 30 and so on behind the first step. */
const DISTANCES = [1, 3] as const;

/** Rising steps from `first` to `last`, both of them among these. */
export function stepsBetween(first: number, last: number): number[] {
  const steps = [first];
  for (let power = 1; first + power < last; power *= 10) {
    steps.push(...DISTANCES.map((far) => first + far * power).filter((step) => step < last));
  }
  return last > first ? [...steps, last] : steps;
}
