/**
 * Verifies a receipt by replaying its run.
 *
 *     const finding = await verifyReceipt(engine, json, text);
 *     if (!finding.same) console.log(`differs first at step ${finding.at}: ${finding.difference}`);
 */
import { yieldTask } from '../base/yield-task.ts';
import { Engine } from './binding/engine.ts';
import type { EngineText } from './binding/text.ts';
import type { EngineSource } from './engine-source.ts';
import { failure } from './errors.ts';
import type { Finding } from './receipt.ts';
import { listOf } from './text-bytes.ts';

export interface VerifyOptions {
  /** Refuses receipts of more steps; no limit by default. */
  readonly maxSteps?: number;
  /** Receives the result so far, at most once per slice. */
  readonly onProgress?: (finding: Finding) => void;
  /** Cancels the replay, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Maximum size of a receipt: eight digits for each of 2^18 losses, the longest log of changes, and
 * the receipt of a parent.
 */
const RECEIPT_MAX_BYTES = 12 << 20;
/** Milliseconds of replay before other calls get a turn. */
const SLICE = 25;

/**
 * Replays the run of a receipt and reports the first difference; for a fork, each run is replayed
 * on its own text. Needs neither page nor worker; `source` is the module, its bytes or its URL.
 * Rejects with GlasshouseError if the JSON is no receipt, a text is wrong (`receipt-text` names a
 * missing one), or the run cannot be replayed.
 */
export async function verifyReceipt(
  source: EngineSource,
  json: string,
  text: Uint8Array | readonly Uint8Array[],
  options: VerifyOptions = {},
): Promise<Finding> {
  // Avoids copying gigabytes before the engine would refuse them.
  const bytes = json.length > RECEIPT_MAX_BYTES ? null : new TextEncoder().encode(json);
  if (bytes === null) throw failure('receipt', 'this is no receipt: it is too long', [], 'JSON');
  const engine = await Engine.load(source);
  const recipe = engine.recipe('microgpt');
  const held: EngineText[] = [];
  try {
    for (const one of listOf(text)) held.push(engine.text(one));
    const verifier = recipe.verify(bytes, held);
    const finding = (): Finding => JSON.parse(verifier.findingJson()) as Finding;
    try {
      const { steps } = finding();
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
        onProgress?.(finding());
        await yieldTask();
      }
      return finding();
    } finally {
      verifier.free();
    }
  } finally {
    for (const one of held) one.free();
    recipe.free();
  }
}
