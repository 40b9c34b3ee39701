/**
 * Attention of a model on one text: runs the engine's probe and gathers the probabilities of every
 * layer and head into one array, with the tokens in a form that can be shown.
 */
import { failure } from './errors.ts';
import type { Attention, Token } from './trainer.ts';
import type { EngineModel } from './wasm.ts';

const encoder = new TextEncoder();
const PROBABILITIES = /^block(\d+)\.attn\.probs$/;

/** Makes attention pictures of one model. Not to be used after the model is freed. */
export class AttentionProbe {
  readonly #model: EngineModel;
  readonly #tokens = new Map<number, Token>();

  constructor(model: EngineModel) {
    this.#model = model;
  }

  /** Attention on the first tokens of `text`: as many as `maxTokens` and the context have room for. */
  look(text: string, maxTokens: number): Attention {
    const bytes = encoder.encode(text);
    const ids = this.#model.encode(bytes);
    // BOS takes one place of the context where sequences are documents.
    const bos = this.#model.get('documents') > 0 ? 1 : 0;
    const room = Math.max(1, Math.min(maxTokens, this.#model.get('context')) - bos);
    const kept = ids.length <= room ? bytes : bytes.subarray(0, this.#byteLength(ids, room));
    const probed = this.#model.probe(kept);
    return { ...this.#gather(probed), omitted: Math.max(0, ids.length - room) };
  }

  #gather(ids: Int32Array): Omit<Attention, 'omitted'> {
    const size = ids.length;
    const found = this.#model
      .probeNodes()
      .map((node, index) => ({ index, shape: node.shape, match: PROBABILITIES.exec(node.name) }))
      .filter(({ match }) => match !== null)
      .sort((a, b) => Number(a.match?.[1]) - Number(b.match?.[1]));
    const heads = (found[0]?.shape ?? []).reduce((a, b) => a * b, 1) / (size * size);
    if (found.length === 0 || !Number.isInteger(heads)) {
      throw failure('unexpected', 'the probe has no attention probabilities of the expected shape');
    }
    const layer = heads * size * size;
    const weights = new Float32Array(found.length * layer);
    for (const [row, { index }] of found.entries()) {
      this.#model.copyProbeData(index, weights.subarray(row * layer, (row + 1) * layer));
    }
    const tokens = Array.from(ids, (id) => this.#token(id));
    return { step: this.#model.get('step'), tokens, layers: found.length, heads, weights };
  }

  /** Bytes of the first `count` of `ids`. */
  #byteLength(ids: Int32Array, count: number): number {
    let bytes = 0;
    for (const id of ids.subarray(0, count)) bytes += this.#model.tokenBytes(id).length;
    return bytes;
  }

  #token(id: number): Token {
    const known = this.#tokens.get(id);
    if (known !== undefined) return known;
    const token = describeToken(id, this.#model.tokenBytes(id), id === this.#model.get('bos'));
    this.#tokens.set(id, token);
    return token;
  }
}

/** A token as it can be shown: its text, or its bytes when they are only part of a character. */
export function describeToken(id: number, bytes: Uint8Array, isBos: boolean): Token {
  const hex = Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(
    '',
  );
  if (isBos) return { id, text: '', kind: 'bos', hex };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { id, text, kind: 'text', hex };
  } catch {
    return { id, text: '', kind: 'bytes', hex };
  }
}
