/** The preset and every option of model and training. */
import { valueOf } from '../../engine/options.ts';
import { createSettingsForm } from '../../views/settings-form.ts';
import type { SettingsForm } from '../../views/settings-form.ts';
import { messageOf, placeOf } from '../messages.ts';
import type { CreatePanel } from './panel.ts';

/** Options that are always in sight; the others are behind "more". */
const BASIC = [
  ...['tokenizer', 'sequences', 'layers', 'heads', 'channels', 'context'],
  ...['batch', 'steps', 'lr', 'seed'],
];

/** The words of the glossary that say more about an option. */
const TERMS: Readonly<Record<string, string>> = {
  tokenizer: 'token',
  vocabulary: 'vocabulary',
  special_tokens: 'bos',
  sequences: 'document',
  validation: 'validation',
  seed: 'seed',
  layers: 'layer',
  heads: 'head',
  channels: 'channels',
  context: 'context',
  norm: 'normalisation',
  norm_gain: 'normalisation',
  activation: 'activation',
  tied_head: 'embedding',
  embedding_norm: 'normalisation',
  final_norm: 'normalisation',
  batch: 'batch',
  steps: 'step',
  lr: 'learning_rate',
  schedule: 'learning_rate',
  warmup: 'learning_rate',
  min_lr: 'learning_rate',
  beta1: 'optimizer',
  beta2: 'optimizer',
  epsilon: 'optimizer',
  weight_decay: 'weight_decay',
  decay: 'weight_decay',
  clip: 'gradient_norm',
};

export const createSettings: CreatePanel = (container, { words, actions, session }) => {
  /** Null until the engine has said what options there are. */
  let view: SettingsForm | null = null;
  return {
    update: () => {
      const now = session();
      if (now === null) return;
      const { table, recipe, error } = now;
      view ??= createSettingsForm(container, {
        words,
        presets: table.presets,
        fields: table.options,
        basic: BASIC,
        terms: TERMS,
        onPreset: actions.onPreset,
        onChange: actions.onOption,
      });
      const errors: Record<string, string> = {};
      if (error !== null) {
        for (const name of placeOf(error).options) errors[name] = messageOf(error, words);
      }
      view.update({
        preset: recipe.preset,
        values: Object.fromEntries(
          table.options.map(({ name }) => [name, valueOf(table, recipe, name)]),
        ),
        changed: Object.keys(recipe.changes).length > 0,
        errors,
        pending: now.pending(),
      });
    },
    resize: () => view?.resize(),
    destroy: () => view?.destroy(),
    focus: (option) => view?.focus(option),
  };
};
