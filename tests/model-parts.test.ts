/** The diagram's account of a model, held against what the engine says of the same recipe. */
import { describe, expect, test } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import { valueOf } from '../web/engine/options.ts';
import type { Recipe } from '../web/engine/options.ts';
import { architectureOf, engineName, isInBlock } from '../web/store/training/architecture.ts';
import type { ModelPart } from '../web/store/training/architecture.ts';
import { engineBytes } from './node/load-engine.ts';

const text = 'anna\nbella\nhanna\nalba\nnora\nleonora\n'.repeat(8);
const small = { layers: 2, heads: 2, channels: 8, context: 12, batch: 2, vocabulary: 262 };

/** Each preset, and recipes that take one thing or more from another. */
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
      const model = architectureOf(values, plan.vocab);
      expect(model.parameters).toBe(plan.parameters);

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
          // The engine counts the sequences first; here there is one.
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
          expect(isInBlock(part.id)).toBe(true);
          check(part, block);
        }
      }
      // Nothing that the engine has is missing here.
      expect([...listed.keys()].filter((name) => !seen.has(name))).toEqual([]);
      trainer.close();
    },
  );
});
