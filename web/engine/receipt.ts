/**
 * Receipts: what a run was made of and what came out, to the bit (verify.ts says whether that is
 * true).
 *
 *     const { line, json } = await trainer.receipt();      // hand in one of them, or both
 *
 * The JSON has everything but the text (the engine writes and reads it; c/io/README.md describes
 * it) and can be replayed anywhere. The line is for people:
 *
 *     gh1-microgpt-s42-500-1a2b3c4d-5e6f7081-92a3b4c5
 *
 * Two runs of one recipe have the same line at the same step, or something is wrong with one of
 * them. The receipt of a fork has that of the run it went on from in it, and all their texts verify
 * it: `receiptRuns` says which.
 */

/** Both forms of a receipt. */
export interface RunReceipt {
  readonly line: string;
  readonly json: string;
}

/** An option that was changed in mid-run. */
export interface RunChange {
  /** Steps done when it was changed. */
  readonly step: number;
  readonly option: string;
  readonly from: number;
  readonly to: number;
}

/** What a receipt of the engine says was changed on the way. */
export function readChanges({ json }: Pick<RunReceipt, 'json'>): readonly RunChange[] {
  return (JSON.parse(json) as { readonly changes: readonly RunChange[] }).changes;
}

/** Whether a receipt of the engine says that the first weights came from a file. */
export function wasImported({ json }: Pick<RunReceipt, 'json'>): boolean {
  return (JSON.parse(json) as { readonly imported: boolean }).imported;
}

/** A run that a receipt speaks of. */
export interface ReceiptRun {
  readonly line: string;
  /** 64-bit FNV-1a of its text in hexadecimal digits, by which the engine finds the text. */
  readonly textHash: string;
  readonly textBytes: number;
  /** Steps done: of a parent, those before the fork. */
  readonly steps: number;
}

/** The runs of a receipt of the engine: its own, then its parent's, and so on. */
export function receiptRuns({ json }: Pick<RunReceipt, 'json'>): readonly ReceiptRun[] {
  interface LongForm {
    readonly line: string;
    readonly text_hash: string;
    readonly text_bytes: number;
    readonly step: number;
    readonly parent?: LongForm;
  }
  const runs: ReceiptRun[] = [];
  let next: LongForm | undefined = JSON.parse(json) as LongForm;
  for (; next !== undefined; next = next.parent) {
    const { line, text_hash: textHash, text_bytes: textBytes, step: steps } = next;
    runs.push({ line, textHash, textBytes, steps });
  }
  return runs;
}

/** What a receipt's line says. */
export interface ReceiptLine {
  readonly engine: number;
  /** The preset that is nearest to the recipe. */
  readonly preset: string;
  readonly seed: number;
  /** Steps done. */
  readonly step: number;
  /** The first 32 bits of the SHA-256 of the recipe, of the losses and of the weights. */
  readonly recipe: string;
  readonly losses: string;
  readonly weights: string;
}

/** What may differ between two lines, from cause to effect. */
export type LineDifference =
  'engine' | 'preset' | 'seed' | 'step' | 'recipe' | 'losses' | 'weights';

/** What a replay has found. */
export interface Finding {
  readonly same: boolean;
  /** Steps that were replayed, of those that the receipt speaks of. */
  readonly done: number;
  readonly steps: number;
  /** What differs first, if anything does. */
  readonly difference: '' | 'loss' | 'diverged' | 'weights';
  /** At which step, counted from 1; 0 when nothing differs. */
  readonly at: number;
  /** Bits of both losses, or hashes of both weights. */
  readonly expected: string;
  readonly found: string;
  /**
   * Of a fork: which of its `runs` the step `at` is counted in; 1 is the first of them. `done` and
   * `steps` are those of all.
   */
  readonly run?: number;
  readonly runs?: number;
}

/** What the long form says of itself. */
export const RECEIPT_FORMAT = 'glasshouse-receipt';

/** No digit, letter or hyphen of the line's own kind may go on before or after it. */
const LINES =
  /(?:^|[^a-z0-9-])gh(\d{1,9})-([a-z0-9]{1,32})-s(\d{1,16})-(\d{1,10})-([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{8})(?![a-z0-9-])/g;

function lineOf([line]: RegExpMatchArray): string {
  return line.slice(line.indexOf('gh'));
}

/**
 * Reads the line in a text: people put their name before it, and copy the full stop of a sentence
 * with it. Null unless exactly one is found.
 */
export function parseReceiptLine(text: string): ReceiptLine | null {
  // The same line twice is one.
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
 * Compares two lines: what makes them differ, and only where nothing does, in which effect they
 * differ first; empty when they are the same. A difference in the losses or the weights of the same
 * recipe at the same step means that one of the two is not what it says.
 */
export function compareReceiptLines(a: ReceiptLine, b: ReceiptLine): LineDifference[] {
  const differing = (...parts: LineDifference[]): LineDifference[] =>
    parts.filter((part) => a[part] !== b[part]);
  const effects = differing('engine', 'losses', 'weights').slice(0, 1);
  const causes = differing('preset', 'seed', 'step', 'recipe');
  return effects[0] === 'engine' || causes.length === 0 ? effects : causes;
}

/**
 * The JSON in a text that says of itself that it is a receipt; null for none, and for one that is
 * cut.
 */
export function findWholeReceipt(text: string): string | null {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  try {
    const { format } = JSON.parse(json) as { readonly format?: unknown };
    return format === RECEIPT_FORMAT ? json : null;
  } catch {
    return null;
  }
}
