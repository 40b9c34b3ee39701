/**
 * The parts of the diagram compared with the engine's tensors and parameters for the same recipe.
 */
import { describe, expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { valueOf } from '../web/engine/options.ts';
import type { Recipe } from '../web/engine/options.ts';
import { architectureOf, engineName } from '../web/store/training/architecture.ts';
import type { ModelPart } from '../web/store/training/architecture.ts';
import { engineBytes } from './node/load-engine.ts';

const text = 'anna\nbella\nhanna\nalba\nnora\nleonora\n'.repeat(8);
const small = { layers: 2, heads: 2, channels: 8, context: 12, batch: 2, vocabulary: 262 };

/** Each preset, and recipes that mix options of several presets. */
const recipes: readonly Recipe[] = [
  ...['tinygpt', 'microgpt', 'gpt2'].map((preset) => ({ preset, changes: {} })),
  ...['tinygpt', 'microgpt', 'gpt2'].map((preset) => ({ preset, changes: small })),
  ...['norm', 'norm_gain', 'activation', 'bias', 'tied_head', 'head_bias', 'embedding_norm', 'final_norm'] // prettier-ignore
    .flatMap((name) =>
      [0, 1].map((value) => ({ preset: 'gpt2', changes: { ...small, [name]: value } })),
    ),
  { preset: 'tinygpt', changes: { ...small, norm: 1, norm_gain: 1, embedding_norm: 1 } },
  { preset: 'microgpt', changes: { ...small, layers: 3, bias: 1, norm: 0, norm_gain: 1 } },
  { preset: 'microgpt', changes: { ...small, tied_head: 1, head_bias: 1, heads: 4, tokenizer: 2 } },
];

describe('the parts of a model', () => {
  test.each(recipes)(
    'have the names, shapes and sizes of the engine’s: $preset $changes',
    async (recipe) => {
      const trainer = new DirectTrainer(engineBytes());
      const table = await trainer.options();
      await trainer.setText(new Uint8Array(new TextEncoder().encode(text)));
      const plan = await trainer.plan(recipe);
      const values = Object.fromEntries(
        table.options.map(({ name }) => [name, valueOf(table, recipe, name)]),
      );
      const described = await trainer.architecture(recipe, plan.vocab);
      const model = architectureOf(described, values['tokenizer'] ?? NaN);
      expect(model.parameters).toBe(plan.parameters);
      const sum = (parts: readonly ModelPart[]): number =>
        parts.reduce((total, { count }) => total + count, 0);
      const counted = sum(model.before) + model.layers * sum(model.block) + sum(model.after);
      expect(counted).toBe(plan.parameters);

      await trainer.prepare(recipe);
      const { tokens, tensors } = await trainer.tensors('anbehlor'.repeat(60), false);
      expect(tokens.length).toBe(values['context']);
      const listed = new Map(tensors.map((tensor) => [tensor.name, tensor]));
      const seen = new Set<string>();
      const check = (part: ModelPart, block: number): void => {
        if (part.id === 'text' || part.id === 'tokens') return;
        for (const { name, shape } of part.tensors) {
          const full = engineName(name, block);
          const found = listed.get(full);
          // The engine's shapes begin with the number of sequences, 1 here; the diagram's omit it.
          const sizes = found?.shape.slice(shape.length === 0 ? 1 : -shape.length);
          expect([full, sizes]).toEqual([full, shape.map(({ size }) => size)]);
          const isSoftmax = part.id === 'probs';
          expect(found?.op).toBe(isSoftmax ? 'cross_entropy' : part.entry);
          seen.add(full);
        }
        for (const { name, shape } of part.parameters) {
          const full = engineName(name, block);
          expect([full, listed.get(full)?.shape]).toEqual([full, shape.map(({ size }) => size)]);
          seen.add(full);
        }
      };
      for (const part of [...model.before, ...model.after]) check(part, -1);
      for (let block = 0; block < model.layers; block++) {
        for (const part of model.block) {
          check(part, block);
        }
      }
      // The diagram lists every tensor of the engine.
      expect([...listed.keys()].filter((name) => !seen.has(name))).toEqual([]);
      trainer.close();
    },
  );

  test('show an op, a tensor and a parameter that this page has never heard of', async () => {
    const trainer = new DirectTrainer(engineBytes());
    const described = await trainer.architecture({ preset: 'gpt2' }, 300);
    trainer.close();
    const at = described.nodes.findIndex(({ name }) => name === 'block0.attn.out') + 1;
    const weight = { name: 'h.0.attn.gate.weight', shape: [128], letters: ['C'] };
    const inputs = ['block0.attn.out', weight.name];
    const gate = { ...described.nodes[at]!, name: 'block0.attn.gate', op: 'gate', inputs };
    const kept = { ...gate, name: 'block0.attn.open' };
    const nodes = [...described.nodes.slice(0, at), gate, kept, ...described.nodes.slice(at)];
    const parameters = [...described.parameters, weight];
    const { block } = architectureOf({ ...described, nodes, parameters }, 0);
    const part = block[block.findIndex(({ id }) => id === 'attn.out') + 1]!;
    const names = part.tensors.map(({ name }) => engineName(name, 3));
    expect(names).toEqual(['block3.attn.gate', 'block3.attn.open']);
    expect(part).toMatchObject({ id: 'attn.gate', entry: 'gate', count: 128, options: [] });
    expect(part.parameters[0]).toMatchObject({
      name: 'h.{block}.attn.gate.weight',
      borrowed: false,
    });
  });

  test('are counted for a model too large to make; a recipe that is not valid has no count', async () => {
    const trainer = new DirectTrainer(engineBytes());
    const huge = { layers: 96, channels: 8192, heads: 64, context: 64 };
    const wrong = { preset: 'gpt2', changes: { heads: 5 } };
    const wanted = [{ preset: 'tinygpt' }, { preset: 'gpt2', changes: huge }, wrong];
    const counts = await trainer.parameterCounts(wanted, 256);
    expect(counts[0]).toBe((await trainer.architecture({ preset: 'tinygpt' }, 256)).weights);
    expect(counts[1]).toBeGreaterThan(7e10);
    expect(counts[2]).toBeNaN();
    await expect(trainer.architecture(wrong, 256)).rejects.toMatchObject({ code: 'heads' });
    trainer.close();
  });
});
