/**
 * Converts to and from files of other programs in pieces, so that no file is in memory as a whole.
 * Needs the module for questions.
 */
import { failure } from './errors.ts';
import { EngineExport, EngineImport, hasFormats } from './binding/formats.ts';
import type { WithFormats } from './binding/formats.ts';
import type { Exports } from './binding/exports.ts';
import { asBlob, readBytes } from './model-file.ts';
import { templateFields } from './templates.ts';
import type { ExportForm, FileSource, ModelFiles, Said } from './trainer.ts';

/** Bytes read at a time. */
const PIECE = 1 << 20;

function needFormats(exports: Exports): WithFormats {
  if (hasFormats(exports)) return exports;
  throw failure('questions', 'this module of the engine has no other formats');
}

function openExport(exports: Exports, form: ExportForm, bytes: number, said: Said): EngineExport {
  const fields = templateFields(form, said);
  const exporter = new EngineExport(needFormats(exports), fields ? 'template' : form, bytes);
  for (const [name, text] of Object.entries(fields ?? {})) exporter.setField(name, text);
  return exporter;
}

/** Converts a weights file made by `save` to another program's form. */
export async function exportAs(
  exports: Exports,
  weights: FileSource,
  form: ExportForm,
  said: Said = {},
): Promise<Blob> {
  const from = asBlob(weights, 'weights');
  const exporter = openExport(exports, form, from.size, said);
  try {
    let file = new Blob([]);
    for (let at = 0; !exporter.done;) {
      const taken = exporter.feed(await readBytes(from, at, at + PIECE));
      at += taken;
      const piece = exporter.take();
      if (taken === 0 && piece.length === 0 && at >= from.size) {
        throw failure('truncated', 'the weights end early', [from.size, at]);
      }
      file = new Blob([file, piece]);
    }
    return file;
  } finally {
    exporter.free();
  }
}

/** Size of the file that `exportAs` would make; reads the header of the weights only. */
export async function sizeAs(
  exports: Exports,
  weights: FileSource,
  form: ExportForm,
): Promise<number> {
  const from = asBlob(weights, 'weights');
  const exporter = openExport(exports, form, from.size, {});
  try {
    for (let at = 0; exporter.size === 0;) {
      const taken = exporter.feed(await readBytes(from, at, at + PIECE));
      if (taken === 0) throw failure('truncated', 'the weights end early', [from.size, at]);
      at += taken;
    }
    return exporter.size;
  } finally {
    exporter.free();
  }
}

/** Converts another program's model file to the files of the transformers library. */
export async function importFile(exports: Exports, source: FileSource): Promise<ModelFiles> {
  const from = asBlob(source, 'weights');
  const importer = new EngineImport(needFormats(exports), from.size);
  try {
    let weights = new Blob([]);
    for (;;) {
      const { at, bytes } = importer.wants;
      const taken =
        bytes > 0 ? importer.feed(await readBytes(from, at, at + Math.min(bytes, PIECE))) : 0;
      const piece = importer.take();
      weights = new Blob([weights, piece]);
      if (taken === 0 && piece.length === 0) break;
    }
    const beside = (name: string): Blob | null => {
      const text = importer.text(name);
      return text === '' ? null : new Blob([text]);
    };
    return {
      weights,
      form: 'safetensors',
      config: beside('config.json'),
      vocab: beside('vocab.json'),
      merges: beside('merges.txt'),
      added: beside('added_tokens.json'),
    };
  } finally {
    importer.free();
  }
}
