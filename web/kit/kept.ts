/**
 * What panels remember when they are made anew, as in another language: what a reader has made
 * there, and where they were. Panels keep what belongs to them alone in a class of their own; what
 * more than one of them needs is `PageState`.
 */

/** The one object of its class on this page; made when it is first asked for. */
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
