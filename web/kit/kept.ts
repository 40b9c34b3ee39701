/**
 * State that outlives panels, which are recreated, for example in another language: the reader's
 * inputs and positions. Each panel has a class of its own; state of several panels is in
 * `PageState`.
 */

/** Returns the page's only object of a class, created at the first call. */
export type Kept = <Memory extends object>(Make: new () => Memory) => Memory;

export function createKept(): Kept {
  const made = new Map<new () => object, object>();
  return <Memory extends object>(Make: new () => Memory): Memory => {
    const known = made.get(Make);
    if (known instanceof Make) return known;
    const memory = new Make();
    made.set(Make, memory);
    return memory;
  };
}
