/**
 * Numbers of each step of a run, in columns: of every step at first; of a longer run only of every
 * second, fourth, .. step, so that they never take more than so much room. Worker and page keep the
 * same steps by it.
 */

/** Steps that are kept at most. */
export const KEPT_STEPS = 2 ** 17;

export class KeptSteps<Name extends string> {
  readonly #names: readonly Name[];
  readonly #columns: Record<Name, number[]>;
  #stride = 1;
  #length = 0;

  constructor(names: readonly Name[]) {
    this.#names = names;
    this.#columns = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
      Name,
      number[]
    >;
  }

  /** Steps so far, kept or not. */
  get length(): number {
    return this.#length;
  }

  /** The steps 1, 1 + stride, 1 + 2 stride, .. are kept. */
  get stride(): number {
    return this.#stride;
  }

  /** The numbers of the kept steps; other arrays after some steps. */
  get columns(): Readonly<Record<Name, readonly number[]>> {
    return this.#columns;
  }

  /** Sets the distance of kept steps, before the first step. */
  begin(stride: number): void {
    this.#stride = stride;
  }

  /** Counts steps up to `length` whose numbers are not known. */
  skipTo(length: number): void {
    this.#length = Math.max(this.#length, length);
  }

  /** Takes in the numbers of the next step. */
  add(numbers: Readonly<Record<Name, number>>): void {
    if (this.#length++ % this.#stride !== 0) return;
    // This runs in every step of training: nothing is made anew but when the columns are full.
    for (const name of this.#names) this.#columns[name].push(numbers[name]);
    if (this.#length <= KEPT_STEPS * this.#stride) return;
    for (const name of this.#names) {
      this.#columns[name] = this.#columns[name].filter((_, index) => index % 2 === 0);
    }
    this.#stride *= 2;
  }
}
