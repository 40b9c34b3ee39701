/**
 * Columns of per-step numbers with bounded memory: when KEPT_STEPS rows are full, every second row
 * is dropped and from then on only every second, fourth, … step is stored. Worker and page store
 * the same steps because both use this class.
 */

/** Maximum number of stored steps. */
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

  /** Number of steps so far, stored or not. */
  get length(): number {
    return this.#length;
  }

  /** Distance between stored steps: 1, 1 + stride, 1 + 2 stride, … */
  get stride(): number {
    return this.#stride;
  }

  /** The stored numbers. Arrays are replaced when the stride doubles: keep no reference to them. */
  get columns(): Readonly<Record<Name, readonly number[]>> {
    return this.#columns;
  }

  /** Sets the stride; call before the first step. */
  begin(stride: number): void {
    this.#stride = stride;
  }

  /** Advances to `length` over steps whose numbers are unknown. */
  skipTo(length: number): void {
    this.#length = Math.max(this.#length, length);
  }

  /** Adds the numbers of the next step. */
  add(numbers: Readonly<Record<Name, number>>): void {
    if (this.#length++ % this.#stride !== 0) return;
    // Runs in every training step, so it allocates only when the stride doubles.
    for (const name of this.#names) this.#columns[name].push(numbers[name]);
    if (this.#length <= KEPT_STEPS * this.#stride) return;
    for (const name of this.#names) {
      this.#columns[name] = this.#columns[name].filter((_, index) => index % 2 === 0);
    }
    this.#stride *= 2;
  }
}
