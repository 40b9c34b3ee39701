/**
 * The module as a host without our TypeScript sees it: numbers in, numbers out. Tests of the
 * contract in c/api/gpt.h use this class and nothing from web/.
 */
import { EngineMemory, startEngine } from './engine-memory.ts';

/** The statuses that tests name; c/base/status.h lists all. */
export const Status = {
  OK: 0,
  FINISHED: 1,
  ARGUMENT: -1,
  OPTION: -4,
  RANGE: -5,
  WHOLE: -6,
  HEADS: -7,
  EMPTY: -8,
  CHARACTER: -10,
  LONG: -11,
  FIXED: -13,
  CAPACITY: -14,
  STATE: -15,
} as const;

export interface EngineFailure {
  readonly status: number;
  readonly code: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly message: string;
}

export interface Plan {
  readonly vocab: number;
  readonly tokens: number;
  readonly train_tokens: number | null;
  readonly documents: number;
  readonly cut_documents: number;
  readonly cut_tokens: number;
  readonly invalid_bytes: number;
  readonly parameters: number;
  readonly random_loss: number;
  readonly text_bytes: number;
  readonly total_bytes: number;
  readonly limit_bytes: number;
  readonly tokens_per_step: number;
  readonly index_bytes: number;
}

export type Settings = Readonly<Record<string, number>>;

export class BareEngine extends EngineMemory {
  static async load(): Promise<BareEngine> {
    return new BareEngine(await startEngine());
  }

  memoryBytes(): number {
    return this.memory.buffer.byteLength;
  }

  readJson(call: (out: number, capacity: number) => number): unknown {
    return JSON.parse(this.readText(call));
  }

  /** Creates a recipe; 0 for an unknown preset. */
  config(preset: string, settings: Settings = {}): number {
    const config = this.pointer('gpt_config_create', preset);
    for (const [option, value] of Object.entries(settings)) {
      const status = this.set(config, option, value);
      if (status !== Status.OK) throw new Error(`${option} = ${value}: status ${status}`);
    }
    return config;
  }

  set(config: number, option: string, value: number): number {
    return this.call('gpt_config_set', config, option, value);
  }

  getOption(config: number, option: string): number {
    return this.call('gpt_config_get', config, option);
  }

  /** Creates a trainer, 0 on failure; the caller keeps the recipe. */
  trainer(config: number, text: string | Uint8Array): number {
    return this.lend(text, (at, n) => this.pointer('gpt_trainer_create', config, at, n));
  }

  /** Creates a recipe and a trainer; throws on failure. */
  train(preset: string, settings: Settings, text: string | Uint8Array): number {
    const config = this.config(preset, settings);
    const trainer = this.trainer(config, text);
    if (trainer === 0) throw new Error(this.configError(config).message);
    this.call('gpt_config_free', config);
    return trainer;
  }

  get(trainer: number, name: string): number {
    return this.call('gpt_trainer_get', trainer, name);
  }

  setLive(trainer: number, option: string, value: number): number {
    return this.call('gpt_trainer_set', trainer, option, value);
  }

  plan(config: number, text: string | Uint8Array): Plan | EngineFailure {
    const bytes = this.lend(text, (at, n) =>
      this.read(4096, (out, room) => this.call('gpt_plan_json', config, at, n, out, room)),
    );
    if (typeof bytes === 'number') return this.configError(config);
    return JSON.parse(new TextDecoder().decode(bytes)) as Plan;
  }

  configError(config: number): EngineFailure {
    return this.readJson((out, capacity) =>
      this.call('gpt_config_error', config, out, capacity),
    ) as EngineFailure;
  }

  trainerError(trainer: number): EngineFailure {
    return this.readJson((out, capacity) =>
      this.call('gpt_trainer_error', trainer, out, capacity),
    ) as EngineFailure;
  }

  /** Losses of up to `count` steps; fewer if the run ends earlier. */
  losses(trainer: number, count: number): number[] {
    const losses: number[] = [];
    while (losses.length < count && this.call('gpt_step', trainer) === Status.OK) {
      losses.push(this.call('gpt_loss', trainer));
    }
    return losses;
  }

  /** Generated text, or a negative status. */
  sample(
    trainer: number,
    prompt: string | Uint8Array,
    { tokens = 40, temperature = 1, topK = 0, topP = 1, seed = 1, capacity = 4096 } = {},
  ): string | number {
    const bytes = this.lend(prompt, (at, n) =>
      this.read(capacity, (out, room) =>
        this.call(
          'gpt_sample',
          ...[trainer, at, n, tokens, temperature, topK, topP, seed],
          ...[out, room],
        ),
      ),
    );
    if (typeof bytes === 'number') return bytes;
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  }
}
