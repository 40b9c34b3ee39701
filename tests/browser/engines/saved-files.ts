/** The folder that a browser saves files into, gone when the browser has ended. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../driver.ts';

export interface SavedFiles {
  readonly folder: string;
  /** Waits for a file whose name ends so to be there and whole, and takes it away: its bytes. */
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
          // Whole: no part file beside it (Firefox keeps one), and no longer growing.
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
