/**
 * The runs whose receipts and checkpoints are frozen. `makeRun` trains one with any version of the
 * package; the fixtures hold what version ca373f4f made of it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Library from '../../web/package/index.ts';
import type {
  NamedRecipe,
  OptionName,
  TrainerWithPast,
  WantedRecipe,
} from '../../web/package/index.ts';

export type Package = typeof Library;
export const folder = join(import.meta.dirname, '../fixtures/frozen');

/** Imports the built package as a user of it does. */
export async function openPackage(): Promise<Package> {
  const file = join(import.meta.dirname, '../../build/package/index.mjs');
  return (await import(/* @vite-ignore */ file)) as Package;
}

export const textOf = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(folder, 'texts', name)));

export interface FrozenRun {
  readonly name: string;
  /** File name below fixtures/frozen/texts. */
  readonly text: string;
  readonly recipe: WantedRecipe;
  /** Step of the checkpoint; the receipt covers the whole run. */
  readonly half: number;
  /** Changes of live options, each after its step. */
  readonly changes?: readonly { readonly step: number; readonly option: string; readonly value: number }[]; // prettier-ignore
  /** The parent run, whose checkpoint this run forks. */
  readonly parent?: string;
  readonly diverges?: true;
}

const SMALL = { layers: 1, heads: 2, channels: 8, context: 8, batch: 2, steps: 24 };
const small = (preset: string, changes: Readonly<Record<string, number>> = {}): WantedRecipe => ({
  preset,
  changes: { ...SMALL, ...changes },
});

export const RUNS: readonly FrozenRun[] = [
  { name: 'microgpt', text: 'names.txt', recipe: small('microgpt'), half: 12 },
  { name: 'tinygpt', text: 'story.txt', recipe: small('tinygpt', { channels: 4 }), half: 12 },
  { name: 'gpt2', text: 'story.txt', recipe: small('gpt2', { channels: 4, vocabulary: 280, warmup: 4 }), half: 12 }, // prettier-ignore
  { name: 'chinese', text: 'poems.txt', recipe: small('microgpt', { channels: 4 }), half: 12 },
  { name: 'held-out', text: 'names.txt', recipe: small('microgpt', { validation: 0.2, steps: 60 }), half: 40 }, // prettier-ignore
  {
    name: 'changed',
    text: 'names.txt',
    recipe: small('microgpt'),
    half: 12,
    changes: [
      { step: 5, option: 'lr', value: 0.1 + 0.2 },
      { step: 9, option: 'clip', value: 1 },
      { step: 15, option: 'weight_decay', value: 0.01 },
      { step: 18, option: 'steps', value: 30 },
    ],
  },
  {
    name: 'left-out',
    text: 'names.txt',
    recipe: { ...small('microgpt'), leftOut: [[8, 40], [100, 101]] }, // prettier-ignore
    half: 12,
  },
  {
    name: 'raw-bytes',
    text: 'raw.txt',
    recipe: small('tinygpt', { channels: 4, validation: 0 }),
    half: 12,
  },
  { name: 'fork', text: 'other-names.txt', recipe: small('microgpt', { lr: 0.004, seed: 7 }), half: 12, parent: 'changed' }, // prettier-ignore
  {
    // The weights grow until the loss is NaN, long before the last step.
    name: 'diverged',
    text: 'names.txt',
    recipe: small('microgpt', { lr: 10, weight_decay: 10, schedule: 0, steps: 1000 }),
    half: 3,
    diverges: true,
  },
];

export const checkpointOf = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(folder, 'runs', `${name}.safetensors`)));

const lastStep = ({ recipe, changes = [] }: FrozenRun): number =>
  changes.find(({ option }) => option === 'steps')?.value ?? recipe.changes?.['steps'] ?? 0;

/**
 * Trains from step `from` to the checkpoint or, from there on, to the end, with the run's changes.
 */
export async function train(
  library: Package,
  trainer: TrainerWithPast,
  run: FrozenRun,
  from: number,
): Promise<void> {
  const { changes = [], half } = run;
  if (from === half && run.diverges) {
    await library.finishRun(trainer).catch((error: unknown) => {
      if ((error as { code: string }).code !== 'diverged') throw error;
    });
    return;
  }
  const to = from < half ? half : lastStep(run);
  for (let step = from; step < to; step++) {
    for (const change of changes) {
      if (change.step === step) await trainer.set(change.option as OptionName, change.value);
    }
    await trainer.step();
  }
}

/** Prepares a run at its first step. */
export async function beginRun(library: Package, run: FrozenRun): Promise<TrainerWithPast> {
  const trainer = await library.createTrainer();
  // The bytes of a text are learned as they lie.
  await trainer.setText(textOf(run.text), { read: 'as-is' });
  if (run.parent === undefined) {
    await trainer.prepare(run.recipe as NamedRecipe);
    return trainer;
  }
  const files = { weights: checkpointOf(run.parent) };
  const { values } = await trainer.inspect(files);
  const recipe = { preset: run.recipe.preset ?? '', changes: { ...values, ...run.recipe.changes } };
  await trainer.prepare(recipe as NamedRecipe, { files, purpose: 'fork' });
  return trainer;
}

/** Each number as the eight hexadecimal digits of its 32 bits. */
export function bitsOf(numbers: Float32Array): string[] {
  return Array.from(numbers, (number) => {
    const view = new DataView(new ArrayBuffer(4));
    view.setFloat32(0, number);
    return view.getUint32(0).toString(16).padStart(8, '0');
  });
}

/** Returns the final facts of a run; see fixtures/frozen/README.md. */
export async function tellEnd(trainer: TrainerWithPast) {
  const { step, state, history } = await trainer.checkpoint('');
  const { line, json } = await trainer.receipt();
  const request = { prompt: '', maxTokens: 24, temperature: 0.8, topK: 0, topP: 1, seed: 3 };
  const sample = await trainer.sample(request).then(
    ({ text }) => text,
    (error: unknown) => `error ${(error as { code: string }).code}`,
  );
  return { step, state, line, json, losses: bitsOf(history.losses), sample };
}
