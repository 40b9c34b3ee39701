/**
 * Receipts: the recipe and results of a run, exact to the bit; verify.ts checks them by a replay.
 *
 *     const { line, json } = await trainer.receipt();      // hand in one of them, or both
 *
 * The JSON, which the engine writes and reads (c/io/README.md), contains everything but the text
 * and can be replayed anywhere. The line is for people:
 *
 *     gh1-microgpt-s42-500-1a2b3c4d-5e6f7081-92a3b4c5
 *
 * Two runs of one recipe have the same line at the same step, or one of them is wrong. The receipt
 * of a fork contains that of its parent; verifying it needs the texts of all `receiptRuns`.
 */
import { failure } from './errors.ts';

/** Both forms of a receipt. */
export interface RunReceipt {
  readonly line: string;
  readonly json: string;
}

/** A change of an option during a run. */
export interface RunChange {
  /** Steps done before the option changed. */
  readonly step: number;
  readonly option: string;
  readonly from: number;
  readonly to: number;
}

/** The changes in an engine's receipt. */
export function readChanges({ json }: Pick<RunReceipt, 'json'>): readonly RunChange[] {
  return (JSON.parse(json) as { readonly changes: readonly RunChange[] }).changes;
}

/** Whether the initial weights came from a file, according to an engine's receipt. */
export function wasImported({ json }: Pick<RunReceipt, 'json'>): boolean {
  return (JSON.parse(json) as { readonly imported: boolean }).imported;
}

/** A run in a receipt. */
export interface ReceiptRun {
  readonly line: string;
  /** 64-bit FNV-1a hash of its text in hexadecimal; identifies the text. */
  readonly textHash: string;
  readonly textBytes: number;
  /** Steps done; for a parent, the steps before the fork. */
  readonly steps: number;
}

/** The runs in an engine's receipt: its own, its parent's, and so on. */
export function receiptRuns(receipt: Pick<RunReceipt, 'json'>): readonly ReceiptRun[] {
  const { json = '' } = (receipt as Partial<typeof receipt> | undefined) ?? {};
  interface LongForm {
    readonly line: string;
    readonly text_hash: string;
    readonly text_bytes: number;
    readonly step: number;
    readonly parent?: LongForm;
  }
  const runs: ReceiptRun[] = [];
  let next: LongForm | undefined;
  try {
    next = JSON.parse(json) as LongForm;
  } catch {
    throw failure('receipt', 'a receipt is JSON', [], 'JSON');
  }
  for (; next !== undefined; next = next.parent) {
    const { line, text_hash: textHash, text_bytes: textBytes, step: steps } = next;
    runs.push({ line, textHash, textBytes, steps });
  }
  return runs;
}

/** The fields of a receipt line. */
export interface ReceiptLine {
  readonly engine: number;
  /** The preset nearest to the recipe. */
  readonly preset: string;
  readonly seed: number;
  /** Steps done. */
  readonly step: number;
  /** First 32 bits of three SHA-256 hashes: of the recipe, the losses and the weights. */
  readonly recipe: string;
  readonly losses: string;
  readonly weights: string;
}

/** Fields that may differ between two lines, causes before effects. */
export type LineDifference =
  'engine' | 'preset' | 'seed' | 'step' | 'recipe' | 'losses' | 'weights';

/** Result of a replay. */
export interface Finding {
  readonly same: boolean;
  /** Steps replayed, and steps in the receipt. */
  readonly done: number;
  readonly steps: number;
  /** The first difference; empty if none. */
  readonly difference: '' | 'loss' | 'diverged' | 'weights';
  /** Step of the difference, from 1; 0 if none. */
  readonly at: number;
  /** Bit patterns of both losses, or hashes of both weights. */
  readonly expected: string;
  readonly found: string;
  /**
   * For a fork: the run that `at` counts in, from 1 (the first ancestor), and the number of runs.
   * `done` and `steps` cover all runs.
   */
  readonly run?: number;
  readonly runs?: number;
}

/** Value of `format` in the JSON form. */
export const RECEIPT_FORMAT = 'glasshouse-receipt';

/** A line may not be followed or preceded by further characters of its own kind. */
const LINES =
  /(?:^|[^a-z0-9-])gh(\d{1,9})-([a-z0-9]{1,32})-s(\d{1,16})-(\d{1,10})-([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{8})(?![a-z0-9-])/g;

function lineOf([line]: RegExpMatchArray): string {
  return line.slice(line.indexOf('gh'));
}

/**
 * Finds a receipt line in a text, which may have a name before it or a full stop after it. Null
 * unless it contains exactly one.
 */
export function parseReceiptLine(text: string): ReceiptLine | null {
  // Repetitions of the same line count once.
  const found = [...text.matchAll(LINES)];
  const [parts, ...others] = found.filter(
    (one, at) => found.findIndex((other) => lineOf(other) === lineOf(one)) === at,
  );
  if (parts === undefined || others.length > 0) return null;
  const [, engine, preset = '', seed, step, recipe = '', losses = '', weights = ''] = parts;
  return {
    engine: Number(engine),
    preset,
    seed: Number(seed),
    step: Number(step),
    recipe,
    losses,
    weights,
  };
}

/**
 * Compares two lines. Returns `engine` alone if the engines differ, else the differing causes, else
 * the first differing effect; empty if both are equal. Different losses or weights for the same
 * recipe and step mean that one line is false.
 */
export function compareReceiptLines(a: ReceiptLine, b: ReceiptLine): LineDifference[] {
  const differing = (...parts: LineDifference[]): LineDifference[] =>
    parts.filter((part) => a[part] !== b[part]);
  const effects = differing('engine', 'losses', 'weights').slice(0, 1);
  const causes = differing('preset', 'seed', 'step', 'recipe');
  return effects[0] === 'engine' || causes.length === 0 ? effects : causes;
}

/** The receipt JSON in a text; null if it is absent or incomplete. */
export function findWholeReceipt(text: string): string | null {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  try {
    const { format } = JSON.parse(json) as { readonly format?: unknown };
    return format === RECEIPT_FORMAT ? json : null;
  } catch {
    return null;
  }
}
