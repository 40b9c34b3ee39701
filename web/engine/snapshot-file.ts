/**
 * Snapshots in a file of the browser's own, which only this worker reads: nearly as fast as memory,
 * and none of it. Owns the file; what a worker that is gone has left is removed by the next one.
 */
import { ignore } from './errors.ts';

/** Names of such files begin so. */
const PREFIX = 'glasshouse-moments-';
/** Of the room that the browser allows, a part of this size at most. */
const PARTS = 8;

/** What is used of a FileSystemSyncAccessHandle, which only workers have. */
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
  /** Where each snapshot begins, and its bytes. */
  readonly #places = new Map<number, { readonly at: number; readonly length: number }>();
  /** Where snapshots were that are gone. */
  #free: number[] = [];
  #end = 0;
  /** Bytes from one place to the next. */
  #slot = 1;

  private constructor(handle: Handle, limit: number) {
    this.#handle = handle;
    this.#limit = limit;
  }

  /** A file for `bytes` at most; null where the browser has none. */
  static async open(bytes: number): Promise<SnapshotFile | null> {
    try {
      const { storage } = (globalThis as unknown as { navigator: { storage: Storage } }).navigator;
      const folder = await storage.getDirectory();
      for await (const name of folder.keys()) {
        // That of a worker that lives is locked, and stays.
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

  /** The steps whose snapshots are in it. */
  get steps(): readonly number[] {
    return [...this.#places.keys()];
  }

  /** Bytes of a snapshot at most. */
  get slot(): number {
    return this.#slot;
  }

  /** Bytes that may be in it. */
  get limit(): number {
    return this.#limit;
  }

  /** False where it has no room, or the disk has none. */
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

  /** Null where it cannot be read. */
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

  /** Makes room for snapshots of `slot` bytes at most. */
  clear(slot: number): void {
    this.#slot = slot;
    this.#places.clear();
    this.#free = [];
    this.#end = 0;
    try {
      this.#handle.truncate(0);
    } catch {
      // It stays as long as it was, and is written over.
    }
  }
}
