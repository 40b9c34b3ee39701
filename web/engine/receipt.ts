/**
 * Receipts: what a run was made of and what came out, to the bit, and whether that is true.
 *
 *     const { line, json } = await trainer.receipt();      // hand in one of them, or both
 *     const finding = await verifyReceipt(engine, json, text);
 *     if (!finding.same) console.log(`differs first at step ${finding.at}: ${finding.difference}`);
 *
 * The JSON has everything but the text (the engine writes and reads it; c/io/README.md describes
 * it) and can be replayed anywhere. The line is for people:
 *
 *     gh1-microgpt-s42-500-1a2b3c4d-5e6f7081-92a3b4c5
 *
 * Two runs of one recipe have the same line at the same step, or something is wrong with one of
 * them.
 */
import { failure } from './errors.ts';
import { Engine } from './binding/engine.ts';
import type { EngineSource } from './compile.ts';
import { yieldTask } from '../base/yield-task.ts';

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
}

export interface VerifyOptions {
  /** Refuses receipts of longer runs; without it a claim of any length is replayed. */
  readonly maxSteps?: number;
  /** Hears how far the replay is, at most once a slice. */
  readonly onProgress?: (finding: Finding) => void;
  /** Ends the replay: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Bytes of the longest receipt: eight digits for each of 2^18 losses, and the longest log of
 * changes.
 */
const RECEIPT_MAX_BYTES = 8 << 20;
/** What the long form says of itself. */
export const RECEIPT_FORMAT = 'glasshouse-receipt';
/** Milliseconds of replaying between two chances for others. */
const SLICE = 25;

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

/**
 * Replays the run of a receipt on its text and says where it first differs. Needs no page and no
 * worker; `source` is the module (its bytes, its URL or itself). Rejects with GlasshouseError for
 * what is no receipt, another text, or a run that cannot be replayed.
 */
export async function verifyReceipt(
  source: EngineSource,
  json: string,
  text: Uint8Array,
  options: VerifyOptions = {},
): Promise<Finding> {
  // The page must not be made to copy gigabytes before the engine says that this is no receipt.
  const bytes = json.length > RECEIPT_MAX_BYTES ? null : new TextEncoder().encode(json);
  if (bytes === null) throw failure('receipt', 'this is no receipt: it is too long', [], 'JSON');
  const engine = await Engine.load(source);
  const recipe = engine.recipe('microgpt');
  const held = engine.text(text);
  try {
    const verifier = recipe.verify(bytes, held);
    const look = (): Finding => JSON.parse(verifier.findingJson()) as Finding;
    try {
      const { steps } = look();
      const { maxSteps = Infinity, onProgress, signal } = options;
      if (steps > maxSteps) {
        const message = `the receipt is of ${String(steps)} steps, more than ${String(maxSteps)}`;
        throw failure('receipt-steps', message, [steps, maxSteps]);
      }
      for (let more = true; more;) {
        signal?.throwIfAborted();
        const end = performance.now() + SLICE;
        do more = verifier.step();
        while (more && performance.now() < end);
        onProgress?.(look());
        await yieldTask();
      }
      return look();
    } finally {
      verifier.free();
    }
  } finally {
    held.free();
    recipe.free();
  }
}
