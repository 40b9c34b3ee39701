/** Moves runs between this browser and files; run-file.ts defines the format. */
import { failure } from '../../engine/errors.ts';
import { randomId } from '../storage.ts';
import { textKey } from '../text/text-key.ts';
import { loadSample } from '../text/text-source.ts';
import type { SampleReader } from '../text/text-source.ts';
import type { Session } from '../training/session.ts';
import { readRunFile, writeRunFile } from './run-file.ts';
import type { FiledRun } from './run-file.ts';
import type { FiledFacts } from './run-file-parts.ts';
import { heldRuns } from './run-lock.ts';
import type { RunRecord, TextFacts } from './run-record.ts';
import type { RunStore, StoredRun } from './run-store.ts';
import { factsOf, filedRun, findSame } from './saved-facts.ts';

/** A run file, and the facts for its name. */
export interface RunFile {
  readonly file: Blob;
  readonly facts: FiledFacts;
}

/** Writes the current run to a file. `kept`: the run's record; null if it is not saved. */
export async function fileOfCurrent(
  session: Session | null,
  kept: RunRecord | null,
  probe: string,
  withText: boolean,
): Promise<RunFile> {
  const { current = null } = session ?? {};
  const saved = current && factsOf(current);
  if (session === null || current === null || saved === null) {
    throw failure('state', 'there is no run to save');
  }
  const point = await session.trainer.checkpoint(saved.note);
  return fileOf(filedRun(saved, point, current, kept, probe), withText);
}

/** Writes the last save of a run to a file. */
export async function fileOfKept(store: RunStore, id: string, withText: boolean): Promise<RunFile> {
  const stored = await store.get(id);
  const save = stored?.saves[0];
  if (!stored || !save) throw failure('run-gone', 'this run is not kept any more');
  return fileOf({ facts: stored.record, save, text: stored.text }, withText);
}

/** Writes a run to a file, with its text only if `withText`. */
export async function fileOf({ facts, save, text }: FiledRun, withText: boolean): Promise<RunFile> {
  const { name, created, recipe, text: about, step, steps, loss, tokensPerCharacter } = facts;
  const filed: FiledFacts = {
    name,
    created,
    recipe,
    text: about,
    step,
    steps,
    loss,
    ...(tokensPerCharacter === undefined ? {} : { tokensPerCharacter }),
  };
  const file = await writeRunFile({ facts: filed, save, text: withText ? text : null });
  return { file, facts: filed };
}

/** Reads a run file as a run of this browser, with a new id; does not save it. */
export async function readStored(file: File): Promise<StoredRun> {
  const { facts, save, text } = await readRunFile(file, file.name);
  const record: RunRecord = {
    ...facts,
    id: randomId(),
    updated: Date.now(),
    bytes: save.file.size,
    save: 1,
    writer: '',
    state: 'paused',
    dismissed: false,
    deleted: false,
  };
  return { record, saves: [save], text };
}

/**
 * Finds the text with this key: the page's text or the sample text named `source`; null if neither.
 */
export async function findText(
  { key, source, bytes }: TextFacts,
  readBytes: () => Promise<Uint8Array<ArrayBuffer>>,
  readSample: SampleReader,
): Promise<Blob | null> {
  const places = [readBytes, async () => (await loadSample(source, readSample)).bytes];
  for (const read of places) {
    const content = new Blob([await read().catch(() => new Uint8Array())]);
    if (content.size === bytes && (await textKey({ content })) === key) return content;
  }
  return null;
}

/** Saves a run from a file, unless an equal one is saved. Returns the id of the saved run. */
export async function keepStored(
  { record, saves, text }: StoredRun,
  store: RunStore,
  kept: readonly RunRecord[],
  { table }: Session,
): Promise<string> {
  const same = findSame(kept, record, table);
  if (same !== null) return same.id;
  const [save] = saves;
  if (save !== undefined) await store.put(record, save, text, await heldRuns());
  return record.id;
}
