/**
 * The engine's raw calls with pointers, for numerical tests: they can write weights and read every
 * tensor. The page uses web/engine instead.
 */
import { EngineMemory, startEngine } from './engine-memory.ts';

/** A tensor of the probe or of the parameters: its name and shape. */
export interface TensorInfo {
  readonly name: string;
  readonly shape: readonly number[];
}

/** One trainer in its own instance of the module. */
export class RawTrainer extends EngineMemory {
  readonly #trainer: number;
  /** The plan from gpt_plan_json for this recipe and text. */
  readonly plan: Readonly<Record<string, number>>;

  private constructor(
    exports: WebAssembly.Exports,
    preset: string,
    make: (self: EngineMemory, config: number) => { trainer: number; plan: string },
  ) {
    super(exports);
    const config = this.call('gpt_config_create', preset);
    const { trainer, plan } = make(this, config);
    if (trainer === 0) throw new Error(this.text('gpt_config_error', [config]));
    this.plan = JSON.parse(plan) as Record<string, number>;
    this.#trainer = trainer >>> 0;
    this.call('gpt_config_free', config);
  }

  /** Creates a trainer at step 0 for `text`, with `options` applied to `preset`. */
  static async create(
    preset: string,
    options: Readonly<Record<string, number>>,
    text: Uint8Array,
  ): Promise<RawTrainer> {
    return new RawTrainer(await startEngine(), preset, (self, config) => {
      for (const [option, value] of Object.entries(options)) {
        const status = self.call('gpt_config_set', config, option, value);
        if (status < 0) throw new Error(`option ${option} = ${value}: status ${status}`);
      }
      return self.lend(text, (at, n) => ({
        plan: self.text('gpt_plan_json', [config, at, n]),
        trainer: self.call('gpt_trainer_create', config, at, n),
      }));
    });
  }

  /** Resumes the run of a checkpoint with its training text. */
  static async resume(file: Uint8Array, text: Uint8Array): Promise<RawTrainer> {
    return new RawTrainer(await startEngine(), 'gpt2', (self, config) => {
      const loader = self.call('gpt_load_open', config, 'safetensors', file.length);
      const feed = (piece: Uint8Array): number =>
        self.lend(piece, (at, n) => self.call('gpt_load_feed', loader, at, n));
      const header = feed(file);
      self.lend(text, (at, n) => self.call('gpt_load_begin', loader, 'resume', at, n));
      if (header >= 0) feed(file.subarray(header));
      const trainer = self.call('gpt_load_finish', loader);
      self.call('gpt_load_free', loader);
      return { trainer, plan: '{}' };
    });
  }

  /** Whether the module exports a function with this name. */
  static async has(name: string): Promise<boolean> {
    return name in (await startEngine());
  }

  /** A checkpoint of the run. */
  save(): Uint8Array {
    const saver = this.call('gpt_save_open', this.#trainer, 'checkpoint', 0, 0);
    const size = this.call('gpt_save_bytes', saver);
    const file = this.read(size, (out, room) => this.call('gpt_save_read', saver, out, room));
    this.call('gpt_save_free', saver);
    if (typeof file === 'number' || file.length !== size) throw new Error('the file is cut short');
    return file;
  }

  /**
   * Runs one training step; throws unless it returns GPT_OK. Returns the loss before the update.
   */
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
    return this.call('gpt_trainer_get', this.#trainer, name);
  }

  /** Token ids of `text`. */
  encode(text: Uint8Array): Int32Array {
    return this.borrow(4 * text.length, (ids) => {
      const count = this.lend(text, (at, n) =>
        this.call('gpt_encode', this.#trainer, at, n, ids, n),
      );
      if (count < 0) throw new Error(`gpt_encode answered ${count}`);
      return new Int32Array(this.bytes(ids, 4 * count).buffer);
    });
  }

  /** Runs one sequence and keeps every node; returns its number of tokens. */
  probe(text: Uint8Array, gradients: boolean): number {
    const count = this.lend(text, (at, n) =>
      this.call('gpt_probe', this.#trainer, at, n, gradients ? 1 : 0),
    );
    if (count < 0) throw new Error(`gpt_probe answered ${count}`);
    return count;
  }

  /** The token ids of the probe. */
  probeTokens(count: number): Int32Array {
    const at = this.pointer('gpt_probe_tokens', this.#trainer);
    return new Int32Array(this.bytes(at, 4 * count).buffer);
  }

  /** The values of the probe's node with this name. */
  probeData(name: string): Float32Array {
    const nodes = JSON.parse(this.text('gpt_probe_json', [this.#trainer])) as TensorInfo[];
    const index = nodes.findIndex((node) => node.name === name);
    if (index < 0) throw new Error(`the probe has no node ${name}`);
    return this.#floats('gpt_probe_data', index, nodes[index]!);
  }

  /** Names and shapes of all parameters. */
  parameters(): readonly TensorInfo[] {
    return JSON.parse(this.text('gpt_parameters_json', [this.#trainer])) as TensorInfo[];
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
    const at = this.pointer('gpt_parameter_data', this.#trainer, index);
    this.write(at, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  }

  /**
   * Samples up to `tokens` tokens after `prompt`; a negative seed continues the trainer's own
   * random stream.
   */
  sample(
    prompt: Uint8Array,
    options: { tokens: number; temperature: number; topK?: number; topP?: number; seed: number },
  ): string {
    const { tokens, temperature, topK = 0, topP = 1, seed } = options;
    return this.lend(prompt, (at, n) =>
      this.text('gpt_sample', [this.#trainer, at, n, tokens, temperature, topK, topP, seed]),
    );
  }

  #floats(call: string, index: number, info: TensorInfo): Float32Array {
    const at = this.pointer(call, this.#trainer, index);
    if (at === 0) throw new Error(`${call} has nothing at ${index}`);
    return this.floats(
      at,
      info.shape.reduce((product, n) => product * n, 1),
    );
  }
}
