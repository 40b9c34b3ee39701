/**
 * All tensors of one pass of a text through the model, and all parameters: names, shapes,
 * statistics, and slices small enough to draw.
 */
import { failure } from './errors.ts';
import type { TokenTable } from './token-table.ts';
import type {
  NamedTensor,
  Tensors,
  TensorSlice,
  TensorStatistics,
  TensorValues,
} from './trainer.ts';
import type { EngineModel, TensorAddress } from './binding/model.ts';

/** Numbers read from the engine at a time, and the maximum in one slice. */
const PIECE = 65_536;
export const MAX_VALUES = 65_536;

/** The last list, which `read` refers to by index. */
interface Listing {
  readonly bytes: Uint8Array;
  readonly gradients: boolean;
  readonly tensors: readonly NamedTensor[];
  readonly nodes: number;
  changes: number;
  probes: number;
}

/** Lists and reads tensors of one model. Invalid after the model is freed. */
export class TensorReader {
  readonly #model: EngineModel;
  readonly #table: TokenTable;
  #listing: Listing | null = null;

  constructor(model: EngineModel, table: TokenTable) {
    this.#model = model;
    this.#table = table;
  }

  /** Runs a probe pass on `text`, cut to the context, and lists its tensors. */
  list(text: string, gradients: boolean): Tensors {
    const { bytes, omitted } = this.#table.fit(text, Infinity);
    const ids = this.#model.probe(bytes, gradients);
    const nodes = this.#model.probeNodes();
    const tensors = [
      ...nodes.map((node, index) =>
        this.#describe(index, { kind: 'node', index }, node, gradients),
      ),
      ...this.#model
        .parameters()
        .map((parameter, index) =>
          this.#describe(
            nodes.length + index,
            { kind: 'parameter', index },
            { op: '', function: '', inputs: [], constants: {}, ...parameter },
            gradients,
          ),
        ),
    ];
    const { changes, probes } = this.#model;
    this.#listing = { bytes, gradients, tensors, nodes: nodes.length, changes, probes };
    return { step: this.#model.get('step'), tokens: this.#table.tokens(ids), omitted, tensors };
  }

  /** Reads a slice of tensor `index` of the last list. */
  read(index: number, slice: TensorSlice): TensorValues {
    const listing = this.#listing;
    const tensor = listing?.tensors[index];
    if (listing === null || tensor === undefined) {
      throw failure('state', 'there is no such tensor: list them first', [], 'tensor');
    }
    if (slice.gradient && !listing.gradients) {
      throw failure('state', 'the tensors were listed without gradients', [], 'gradient');
    }
    this.#refresh(listing);
    const part = partOf(tensor.shape, slice);
    const address: TensorAddress = {
      kind: tensor.kind,
      index: tensor.kind === 'node' ? index : index - listing.nodes,
      gradient: slice.gradient,
    };
    return {
      index,
      step: this.#model.get('step'),
      ...part.place,
      values: this.#copy(address, part),
    };
  }

  /** Repeats the probe pass if another pass or a training step came between. */
  #refresh(listing: Listing): void {
    const { changes, probes } = this.#model;
    if (listing.changes === changes && listing.probes === probes) return;
    this.#model.probe(listing.bytes, listing.gradients);
    listing.changes = this.#model.changes;
    listing.probes = this.#model.probes;
  }

  #copy(address: TensorAddress, { place, offset, width }: Part): Float32Array<ArrayBuffer> {
    const { rows, columns, firstRow, firstColumn, rowStride, columnStride } = place;
    const values = new Float32Array(rows * columns);
    const span = rows * columns === 0 ? 0 : (columns - 1) * columnStride + 1;
    const row = new Float32Array(span);
    for (let r = 0; r < rows; r++) {
      const at = offset + (firstRow + r * rowStride) * width + firstColumn;
      if (!this.#model.copyTensor(address, at, row)) {
        throw failure('state', 'this tensor has no gradients', [], 'gradient');
      }
      for (let c = 0; c < columns; c++) values[r * columns + c] = row[c * columnStride] ?? NaN;
    }
    return values;
  }

  #describe(
    index: number,
    address: Omit<TensorAddress, 'gradient'>,
    facts: Pick<NamedTensor, 'name' | 'op' | 'function' | 'inputs' | 'constants' | 'shape'>,
    gradients: boolean,
  ): NamedTensor {
    const size = facts.shape.reduce((product, n) => product * n, 1);
    const values = this.#statistics({ ...address, gradient: false }, size);
    if (values === null) throw failure('unexpected', `the engine has no values of ${facts.name}`);
    return {
      index,
      kind: address.kind,
      name: facts.name,
      op: facts.op,
      function: facts.function,
      inputs: facts.inputs,
      constants: facts.constants,
      shape: facts.shape,
      values,
      gradients: gradients ? this.#statistics({ ...address, gradient: true }, size) : null,
    };
  }

  /** Statistics of values or gradients; null if the tensor lacks them. */
  #statistics(address: TensorAddress, size: number): TensorStatistics | null {
    const piece = new Float32Array(Math.min(size, PIECE));
    const summary = new Summary();
    for (let first = 0; first < size; first += PIECE) {
      const target = piece.subarray(0, Math.min(PIECE, size - first));
      if (!this.#model.copyTensor(address, first, target)) return null;
      summary.add(target);
    }
    return summary.result();
  }
}

/** A slice and its location: the first row begins at `offset`, rows are `width` apart. */
interface Part {
  readonly place: Omit<TensorValues, 'index' | 'step' | 'values'>;
  readonly offset: number;
  readonly width: number;
}

/** The slice of a tensor of `shape`, thinned out to at most MAX_VALUES numbers. */
export function partOf(shape: readonly number[], slice: TensorSlice): Part {
  const width = shape.at(-1) ?? 1;
  const height = shape.at(-2) ?? 1;
  const matrices = shape.slice(0, -2).reduce((product, n) => product * n, 1);
  const matrix = within(slice.matrix ?? 0, matrices - 1);
  const firstRow = within(slice.firstRow ?? 0, height);
  const firstColumn = within(slice.firstColumn ?? 0, width);
  const rows = within(slice.rows ?? height, height - firstRow);
  const columns = within(slice.columns ?? width, width - firstColumn);
  let [rowStride, columnStride] = [1, 1];
  const shownRows = (): number => Math.ceil(rows / rowStride);
  const shownColumns = (): number => Math.ceil(columns / columnStride);
  while (shownRows() * shownColumns() > MAX_VALUES) {
    if (shownRows() > shownColumns()) rowStride += 1;
    else columnStride += 1;
  }
  return {
    place: {
      rows: shownRows(),
      columns: shownColumns(),
      firstRow,
      firstColumn,
      rowStride,
      columnStride,
    },
    offset: matrix * height * width,
    width,
  };
}

function within(value: number, most: number): number {
  return Math.max(0, Math.min(Math.floor(value), most));
}

/** Statistics of numbers that arrive in pieces (Welford's update). */
class Summary {
  #count = 0;
  #mean = 0;
  /** Sum of squared distances from the mean. */
  #spread = 0;
  #min = Infinity;
  #max = -Infinity;
  #zeros = 0;
  #nans = 0;

  add(values: Float32Array): void {
    for (const value of values) {
      if (Number.isNaN(value)) {
        this.#nans += 1;
        continue;
      }
      this.#count += 1;
      const distance = value - this.#mean;
      this.#mean += distance / this.#count;
      this.#spread += distance * (value - this.#mean);
      if (value < this.#min) this.#min = value;
      if (value > this.#max) this.#max = value;
      if (value === 0) this.#zeros += 1;
    }
  }

  result(): TensorStatistics {
    const none = this.#count === 0;
    return {
      min: none ? NaN : this.#min,
      max: none ? NaN : this.#max,
      mean: none ? NaN : this.#mean,
      deviation: Math.sqrt(this.#spread / this.#count),
      zeros: this.#zeros / (this.#count + this.#nans),
      nans: this.#nans,
    };
  }
}
