/**
 * Runs a full-size GPT-2 (124,439,808 random weights) through the bare module. It is one function
 * without outer references, so that it also runs in a page. The file never exists as a whole: each
 * piece is generated in the engine's memory.
 */

export interface LargeRequest {
  /** The module's bytes, or their base64 if only text can be passed. */
  readonly wasm: Uint8Array<ArrayBuffer> | string;
  readonly vocab: string;
  readonly merges: string;
  readonly tokens: number;
  /** Steps of fine-tuning with one sequence of 256 tokens; 0 only computes the plan. */
  readonly steps: number;
  /** Rounds of memory reading (needs bench_read in the module), each after one decoded token. */
  readonly rounds: number;
}

export interface LargeFigures {
  readonly fileBytes: number;
  readonly weights: number;
  readonly loadSeconds: number;
  /** Size of the module's memory after loading the vocabulary, and after loading the model. */
  readonly bytesBefore: number;
  readonly bytesLoaded: number;
  readonly ids: readonly number[];
  readonly tokenSeconds: number;
  /** A sum over first and last weights: from the engine's memory, and as generated. */
  readonly checks: readonly [number, number];
  /** Bytes needed by fine-tuning, and the engine's limit. */
  readonly tuneBytes: number;
  readonly limitBytes: number;
  readonly losses: readonly number[];
  readonly stepSeconds: number;
  readonly bytesTuned: number;
  /** Seconds per round: decoding one token, reading the same weights in order, and in 8 streams. */
  readonly decoded: readonly number[];
  readonly read: readonly number[];
  readonly readInStreams: readonly number[];
  /** Seconds per token: over all tokens, with top-k 40, with top-p 0.9. */
  readonly choiceSeconds: readonly number[];
  readonly bytesPerToken: number;
}

export async function runLargeModel(request: LargeRequest): Promise<LargeFigures> {
  const bytes =
    typeof request.wasm === 'string'
      ? Uint8Array.from(atob(request.wasm), (character) => character.charCodeAt(0))
      : request.wasm;
  const { instance } = await WebAssembly.instantiate(bytes, {
    env: { emscripten_notify_memory_growth: () => undefined },
  });
  const exports = instance.exports as unknown as Record<string, (...args: number[]) => number>;
  const memory = instance.exports['memory'] as WebAssembly.Memory;
  const call = (name: string, ...args: number[]): number => exports[name]!(...args);
  const now = (): number => performance.now() / 1000;
  call('_initialize');

  const reserve = (size: number): number => {
    const at = call('malloc', size) >>> 0;
    if (at === 0) throw new Error(`no room for ${size} bytes`);
    return at;
  };
  const lend = <T>(text: string, use: (at: number, length: number) => T): T => {
    const content = new TextEncoder().encode(`${text}\0`);
    const at = reserve(content.length);
    new Uint8Array(memory.buffer).set(content, at);
    try {
      return use(at, content.length - 1);
    } finally {
      call('free', at);
    }
  };
  const readText = (name: string, ...args: number[]): string => {
    const at = reserve(1 << 18);
    const length = call(name, ...args, at, 1 << 18);
    const text = new TextDecoder().decode(new Uint8Array(memory.buffer, at, Math.max(length, 0)));
    call('free', at);
    if (length < 0) throw new Error(`${name} answered ${length}`);
    return text;
  };

  const [L, H, C, V, T] = [12, 12, 768, 50257, 1024];
  const tensors: [name: string, shape: number[]][] = [
    ['wte.weight', [V, C]],
    ['wpe.weight', [T, C]],
  ];
  for (let l = 0; l < L; l++) {
    const parts: Record<string, number[]> = {
      'ln_1.weight': [C],
      'ln_1.bias': [C],
      'attn.c_attn.weight': [C, 3 * C],
      'attn.c_attn.bias': [3 * C],
      'attn.c_proj.weight': [C, C],
      'attn.c_proj.bias': [C],
      'ln_2.weight': [C],
      'ln_2.bias': [C],
      'mlp.c_fc.weight': [C, 4 * C],
      'mlp.c_fc.bias': [4 * C],
      'mlp.c_proj.weight': [4 * C, C],
      'mlp.c_proj.bias': [C],
    };
    for (const [name, shape] of Object.entries(parts)) tensors.push([`h.${l}.${name}`, shape]);
  }
  tensors.push(['ln_f.weight', [C]], ['ln_f.bias', [C]]);
  const sizeOf = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);
  let end = 0;
  const entries = tensors.map(([name, shape]) => {
    const begin = end;
    end += 4 * sizeOf(shape);
    return [name, { dtype: 'F32', shape, data_offsets: [begin, end] }] as const;
  });
  let header = JSON.stringify(Object.fromEntries(entries));
  header += ' '.repeat((8 - (header.length % 8)) % 8);
  const fileBytes = 8 + header.length + end;

  const config = lend('gpt2', (name) => call('gpt_config_create', name) >>> 0);
  const fail = (what: string): never => {
    throw new Error(`${what}: ${readText('gpt_config_message', config)}`);
  };
  lend(request.vocab, (v, vBytes) =>
    lend(request.merges, (m, mBytes) => {
      if (call('gpt_config_set_bpe', config, v, vBytes, m, mBytes, 0, 0) < 0) fail('vocabulary');
    }),
  );
  const describeModel = (): void => {
    const model = { model_type: 'gpt2', n_layer: L, n_head: H, n_embd: C, n_positions: T };
    lend(JSON.stringify({ ...model, vocab_size: V }), (at, length) => {
      if (call('gpt_config_import', config, at, length) < 0) fail('config.json');
    });
  };

  const room = 1 << 22;
  const piece = reserve(room);
  const tuning = 'The cat sat on the mat, and the dog lay by the door. '.repeat(80);
  let first = 0; // generated weights, for the checks
  let last = 0;

  /** Feeds the whole file to the loader; `begin` starts its use. */
  const load = (begin: (loader: number) => void): number => {
    const loader = lend('safetensors', (f) => call('gpt_load_open', config, f, fileBytes) >>> 0);
    if (loader === 0) fail('open');
    const feed = (size: number): void => {
      if (call('gpt_load_feed', loader, piece, size) !== size) fail('feed');
    };
    new DataView(memory.buffer, piece).setBigUint64(0, BigInt(header.length), true);
    new Uint8Array(memory.buffer).set(new TextEncoder().encode(header), piece + 8);
    feed(8 + header.length);
    begin(loader);
    let state = 2463534242;
    for (const [name, shape] of tensors) {
      for (let left = sizeOf(shape); left > 0;) {
        const count = Math.min(left, room / 4);
        const numbers = new Float32Array(memory.buffer, piece, count);
        if (name.endsWith('.bias')) numbers.fill(0);
        else if (shape.length === 1) numbers.fill(1);
        else {
          for (let i = 0; i < count; i++) {
            state ^= state << 13; // xorshift32 (Marsaglia 2003)
            state ^= state >>> 17;
            state ^= state << 5;
            numbers[i] = state * 1.6e-11; // uniform within 0.035 either way: deviation 0.02
          }
        }
        if (name === 'wte.weight' && left === sizeOf(shape)) first = numbers[0]!;
        if (name === 'h.11.mlp.c_proj.weight') last = numbers[count - 1]!;
        feed(4 * count);
        left -= count;
      }
    }
    const trainer = call('gpt_load_finish', loader) >>> 0;
    if (trainer === 0) fail('finish');
    call('gpt_load_free', loader);
    return trainer;
  };
  const weightsAt = (trainer: number, index: number): number =>
    call('gpt_parameter_data', trainer, index) >>> 0;

  // Generate text.
  describeModel();
  const bytesBefore = memory.buffer.byteLength;
  let started = now();
  let trainer = load((loader) =>
    lend('generate', (purpose) => {
      if (call('gpt_load_begin', loader, purpose, 0, 0) < 0) fail('generate');
    }),
  );
  const loadSeconds = now() - started;
  const bytesLoaded = memory.buffer.byteLength;
  const table = JSON.parse(readText('gpt_parameters_json', trainer)) as {
    name: string;
    shape: number[];
  }[];
  const lastOf = table.findIndex(({ name }) => name === 'h.11.mlp.c_proj.weight');
  const numberAt = (at: number): number => new DataView(memory.buffer).getFloat32(at, true);
  const found =
    numberAt(weightsAt(trainer, 0)) + numberAt(weightsAt(trainer, lastOf) + 4 * (4 * C * C - 1));
  const checks: [number, number] = [found, first + last];
  const sampler = call('gpt_trainer_sampler', trainer) >>> 0;
  const begin = (temperature: number, topK: number, topP: number): void => {
    const prompt = 'The meaning of life is';
    const status = lend(prompt, (at, length) =>
      call('gpt_sample_begin', sampler, at, length, temperature, topK, topP, 1),
    );
    if (status < 0) throw new Error(`gpt_sample_begin answered ${status}`);
  };
  const timed = (use: () => unknown): number => {
    const start = now();
    use();
    return now() - start;
  };
  begin(1, 0, 1);
  const ids: number[] = [];
  started = now();
  for (let i = 0; i < request.tokens; i++) ids.push(call('gpt_sample_next', sampler));
  const tokenSeconds = (now() - started) / request.tokens;

  // Decodes and reads alternately, so that both see the same machine load.
  const bytesPerToken = end - 4 * T * C;
  const decoded: number[] = [];
  const read: number[] = [];
  const readInStreams: number[] = [];
  const choiceSeconds: number[] = [];
  if (request.rounds > 0) {
    for (const [k, p] of [
      [0, 1],
      [40, 1],
      [0, 0.9],
    ] as const) {
      begin(1, k, p);
      const times = [1, 2, 3, 4, 5].map(() => timed(() => call('gpt_sample_next', sampler)));
      choiceSeconds.push(Math.min(...times));
    }
    begin(1, 0, 1);
    for (let round = 0; round < request.rounds; round++) {
      decoded.push(timed(() => call('gpt_sample_next', sampler)));
      const at = weightsAt(trainer, 0);
      read.push(timed(() => call('bench_read', at, bytesPerToken, 1)));
      readInStreams.push(timed(() => call('bench_read', at, bytesPerToken, 8)));
    }
  }
  call('gpt_trainer_free', trainer);

  // Fine-tune: computes the memory needed, then trains.
  const setOption = (name: string, value: number): void => {
    if (lend(name, (at) => call('gpt_config_set', config, at, value)) < 0) fail(name);
  };
  const losses: number[] = [];
  let plan = { total_bytes: 0, limit_bytes: 0 };
  let stepSeconds = 0;
  const prepare = (
    loader: number,
    use: (purpose: number, at: number, length: number) => number,
  ) => {
    setOption('context', 256);
    setOption('batch', 1);
    lend('train', (purpose) =>
      lend(tuning, (at, length) => {
        const out = reserve(4096);
        const size = call('gpt_load_plan_json', loader, purpose, at, length, out, 4096);
        if (size < 0) fail('plan');
        const json = new TextDecoder().decode(new Uint8Array(memory.buffer, out, size));
        plan = JSON.parse(json) as typeof plan;
        call('free', out);
        if (use(purpose, at, length) < 0) fail('train');
      }),
    );
  };
  describeModel();
  if (request.steps > 0) {
    trainer = load((loader) =>
      prepare(loader, (purpose, at, length) => call('gpt_load_begin', loader, purpose, at, length)),
    );
    for (let step = 0; step < request.steps; step++) {
      stepSeconds = timed(() => call('gpt_step', trainer));
      losses.push(call('gpt_loss', trainer));
    }
    call('gpt_trainer_free', trainer);
  } else {
    const loader = lend('safetensors', (f) => call('gpt_load_open', config, f, fileBytes) >>> 0);
    new DataView(memory.buffer, piece).setBigUint64(0, BigInt(header.length), true);
    new Uint8Array(memory.buffer).set(new TextEncoder().encode(header), piece + 8);
    call('gpt_load_feed', loader, piece, 8 + header.length);
    prepare(loader, () => 0);
    call('gpt_load_free', loader);
  }
  return {
    ...{ fileBytes, weights: end / 4, loadSeconds, bytesBefore, bytesLoaded, ids, tokenSeconds },
    ...{ checks, tuneBytes: plan.total_bytes, limitBytes: plan.limit_bytes, losses, stepSeconds },
    ...{ bytesTuned: memory.buffer.byteLength, decoded, read, readInStreams, choiceSeconds },
    bytesPerToken,
  };
}
