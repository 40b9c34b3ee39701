/** A cell by its place in the whole matrix, from 0. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}
