/**
 * The engine's calls as they are, pointers and all, for tests that compare numbers: weights can be
 * written, every tensor can be read. What the page uses is web/engine.
 */
import { engineBytes } from './load-engine.ts';

type Call = (...args: number[]) => number;

/** A tensor of the probe or of the parameters: its name and shape. */
export interface TensorInfo {
  readonly name: string;
  readonly shape: readonly number[];
}

const encoder = new TextEncoder();

async function instantiate(): Promise<WebAssembly.Instance> {
  const module = await WebAssembly.compile(engineBytes());
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: space, name } of WebAssembly.Module.imports(module)) {
    (imports[space] ??= {})[name] = () => 0;
  }
  const instance = await WebAssembly.instantiate(module, imports);
  (instance.exports['_initialize'] as (() => void) | undefined)?.();
  return instance;
}

/** One trainer in an instance of the module of its own. */
export class RawTrainer {
  readonly #memory: WebAssembly.Memory;
  readonly #exports: Record<string, Call>;
  readonly #trainer: number;
  /** What gpt_plan_json says of this recipe and text. */
  readonly plan: Readonly<Record<string, number>>;

  private constructor(
    instance: WebAssembly.Instance,
    preset: string,
    make: (self: RawTrainer, config: number) => { trainer: number; plan: string },
  ) {
    this.#memory = instance.exports['memory'] as WebAssembly.Memory;
    this.#exports = instance.exports as Record<string, Call>;
    const config = this.#withName(preset, (name) => this.call('gpt_config_create', name));
    const { trainer, plan } = make(this, config);
    if (trainer === 0) {
      throw new Error(
        this.#string((out, room) => this.call('gpt_config_error', config, out, room)),
      );
    }
    this.plan = JSON.parse(plan) as Record<string, number>;
    this.#trainer = trainer >>> 0;
    this.call('gpt_config_free', config);
  }

  /** A trainer at step 0 for `text` with `options` over `preset`. */
  static async create(
    preset: string,
    options: Readonly<Record<string, number>>,
    text: Uint8Array,
  ): Promise<RawTrainer> {
    return new RawTrainer(await instantiate(), preset, (self, config) => {
      for (const [option, value] of Object.entries(options)) {
        const status = self.#withName(option, (name) =>
          self.call('gpt_config_set', config, name, value),
        );
        if (status < 0) throw new Error(`option ${option} = ${value}: status ${status}`);
      }
      return self.#withBytes(text, (pointer) => ({
        plan: self.#string((out, room) =>
          self.call('gpt_plan_json', config, pointer, text.length, out, room),
        ),
        trainer: self.call('gpt_trainer_create', config, pointer, text.length),
      }));
    });
  }

  /** The run that a checkpoint holds, ready to go on with the text that it learned from. */
  static async resume(file: Uint8Array, text: Uint8Array): Promise<RawTrainer> {
    return new RawTrainer(await instantiate(), 'gpt2', (self, config) => {
      const loader = self.#withName('safetensors', (form) =>
        self.call('gpt_load_open', config, form, file.length),
      );
      const feed = (piece: Uint8Array): number =>
        self.#withBytes(piece, (pointer) =>
          self.call('gpt_load_feed', loader, pointer, piece.length),
        );
      const header = feed(file);
      self.#withName('resume', (purpose) =>
        self.#withBytes(text, (pointer) =>
          self.call('gpt_load_begin', loader, purpose, pointer, text.length),
        ),
      );
      if (header >= 0) feed(file.subarray(header));
      const trainer = self.call('gpt_load_finish', loader);
      self.call('gpt_load_free', loader);
      return { trainer, plan: '{}' };
    });
  }

  /** Whether the module exports a call of that name. */
  static async has(name: string): Promise<boolean> {
    return name in (await instantiate()).exports;
  }

  /** A checkpoint of the run. */
  save(): Uint8Array {
    const saver = this.#withName('checkpoint', (form) =>
      this.call('gpt_save_open', this.#trainer, form, 0, 0),
    );
    const size = this.call('gpt_save_bytes', saver);
    const file = this.#withRoom(size, (out) => {
      const written = this.call('gpt_save_read', saver, out, size);
      if (written !== size) throw new Error(`${written} of ${size} bytes were written`);
      return new Uint8Array(this.#memory.buffer, out, size).slice();
    });
    this.call('gpt_save_free', saver);
    return file;
  }

  /** Any call of gpt.h. */
  call(name: string, ...args: number[]): number {
    const call = this.#exports[name];
    if (!call) throw new Error(`the module has no ${name}: run \`make wasm\``);
    return call(...args);
  }

  /** One training step; throws unless the engine answers GPT_OK. Returns the loss before it. */
  step(): number {
    const status = this.call('gpt_step', this.#trainer);
    if (status !== 0) throw new Error(`gpt_step answered ${status}`);
    return this.call('gpt_loss', this.#trainer);
  }

  /** Mean loss over `windows` held-out sequences. */
  validate(windows: number): number {
    return this.call('gpt_validate', this.#trainer, windows);
  }

  /** An option or a fact by name. */
  get(name: string): number {
    return this.#withName(name, (pointer) => this.call('gpt_trainer_get', this.#trainer, pointer));
  }

  /** Ids of `text`. */
  encode(text: Uint8Array): Int32Array {
    return this.#withRoom(4 * text.length + 4, (ids) =>
      this.#withBytes(text, (pointer) => {
        const count = this.call(
          'gpt_encode',
          this.#trainer,
          pointer,
          text.length,
          ids,
          text.length,
        );
        if (count < 0) throw new Error(`gpt_encode answered ${count}`);
        return new Int32Array(this.#memory.buffer, ids, count).slice();
      }),
    );
  }

  /** Runs one sequence with every node kept; returns the count of its tokens. */
  probe(text: Uint8Array, gradients: boolean): number {
    const count = this.#withBytes(text, (pointer) =>
      this.call('gpt_probe', this.#trainer, pointer, text.length, gradients ? 1 : 0),
    );
    if (count < 0) throw new Error(`gpt_probe answered ${count}`);
    return count;
  }

  /** The ids that the probe ran on. */
  probeTokens(count: number): Int32Array {
    const at = this.call('gpt_probe_tokens', this.#trainer) >>> 0;
    return new Int32Array(this.#memory.buffer, at, count).slice();
  }

  /** The values of the probe's node of that name. */
  probeData(name: string): Float32Array {
    const json = this.#string((out, room) => this.call('gpt_probe_json', this.#trainer, out, room));
    const nodes = JSON.parse(json) as TensorInfo[];
    const index = nodes.findIndex((node) => node.name === name);
    if (index < 0) throw new Error(`the probe has no node ${name}`);
    return this.#floats('gpt_probe_data', index, nodes[index]!);
  }

  /** The table of parameters. */
  parameters(): readonly TensorInfo[] {
    const call = (out: number, room: number): number =>
      this.call('gpt_parameters_json', this.#trainer, out, room);
    return JSON.parse(this.#string(call)) as TensorInfo[];
  }

  /** Weights of parameter `index`. */
  weights(index: number): Float32Array {
    return this.#floats('gpt_parameter_data', index, this.parameters()[index]!);
  }

  /** Gradients of parameter `index` after a step or a probe. */
  gradients(index: number): Float32Array {
    return this.#floats('gpt_parameter_grad', index, this.parameters()[index]!);
  }

  /** Replaces the weights of parameter `index`. */
  setWeights(index: number, values: Float32Array): void {
    const at = this.call('gpt_parameter_data', this.#trainer, index) >>> 0;
    new Float32Array(this.#memory.buffer, at, values.length).set(values);
  }

  /** Up to `tokens` tokens after `prompt`; a negative seed goes on with the trainer's own stream. */
  sample(
    prompt: Uint8Array,
    options: { tokens: number; temperature: number; topK?: number; topP?: number; seed: number },
  ): string {
    const { tokens, temperature, topK = 0, topP = 1, seed } = options;
    return this.#withBytes(prompt, (pointer) =>
      this.#string((out, room) =>
        this.call(
          'gpt_sample',
          ...[this.#trainer, pointer, prompt.length, tokens, temperature, topK, topP, seed],
          ...[out, room],
        ),
      ),
    );
  }

  #floats(call: string, index: number, info: TensorInfo): Float32Array {
    const at = this.call(call, this.#trainer, index) >>> 0;
    if (at === 0) throw new Error(`${call} has nothing at ${index}`);
    const size = info.shape.reduce((product, n) => product * n, 1);
    return new Float32Array(this.#memory.buffer, at, size).slice();
  }

  #withRoom<Result>(bytes: number, use: (pointer: number) => Result): Result {
    const pointer = this.call('malloc', bytes + 1) >>> 0;
    if (pointer === 0) throw new Error(`malloc refused ${bytes} bytes`);
    try {
      return use(pointer);
    } finally {
      this.call('free', pointer);
    }
  }

  #withBytes<Result>(bytes: Uint8Array, use: (pointer: number) => Result): Result {
    return this.#withRoom(bytes.length, (pointer) => {
      new Uint8Array(this.#memory.buffer, pointer, bytes.length).set(bytes);
      return use(pointer);
    });
  }

  #withName<Result>(name: string, use: (pointer: number) => Result): Result {
    return this.#withBytes(encoder.encode(`${name}\0`), use);
  }

  #string(write: (out: number, room: number) => number): string {
    const room = 1 << 18;
    return this.#withRoom(room, (out) => {
      const length = write(out, room);
      if (length < 0) throw new Error(`the engine answered ${length}`);
      return new TextDecoder().decode(new Uint8Array(this.#memory.buffer, out, length));
    });
  }
}
