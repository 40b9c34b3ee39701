/** Saved and exported files of the frozen checkpoints. */
import type { ExportForm, SaveForm } from '../../web/package/index.ts';
import { checkpointOf, RUNS, textOf } from './runs.ts';
import type { Package } from './runs.ts';

const SAVE_FORMS: Record<SaveForm, true> = {
  checkpoint: true,
  weights: true,
  'model.safetensors': true,
  'config.json': true,
  'vocab.json': true,
  'merges.txt': true,
  'tokenizer_config.json': true,
};
const EXPORT_FORMS: Record<ExportForm, true> = {
  gguf: true,
  'gguf-f16': true,
  onnx: true,
  'onnx-plain': true,
  'onnx-config.json': true,
  'config.json': true,
  'model.safetensors': true,
  'tokenizer.json': true,
  'tokenizer_config.json': true,
  'special_tokens_map.json': true,
  'generation_config.json': true,
  Modelfile: true,
  'card-gguf': true,
  'card-onnx': true,
  'card-hf': true,
};

/** Facts for the model cards. */
const SAID = {
  ...{ file: 'names.safetensors', receipt: 'gh1-microgpt-s42-12-00000000-11111111-22222222' },
  ...{ loss: '2.3456', validation: '2.4567', prompt: 'an', sample: 'anna\nbella', tokens: '40' },
};

export const EXPORTED = ['microgpt', 'tinygpt', 'gpt2', 'chinese'] as const;

/**
 * Exports every file of one checkpoint as `save/FORM` and `convert/FORM`; a form that does not
 * support the recipe gets its error code. `measure` must return the size of each converted file.
 */
export async function exportAll(
  library: Package,
  name: string,
): Promise<Record<string, Uint8Array | string>> {
  const run = RUNS.find((one) => one.name === name)!;
  const trainer = await library.createTrainer();
  await trainer.setText(textOf(run.text), { read: 'as-is' });
  await trainer.prepare(null, { files: { weights: checkpointOf(name) }, purpose: 'resume' });
  const files: Record<string, Uint8Array | string> = {};
  const add = async (key: string, made: Promise<Blob>): Promise<void> => {
    files[key] = await made.then(
      async (blob) => new Uint8Array(await blob.arrayBuffer()),
      (error: unknown) => `error ${(error as { code: string }).code}`,
    );
  };
  for (const form of Object.keys(SAVE_FORMS) as SaveForm[]) {
    await add(`save/${form}`, trainer.save(form, '{"text":"own"}'));
  }
  const weights = await trainer.save('weights', '');
  for (const form of Object.keys(EXPORT_FORMS) as ExportForm[]) {
    await add(`convert/${form}`, trainer.convert(weights, form, SAID));
    const size = await trainer.measure(weights, form).catch(() => null);
    const made = files[`convert/${form}`];
    // `measure` has no access to the facts that cards and Modelfiles contain.
    if (!/^(card|Modelfile)/.test(form) && typeof made !== 'string' && size !== made?.length) {
      throw new Error(`${name}: ${form} is ${String(made?.length)} bytes, not ${String(size)}`);
    }
  }
  trainer.close();
  return files;
}
