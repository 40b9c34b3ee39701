/**
 * Snapshots in a file of the origin private file system, read by this worker only: nearly as fast
 * as memory. Owns the file; files left by ended workers are deleted at the next `open`.
 */
import { ignore } from './errors.ts';

/** Prefix of the file names. */
const PREFIX = 'glasshouse-moments-';
/** Uses at most 1 / PARTS of the free quota. */
const PARTS = 8;

/** The used part of FileSystemSyncAccessHandle, which exists in workers only. */
interface Handle {
  read(into: Uint8Array, options: { readonly at: number }): number;
  write(from: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
}

interface Folder {
  keys(): AsyncIterable<string>;
  removeEntry(name: string): Promise<void>;
  getFileHandle(
    name: string,
    options: { readonly create: boolean },
  ): Promise<{ createSyncAccessHandle(): Promise<Handle> }>;
}

interface Storage {
  getDirectory(): Promise<Folder>;
  estimate(): Promise<{ readonly quota?: number; readonly usage?: number }>;
}

export class SnapshotFile {
  readonly #handle: Handle;
  readonly #limit: number;
  /** Offset and length of each snapshot, by step. */
  readonly #places = new Map<number, { readonly at: number; readonly length: number }>();
  /** Offsets of deleted snapshots, to be reused. */
  #free: number[] = [];
  #end = 0;
  /** Bytes per slot; each slot stores one snapshot. */
  #slot = 1;

  private constructor(handle: Handle, limit: number) {
    this.#handle = handle;
    this.#limit = limit;
  }

  /** Creates a file of at most `bytes`; null if the browser does not support it. */
  static async open(bytes: number): Promise<SnapshotFile | null> {
    try {
      const { storage } = (globalThis as unknown as { navigator: { storage: Storage } }).navigator;
      const folder = await storage.getDirectory();
      for await (const name of folder.keys()) {
        // A file of a running worker is locked and stays.
        if (name.startsWith(PREFIX)) await folder.removeEntry(name).catch(ignore);
      }
      const { quota = 0, usage = 0 } = await storage.estimate();
      const name = `${PREFIX}${crypto.randomUUID()}`;
      const file = await folder.getFileHandle(name, { create: true });
      const handle = await file.createSyncAccessHandle();
      return new SnapshotFile(handle, Math.min(bytes, (quota - usage) / PARTS));
    } catch {
      return null;
    }
  }

  /** Steps with a snapshot in the file. */
  get steps(): readonly number[] {
    return [...this.#places.keys()];
  }

  /** Maximum bytes of a snapshot. */
  get slot(): number {
    return this.#slot;
  }

  /** Maximum bytes of the file. */
  get limit(): number {
    return this.#limit;
  }

  /** Writes a snapshot; false if the file or the disk is full. */
  put(step: number, snapshot: Uint8Array): boolean {
    const { length } = snapshot;
    const at = this.#free.at(-1) ?? this.#end;
    if (length > this.#slot || at + this.#slot > this.#limit) return false;
    try {
      if (this.#handle.write(snapshot, { at }) !== length) return false;
    } catch {
      return false;
    }
    if (this.#free.pop() === undefined) this.#end += this.#slot;
    this.#places.set(step, { at, length });
    return true;
  }

  /** Reads a snapshot; null if that fails. */
  get(step: number): Uint8Array<ArrayBuffer> | null {
    const place = this.#places.get(step);
    if (place === undefined) return null;
    const snapshot = new Uint8Array(place.length);
    try {
      return this.#handle.read(snapshot, { at: place.at }) === place.length ? snapshot : null;
    } catch {
      return null;
    }
  }

  drop(step: number): void {
    const place = this.#places.get(step);
    if (place !== undefined) this.#free.push(place.at);
    this.#places.delete(step);
  }

  /** Deletes all snapshots and sets the slot size. */
  clear(slot: number): void {
    this.#slot = slot;
    this.#places.clear();
    this.#free = [];
    this.#end = 0;
    try {
      this.#handle.truncate(0);
    } catch {
      // The file keeps its length and is overwritten.
    }
  }
}
