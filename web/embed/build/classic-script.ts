/** Bundles a module with all imports as a classic script. */
import { join } from 'node:path';
import { build } from 'vite';
import type { Plugin, Rolldown } from 'vite';

/** `entry`: path below web/. */
export async function classicScript(
  root: string,
  entry: string,
  plugins: Plugin[] = [],
): Promise<string> {
  const result = (await build({
    configFile: false,
    root: join(root, 'web'),
    publicDir: false,
    logLevel: 'error',
    plugins,
    build: {
      write: false,
      rolldownOptions: {
        input: join(root, 'web', entry),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  return result.output[0].code;
}
