/**
 * Principal component analysis: the plane of largest variance of the rows of a matrix (Pearson, “On
 * lines and planes of closest fit to systems of points in space”, 1901; Hotelling, “Analysis of a
 * complex of statistical variables into principal components”, 1933), and the projection of rows
 * onto such a plane.
 *
 * Sums are in double precision, in a fixed order, and use + - * / and square roots only: equal rows
 * give equal bits in every browser. An axis is signed so that its largest component is positive.
 */

/** (rows, columns), row by row. */
export interface Matrix {
  readonly values: Float32Array | Float64Array;
  readonly rows: number;
  readonly columns: number;
}

/** A plane in the space of the columns, through `centre`. */
export interface Plane {
  readonly centre: Float64Array;
  /** Two orthonormal directions; zeros if the rows have no variance left. */
  readonly axes: readonly [Float64Array, Float64Array];
}

/** Coordinates of rows in a plane. */
export interface Projection {
  /** Coordinate of each row along the first (x) and the second axis (y). */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Share of the rows' variance along each axis, from 0 to 1; NaN if all rows are equal. */
  readonly shares: readonly [number, number];
}

/**
 * Number of vectors in the orthogonal iteration: with more than two, the first two converge sooner.
 */
const BLOCK = 8;
/** Convergence: residual of each axis relative to the largest variance. */
const RESIDUAL = 1e-8;
/**
 * Maximum number of iterations. Only components of nearly equal variance need more; then any
 * orthogonal axes in the space of these components are as good.
 */
const TURNS = 200;
/**
 * Share of a vector's length, or of the largest variance, below which a remainder is rounding
 * error.
 */
const NOTHING = 1e-12;
/** Number of multiplications between two calls of `rest`: a few milliseconds. */
const WORK = 1_000_000;

/** Cost of copying a number, in multiplications. */
const COPIED = 8;

type Rest = () => Promise<void> | void;

/**
 * The plane of the first two principal components of `matrix`, which must be finite. Calls `rest`
 * every few milliseconds of work, so that a page can draw meanwhile.
 */
export async function principalPlane(matrix: Matrix, rest: Rest = () => undefined): Promise<Plane> {
  const { rows, columns } = matrix;
  const centre = meanOf(matrix);
  const across = await columnsOf(matrix, centre, rest);
  // If rows < columns, each axis is a combination of the rows, so the smaller Gram matrix of the
  // rows is solved.
  const isFlat = rows < columns;
  const small = isFlat
    ? await products(
        await columnsOf({ values: across, rows: columns, columns: rows }, null, rest),
        rows,
        rest,
      )
    : await products(across, columns, rest);
  const axes = await topAxes(small, isFlat ? rows : columns, rest);
  const [first, second] = axes;
  const axis = (one: Float64Array): Float64Array =>
    withSign(isFlat ? unit(product(across, one)) : one);
  return { centre, axes: [axis(first), axis(second)] };
}

/** Projects the rows of `matrix` onto `plane`, which may have been found for other rows. */
export function project({ values, rows, columns }: Matrix, { centre, axes }: Plane): Projection {
  const [x, y] = [new Float64Array(rows), new Float64Array(rows)];
  const [first, second] = axes;
  for (let row = 0; row < rows; row++) {
    let [alongFirst, alongSecond] = [0, 0];
    for (let column = 0; column < columns; column++) {
      const from = values[row * columns + column]! - centre[column]!;
      alongFirst += from * first[column]!;
      alongSecond += from * second[column]!;
    }
    x[row] = alongFirst;
    y[row] = alongSecond;
  }
  const total = spreadOf({ values, rows, columns });
  const share = (along: Float64Array): number =>
    total > 0 ? spreadOf({ values: along, rows, columns: 1 }) / total : NaN;
  return { x, y, shares: [share(x), share(y)] };
}

function meanOf({ values, rows, columns }: Matrix): Float64Array {
  const mean = new Float64Array(columns);
  for (let at = 0; at < rows * columns; at++) mean[at % columns]! += values[at]!;
  return mean.map((sum) => sum / Math.max(1, rows));
}

/** Sum of the squared distances of the rows from their mean. */
function spreadOf(matrix: Matrix): number {
  const mean = meanOf(matrix);
  const { values, rows, columns } = matrix;
  let sum = 0;
  for (let at = 0; at < rows * columns; at++) sum += (values[at]! - mean[at % columns]!) ** 2;
  return sum;
}

/** (columns, rows): the transposed matrix, less `centre`. */
async function columnsOf(
  { values, rows, columns }: Matrix,
  centre: Float64Array | null,
  rest: Rest,
): Promise<Float64Array> {
  const all = new Float64Array(rows * columns);
  let work = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      all[column * rows + row] = values[row * columns + column]! - (centre?.[column] ?? 0);
    }
    work += COPIED * columns;
    if (work < WORK) continue;
    work = 0;
    await rest();
  }
  return all;
}

/** (size, size): Gram matrix of `size` consecutive vectors. */
async function products(vectors: Float64Array, size: number, rest: Rest): Promise<Float64Array> {
  const all = new Float64Array(size * size);
  const length = vectors.length / Math.max(1, size);
  let work = 0;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      const [a, b] = [i * length, j * length];
      for (let at = 0; at < length; at++) sum += vectors[a + at]! * vectors[b + at]!;
      all[i * size + j] = sum;
      all[j * size + i] = sum;
      work += length;
      if (work < WORK) continue;
      work = 0;
      await rest();
    }
  }
  return all;
}

/**
 * The two leading eigenvectors of `matrix` (size, size; symmetric, positive semidefinite):
 * orthogonal iteration with a Rayleigh-Ritz step (Golub and Van Loan, “Matrix Computations”, 8.2).
 */
async function topAxes(
  matrix: Float64Array,
  size: number,
  rest: Rest,
): Promise<readonly [Float64Array, Float64Array]> {
  const count = Math.min(BLOCK, size);
  let block = orthonormal(startBlock(count, size));
  let work = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const images = block.map((one) => product(matrix, one));
    const small = block.map((one) => images.map((image) => dot(one, image)));
    const { values, vectors } = jacobi(small);
    const axes = vectors.map((weights) => mixture(block, weights));
    const turned = vectors.map((weights) => mixture(images, weights));
    const left = [0, 1].map((at) => residual(turned[at], axes[at], values[at] ?? 0));
    if (Math.max(...left) <= RESIDUAL * (values[0] ?? 0)) return pairOf(axes, values, size);
    if (turn === TURNS - 1) return pairOf(axes, values, size);
    block = orthonormal(turned);
    work += size * size * count;
    if (work < WORK) continue;
    work = 0;
    await rest();
  }
  return pairOf([], [], size);
}

/** The first two axes; zeros for one without variance or without a second dimension. */
function pairOf(
  axes: readonly Float64Array[],
  variances: readonly number[],
  size: number,
): readonly [Float64Array, Float64Array] {
  const least = NOTHING * (variances[0] ?? 0);
  const at = (index: number): Float64Array => {
    const axis = axes[index];
    return axis !== undefined && variances[index]! > least ? axis : new Float64Array(size);
  };
  return [at(0), at(1)];
}

/** Fixed pseudo-random start vectors (generator of Park and Miller, 1988), parallel to no axis. */
function startBlock(count: number, size: number): Float64Array[] {
  let state = 1;
  return Array.from({ length: count }, () =>
    new Float64Array(size).map(() => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647 - 0.5;
    }),
  );
}

/**
 * Gram-Schmidt, applied twice against rounding errors. A vector that depends on earlier ones
 * becomes and stays 0.
 */
function orthonormal(block: readonly Float64Array[]): Float64Array[] {
  const done: Float64Array[] = [];
  for (const one of block) {
    const left = one.slice();
    const length = Math.sqrt(dot(one, one));
    for (const other of [...done, ...done]) {
      const along = dot(other, left);
      for (let at = 0; at < left.length; at++) left[at]! -= along * other[at]!;
    }
    const isSpent = Math.sqrt(dot(left, left)) <= NOTHING * length;
    done.push(isSpent ? left.fill(0) : unit(left));
  }
  return done;
}

/** Norm of image − variance · axis. */
function residual(
  image: Float64Array | undefined,
  axis: Float64Array | undefined,
  variance: number,
): number {
  if (image === undefined || axis === undefined) return 0;
  let sum = 0;
  for (let at = 0; at < image.length; at++) sum += (image[at]! - variance * axis[at]!) ** 2;
  return Math.sqrt(sum);
}

/**
 * Eigenvalues of a small symmetric matrix, descending, with eigenvectors, by Jacobi rotations
 * (1846).
 */
function jacobi(symmetric: readonly (readonly number[])[]): {
  readonly values: readonly number[];
  readonly vectors: readonly (readonly number[])[];
} {
  const size = symmetric.length;
  const a = symmetric.map((row) => [...row]);
  // Row i is eigenvector i.
  const v = a.map((_, i) => a.map((__, j) => (i === j ? 1 : 0)));
  const off = (): number =>
    a.reduce((sum, row, i) => sum + row.reduce((part, x, j) => part + (i === j ? 0 : x * x), 0), 0);
  const trace = a.reduce((sum, row, i) => sum + Math.abs(row[i]!), 0);
  for (let sweep = 0; sweep < 30 && off() > (1e-16 * trace) ** 2; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) rotate(a, v, p, q);
    }
  }
  const order = a.map((row, i) => ({ value: row[i]!, vector: v[i]! }));
  order.sort((one, other) => other.value - one.value);
  return { values: order.map(({ value }) => value), vectors: order.map(({ vector }) => vector) };
}

/** Rotates the plane of `p` and `q` so that a[p][q] becomes 0. */
function rotate(a: number[][], v: number[][], p: number, q: number): void {
  const between = a[p]![q]!;
  if (between === 0) return;
  const theta = (a[q]![q]! - a[p]![p]!) / (2 * between);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  const turn = (row: number[], other: number[]): void => {
    for (let k = 0; k < row.length; k++) {
      const [x, y] = [row[k]!, other[k]!];
      row[k] = c * x - s * y;
      other[k] = s * x + c * y;
    }
  };
  for (const row of a) {
    const [x, y] = [row[p]!, row[q]!];
    row[p] = c * x - s * y;
    row[q] = s * x + c * y;
  }
  turn(a[p]!, a[q]!);
  turn(v[p]!, v[q]!);
}

function mixture(vectors: readonly Float64Array[], weights: readonly number[]): Float64Array {
  const sum = new Float64Array(vectors[0]?.length ?? 0);
  for (const [index, vector] of vectors.entries()) {
    const weight = weights[index]!;
    for (let at = 0; at < sum.length; at++) sum[at]! += weight * vector[at]!;
  }
  return sum;
}

/** Matrix (row-major) times vector. */
function product(matrix: Float64Array, vector: Float64Array): Float64Array {
  const size = vector.length;
  const result = new Float64Array(matrix.length / Math.max(1, size));
  for (let row = 0; row < result.length; row++) {
    let sum = 0;
    for (let at = 0; at < size; at++) sum += matrix[row * size + at]! * vector[at]!;
    result[row] = sum;
  }
  return result;
}

/** The vector scaled to length 1; zeros stay zeros. */
function unit(vector: Float64Array): Float64Array {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => (length > 0 ? value / length : 0));
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

/** Flips the axis if its largest component (the first of equals) is negative. */
function withSign(axis: Float64Array): Float64Array {
  let largest = 0;
  for (let at = 1; at < axis.length; at++) {
    // Components that differ by rounding only count as equal.
    if (Math.abs(axis[at]!) > Math.abs(axis[largest]!) * (1 + 1e-9)) largest = at;
  }
  return (axis[largest] ?? 0) < 0 ? axis.map((value) => -value) : axis;
}
