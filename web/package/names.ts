/** Names of presets and options as types; a test compares them with the engine's table. */
import type { WantedRecipe } from '../engine/options.ts';

export const PRESETS = ['tinygpt', 'microgpt', 'gpt2'] as const;
export type PresetName = (typeof PRESETS)[number];

export const OPTIONS = [
  ...(['tokenizer', 'vocabulary', 'special_tokens', 'sequences', 'validation', 'seed'] as const),
  ...(['layers', 'heads', 'channels', 'context', 'norm', 'norm_gain', 'activation'] as const),
  ...(['bias', 'tied_head', 'head_bias', 'embedding_norm', 'final_norm'] as const),
  ...(['init_std', 'residual_init', 'batch', 'steps', 'lr', 'schedule', 'warmup'] as const),
  ...(['min_lr', 'beta1', 'beta2', 'epsilon', 'weight_decay', 'decay', 'clip'] as const),
  'norm_epsilon',
] as const;
export type OptionName = (typeof OPTIONS)[number];

/** A recipe of known names. */
export type NamedRecipe = Omit<WantedRecipe, 'preset' | 'changes'> & {
  readonly preset?: PresetName;
  readonly changes?: Readonly<Partial<Record<OptionName, number>>>;
};
