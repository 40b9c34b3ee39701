/** Files of models as component tests open them: made by the real engine, or read from the disk. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DirectTrainer } from '../../web/engine/direct.ts';
import type { SaveForm } from '../../web/engine/trainer.ts';
import { findSample, noteOfText } from '../../web/store/text/texts.ts';
import type { SampleId } from '../../web/store/text/texts.ts';
import { engineBytes } from '../node/load-engine.ts';
import type { Component } from './mount.ts';

/** A file as a reader chooses it. */
export interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export const fileOf = (name: string, content: Uint8Array | string): ChosenFile => ({
  ...{ name, mimeType: 'application/octet-stream' },
  buffer: Buffer.from(content as Uint8Array),
});

export const fileAt = (path: string): ChosenFile => fileOf(basename(path), readFileSync(path));

/** Chooses files where models are opened. */
export const choose = ({ page }: Component, ...files: ChosenFile[]): Promise<void> =>
  page.locator('#model input[type=file]:not([webkitdirectory])').setInputFiles(files);

interface Saving {
  readonly source?: SampleId;
  /** The reader's own text in place of the sample. */
  readonly text?: string;
  readonly steps?: number;
  /** The step at which it is saved. */
  readonly until?: number;
  readonly form?: SaveForm;
}

/** What the page saves of microgpt with 32 channels. */
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
