/** Model files made by the real engine, as the page saves them, for tests that open them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DirectTrainer } from '../../web/engine/direct.ts';
import type { SaveForm } from '../../web/engine/trainer.ts';
import { findSample, noteOfText } from '../../web/store/text/texts.ts';
import type { SampleId } from '../../web/store/text/texts.ts';
import { fileOf } from '../browser/model-files.ts';
import type { ChosenFile } from '../browser/model-files.ts';
import { engineBytes } from '../node/load-engine.ts';

interface Saving {
  readonly source?: SampleId;
  /** The reader's own text, instead of the sample. */
  readonly text?: string;
  readonly steps?: number;
  /** The step at which the file is saved. */
  readonly until?: number;
  readonly form?: SaveForm;
}

/** The page's model file for microgpt with 32 channels. */
export async function savedFile(
  name: string,
  { source = 'names', text, steps, until = 1, form = 'checkpoint' }: Saving = {},
): Promise<ChosenFile> {
  const sample = join(import.meta.dirname, '../../public', findSample(source)!.file);
  const trainer = new DirectTrainer(engineBytes());
  try {
    await trainer.setText(text ?? new Uint8Array(readFileSync(sample)));
    const changes = { channels: 32, ...(steps === undefined ? {} : { steps }) };
    await trainer.prepare({ preset: 'microgpt', changes });
    for (let step = 0; step < until; step++) await trainer.step();
    const file = await trainer.save(form, noteOfText(text === undefined ? source : 'own'));
    return fileOf(name, new Uint8Array(await file.arrayBuffer()));
  } finally {
    trainer.close();
  }
}
