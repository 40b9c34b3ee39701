/**
 * The model's prediction at every token of a text: runs probe passes, window by window, and reads
 * the probabilities and losses that the engine computed.
 */
import { entropyOf, likeliest } from './distribution.ts';
import { failure } from './errors.ts';
import type { TokenTable } from './token-table.ts';
import type { AnalysedToken, Analysis, TokenScore } from './trainer.ts';
import type { EngineModel } from './binding/model.ts';

/** Number of candidates per token. */
const CANDIDATES = 8;

/** One sequence: a stream, or one document between its two BOS. */
interface Sequence {
  readonly ids: Int32Array;
  readonly omitted: number;
  readonly cut: number;
}

/**
 * Scores the first `maxTokens` tokens of `text`, not counting BOS. `isCut`: the last document is
 * unfinished, so its end is not scored.
 */
export function analyse(
  model: EngineModel,
  table: TokenTable,
  text: string,
  maxTokens: number,
  isCut: boolean,
): Analysis {
  const documents = model.get('sequences') === 1;
  const room = Math.max(1, maxTokens);
  const sequences = documents
    ? readDocuments(model, table, text, room, isCut)
    : [readStream(table, text, room)];
  if (sequences.every(({ ids }) => ids.length === 0)) {
    throw failure('empty', 'the text is empty', [], 'text');
  }
  const tokens: AnalysedToken[] = [];
  let [omitted, cut] = [0, 0];
  for (const sequence of sequences) {
    const scores = scoreSequence(model, table, sequence.ids);
    for (const [index, id] of sequence.ids.entries()) {
      tokens.push({ token: table.token(id), score: scores[index] ?? null });
    }
    omitted += sequence.omitted;
    cut += sequence.cut;
  }
  const losses = tokens.flatMap(({ score }) => (score === null ? [] : [score.loss]));
  return {
    step: model.get('step'),
    tokens,
    meanLoss: losses.reduce((sum, loss) => sum + loss, 0) / losses.length,
    scored: losses.length,
    omitted,
    cut,
  };
}

function readStream(table: TokenTable, text: string, room: number): Sequence {
  const ids = table.encode(text);
  return { ids: ids.slice(0, room), omitted: Math.max(0, ids.length - room), cut: 0 };
}

/** Splits the text into documents like training: non-empty lines, cut at the context. */
function readDocuments(
  model: EngineModel,
  table: TokenTable,
  text: string,
  room: number,
  isCut: boolean,
): Sequence[] {
  const bos = model.get('bos');
  const context = model.get('context');
  const sequences: Sequence[] = [];
  let left = room;
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    const ids = table.encode(line.replace(/\r+$/, ''));
    if (ids.length === 0) continue;
    const taken = ids.subarray(0, Math.min(left, context));
    const omitted = Math.max(0, Math.min(ids.length, context) - left);
    const cut = Math.max(0, ids.length - context);
    // The closing BOS is a target only if the context has a position before it.
    const ends = !isCut || at < lines.length - 1;
    const whole = ends && omitted === 0 && ids.length < context;
    const closed = left === 0 ? [] : [bos, ...taken, ...(whole ? [bos] : [])];
    sequences.push({ ids: Int32Array.from(closed), omitted, cut });
    left -= taken.length;
  }
  return sequences;
}

/** Scores every id but the first, in windows if they exceed the context. */
function scoreSequence(
  model: EngineModel,
  table: TokenTable,
  ids: Int32Array,
): (TokenScore | null)[] {
  const scores = new Array<TokenScore | null>(ids.length).fill(null);
  const context = model.get('context');
  const stride = Math.max(1, Math.floor(context / 2));
  let done = 1;
  for (let start = 0; done < ids.length; start += stride) {
    const window = ids.subarray(start, start + context + 1);
    model.probeIds(window);
    const rows = new ScoreReader(model, table);
    for (; done < start + window.length; done++) {
      scores[done] = rows.read(done - start - 1, ids[done] ?? 0);
    }
  }
  return scores;
}

/** Reads scores from the last probe pass. */
class ScoreReader {
  readonly #model: EngineModel;
  readonly #table: TokenTable;
  readonly #probs: number;
  readonly #losses: number;
  readonly #row: Float32Array;
  readonly #loss = new Float32Array(1);

  constructor(model: EngineModel, table: TokenTable) {
    const nodes = model.probeNodes();
    this.#model = model;
    this.#table = table;
    this.#probs = nodes.findIndex(({ name }) => name === 'probs');
    this.#losses = nodes.findIndex(({ name }) => name === 'token_loss');
    if (this.#probs < 0 || this.#losses < 0) {
      throw failure('unexpected', 'the probe has no losses of single tokens');
    }
    this.#row = new Float32Array(nodes[this.#probs]?.shape.at(-1) ?? 0);
  }

  /** The score of token `id` as the target of `position`. */
  read(position: number, id: number): TokenScore {
    this.#model.copyProbeData(this.#probs, this.#row, position * this.#row.length);
    this.#model.copyProbeData(this.#losses, this.#loss, position);
    const probability = this.#row[id] ?? NaN;
    return {
      loss: this.#loss[0] ?? NaN,
      probability,
      rank: this.#row.reduce((rank, other) => rank + (other > probability ? 1 : 0), 1),
      tied: this.#row.reduce((tied, other) => tied + (other === probability ? 1 : 0), 0),
      entropy: entropyOf(this.#row),
      candidates: likeliest(this.#row, CANDIDATES).map((candidate) => ({
        token: this.#table.token(candidate),
        probability: this.#row[candidate] ?? NaN,
      })),
    };
  }
}
