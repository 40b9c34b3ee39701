/** A cell of a matrix; row and column count from 0. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}
