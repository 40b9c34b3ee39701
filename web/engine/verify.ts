/**
 * Whether a receipt is true: its run is replayed.
 *
 *     const finding = await verifyReceipt(engine, json, text);
 *     if (!finding.same) console.log(`differs first at step ${finding.at}: ${finding.difference}`);
 */
import { yieldTask } from '../base/yield-task.ts';
import { Engine } from './binding/engine.ts';
import type { EngineText } from './binding/text.ts';
import type { EngineSource } from './compile.ts';
import { failure } from './errors.ts';
import type { Finding } from './receipt.ts';
import { listOf } from './text-bytes.ts';

export interface VerifyOptions {
  /** Refuses receipts of longer runs; without it a claim of any length is replayed. */
  readonly maxSteps?: number;
  /** Hears how far the replay is, at most once a slice. */
  readonly onProgress?: (finding: Finding) => void;
  /** Ends the replay: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Bytes of the longest receipt: eight digits for each of 2^18 losses, the longest log of changes,
 * and the receipt of a parent.
 */
const RECEIPT_MAX_BYTES = 12 << 20;
/** Milliseconds of replaying between two chances for others. */
const SLICE = 25;

/**
 * Replays the run of a receipt on its text and says where it first differs; of a fork, each of its
 * runs on the one of the texts that is its own. Needs no page and no worker; `source` is the module
 * (its bytes, its URL or itself). Rejects with GlasshouseError for what is no receipt, another text
 * (`receipt-text` names the one that a fork lacks), or a run that cannot be replayed.
 */
export async function verifyReceipt(
  source: EngineSource,
  json: string,
  text: Uint8Array | readonly Uint8Array[],
  options: VerifyOptions = {},
): Promise<Finding> {
  // The page must not be made to copy gigabytes before the engine says that this is no receipt.
  const bytes = json.length > RECEIPT_MAX_BYTES ? null : new TextEncoder().encode(json);
  if (bytes === null) throw failure('receipt', 'this is no receipt: it is too long', [], 'JSON');
  const engine = await Engine.load(source);
  const recipe = engine.recipe('microgpt');
  const held: EngineText[] = [];
  try {
    for (const one of listOf(text)) held.push(engine.text(one));
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
    for (const one of held) one.free();
    recipe.free();
  }
}
