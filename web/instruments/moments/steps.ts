/** Steps at which texts are compared: dense at the beginning, where the model changes most. */

/** Distances from the first step, times powers of ten: 1, 3, 10, 30 and so on. */
const DISTANCES = [1, 3] as const;

/** Ascending steps from `first` to `last`, both included. */
export function stepsBetween(first: number, last: number): number[] {
  const steps = [first];
  for (let power = 1; first + power < last; power *= 10) {
    steps.push(...DISTANCES.map((far) => first + far * power).filter((step) => step < last));
  }
  return last > first ? [...steps, last] : steps;
}
