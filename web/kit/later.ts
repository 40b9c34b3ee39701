/** What is not needed at once: nobody should have to wait for it before what is. */

/** Milliseconds before something that did not come is asked for again. */
const PATIENCE = 5_000;

export interface Later {
  /** Asks for it unless that was done; where it did not come, once more after a while. */
  want(): void;
  /** It is not wanted any more. */
  cancel(): void;
}

/** Something that `load` brings when it is first wanted, and that `take` is then given. */
export function later<Thing>(load: () => Promise<Thing>, take: (thing: Thing) => void): Later {
  let wanted = false;
  let cancelled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    want() {
      if (wanted || cancelled) return;
      wanted = true;
      load().then(
        (thing) => {
          if (!cancelled) take(thing);
        },
        () => {
          timer = setTimeout(() => {
            wanted = false;
          }, PATIENCE);
        },
      );
    },
    cancel() {
      cancelled = true;
      clearTimeout(timer);
    },
  };
}
