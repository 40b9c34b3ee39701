/**
 * The final weights of the microgpt C program as a weights file of ours.
 *
 * The fixture contains that program's state after step 5000 on the first names, with the state of
 * its random stream and the 20 samples printed afterwards. Its matrices are (out,in); ours are
 * (in,out), with query, key and value side by side.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { floats, readSafetensors, writeSafetensors } from './read-safetensors.ts';

const fixture = join(import.meta.dirname, '../fixtures/microgpt-first-names.step5000.safetensors');

/** Joins the columns of `parts` (out,in) matrices into one (in, parts * out) matrix. */
function packed(parts: Float32Array[], outputs: number, inputs: number): Float32Array {
  const width = parts.length * outputs;
  const result = new Float32Array(inputs * width);
  parts.forEach((part, p) => {
    for (let o = 0; o < outputs; o++) {
      for (let i = 0; i < inputs; i++) result[i * width + p * outputs + o] = part[o * inputs + i]!;
    }
  });
  return result;
}

/** The weights file, and the samples printed by the program. */
export function microgptReference(config: Record<string, number>): {
  file: Uint8Array;
  samples: string[];
} {
  const { tensors, metadata } = readSafetensors(readFileSync(fixture));
  const ours = new Map<string, { shape: number[]; data: Float32Array }>();
  const take = (name: string): Float32Array => floats(tensors.get(name)!);
  const put = (name: string, shape: number[], data: Float32Array): void => {
    ours.set(name, { shape, data });
  };
  put('wte.weight', [27, 64], take('wte'));
  put('wpe.weight', [32, 64], take('wpe'));
  put('lm_head.weight', [27, 64], take('lm_head'));
  for (const l of [0, 1]) {
    const from = (name: string): Float32Array => take(`layer${l}.${name}`);
    const qkv = [from('attn_wq'), from('attn_wk'), from('attn_wv')];
    put(`h.${l}.attn.c_attn.weight`, [64, 192], packed(qkv, 64, 64));
    put(`h.${l}.attn.c_proj.weight`, [64, 64], packed([from('attn_wo')], 64, 64));
    put(`h.${l}.mlp.c_fc.weight`, [64, 256], packed([from('mlp_fc1')], 256, 64));
    put(`h.${l}.mlp.c_proj.weight`, [256, 64], packed([from('mlp_fc2')], 64, 256));
  }
  const codes = Array.from({ length: 26 }, (_, i) => 97 + i);
  const file = writeSafetensors(ours, {
    format: 'pt',
    'glasshouse.config': JSON.stringify(config),
    'glasshouse.tokenizer': JSON.stringify({ codes }),
    'glasshouse.state': JSON.stringify({ step: 5000, rng: metadata['rng_state'] }),
  });
  return { file, samples: JSON.parse(metadata['samples']!) as string[] };
}

/** Every option of a preset with its value. */
export function presetConfig(optionsJson: string, preset: string): Record<string, number> {
  const table = JSON.parse(optionsJson) as {
    presets: string[];
    options: { name: string; presets: number[] }[];
  };
  const column = table.presets.indexOf(preset);
  return Object.fromEntries(table.options.map(({ name, presets }) => [name, presets[column]!]));
}
