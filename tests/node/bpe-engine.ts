/** The module's raw exports, for tests of the tokenizers. */
import { startEngine } from './engine-memory.ts';
import { FileEngine } from './file-engine.ts';

export class BpeEngine extends FileEngine {
  static override async create(): Promise<BpeEngine> {
    return new BpeEngine(await startEngine());
  }

  /** Creates a recipe from a preset with some options changed. */
  config(preset: string, options: Readonly<Record<string, number>> = {}): number {
    const config = this.call('gpt_config_create', preset);
    for (const [option, value] of Object.entries(options)) this.set(config, option, value);
    return config;
  }

  set(config: number, option: string, value: number): void {
    const status = this.call('gpt_config_set', config, option, value);
    if (status < 0) throw new Error(`${option}: ${status}`);
  }

  /** A number of a trainer by name. */
  get(trainer: number, name: string): number {
    return this.call('gpt_trainer_get', trainer, name);
  }

  /** The last error of a recipe. */
  configError(config: number): { code: string; name: string; values: number[]; message: string } {
    return JSON.parse(this.text('gpt_config_error', [config])) as ReturnType<
      BpeEngine['configError']
    >;
  }

  /** Sets the two BPE files of a recipe; returns the status. */
  giveBpe(config: number, vocab: Uint8Array, merges: Uint8Array): number {
    return this.lend(vocab, (v, vBytes) =>
      this.lend(merges, (m, mBytes) =>
        this.call('gpt_config_set_bpe', config, v, vBytes, m, mBytes, 0, 0),
      ),
    );
  }

  trainer(config: number, text: Uint8Array): number {
    const trainer = this.lend(text, (at, count) =>
      this.call('gpt_trainer_create', config, at, count),
    );
    if (trainer === 0) throw new Error(this.configError(config).message);
    return trainer;
  }

  encode(trainer: number, text: Uint8Array): Int32Array {
    return this.lend(text, (at, count) =>
      this.borrow(4 * count, (ids) => {
        const tokens = this.call('gpt_encode', trainer, at, count, ids, count);
        if (tokens < 0) throw new Error(`gpt_encode: ${tokens}`);
        return new Int32Array(this.bytes(ids, 4 * tokens).buffer);
      }),
    );
  }

  tokenBytes(trainer: number, id: number): Uint8Array {
    return this.borrow(256, (out) => {
      const count = this.call('gpt_token_bytes', trainer, id, out, 256);
      return this.bytes(out, count);
    });
  }
}
