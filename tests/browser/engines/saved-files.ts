/** A temporary folder for a browser's downloads, deleted when the browser closes. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../driver.ts';

export interface SavedFiles {
  readonly folder: string;
  /** Waits for a complete file whose name has this ending; returns its bytes and deletes it. */
  take(ending: string): Promise<Buffer>;
  remove(): void;
}

export function createSavedFiles(): SavedFiles {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-saved-'));
  return {
    folder,
    take: async (ending) => {
      let before = -1;
      const path = await eventually(
        () => {
          const name = readdirSync(folder).find((one) => one.endsWith(ending));
          const found = name === undefined ? '' : join(folder, name);
          if (found === '') return Promise.resolve(null);
          // Complete: Firefox's .part file is gone and the size is stable.
          const { size } = statSync(found);
          const whole = size > 0 && size === before && !existsSync(`${found}.part`);
          before = size;
          return Promise.resolve(whole ? found : null);
        },
        (found) => found !== null,
      );
      const bytes = readFileSync(path!);
      rmSync(path!);
      return bytes;
    },
    remove: () => {
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
