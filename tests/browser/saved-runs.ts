/** Reads saved runs from the page's store and computes uninterrupted runs for comparison. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { DirectTrainer } from '../../web/engine/direct.ts';
import type { Recipe } from '../../web/engine/options.ts';

const engine = readFileSync(join(import.meta.dirname, '../../build/wasm/glasshouse.wasm'));

/** Returns the SHA-256 of bytes in hexadecimal. */
export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** An uninterrupted run for comparison. Its steps only increase. */
export class UnbrokenRun {
  readonly #trainer = new DirectTrainer(new Uint8Array(engine));
  #step = 0;

  static async begin(text: string | Uint8Array, recipe: Recipe): Promise<UnbrokenRun> {
    const run = new UnbrokenRun();
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    await run.#trainer.setText(new Uint8Array(bytes));
    await run.#trainer.prepare(recipe);
    return run;
  }

  /** Returns the digest of the checkpoint at `step`, with the page's metadata for `source`. */
  async digestAt(step: number, source: string): Promise<string> {
    while (this.#step < step) {
      await this.#trainer.step();
      this.#step += 1;
    }
    if (this.#step !== step) throw new Error(`step ${step} is over: at ${this.#step}`);
    const file = await this.#trainer.save('checkpoint', JSON.stringify({ text: source }));
    return digest(new Uint8Array(await file.arrayBuffer()));
  }

  close(): void {
    this.#trainer.close();
  }
}

/** A save in the page's store. */
export interface StoredSave {
  readonly run: string;
  readonly number: number;
  readonly newest: boolean;
  readonly step: number;
  readonly digest: string;
}

/** Lists all saves in the store; read-only. `page` may be any page of the site. */
export function storedSaves(page: Page): Promise<StoredSave[]> {
  return page.evaluate(async () => {
    const ask = <Result>(request: IDBRequest<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(String(request.error)));
      });
    interface Save {
      run: string;
      number: number;
      file: Blob;
    }
    // Opening a missing database would create it without stores, so such an upgrade is aborted.
    const database = await new Promise<IDBDatabase | null>((resolve) => {
      const opening = indexedDB.open('glasshouse');
      opening.onupgradeneeded = () => opening.transaction?.abort();
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => resolve(null);
    });
    if (database === null) return [];
    try {
      const tx = database.transaction(['runs', 'saves']);
      const runs = (await ask(tx.objectStore('runs').getAll())) as {
        id: string;
        save: number;
        step: number;
      }[];
      const saves = (await ask(tx.objectStore('saves').getAll())) as Save[];
      return await Promise.all(
        saves.map(async ({ run, number, file }) => {
          const bytes = await file.arrayBuffer();
          const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
          const length = Number(new DataView(bytes).getBigUint64(0, true));
          const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length))) as {
            __metadata__: Record<string, string>;
          };
          const state = JSON.parse(header.__metadata__['glasshouse.state'] ?? '{}') as {
            step: number;
          };
          return {
            run,
            number,
            newest: runs.some(({ id, save }) => id === run && save === number),
            step: state.step,
            digest: Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join(''),
          };
        }),
      );
    } finally {
      database.close();
    }
  });
}
