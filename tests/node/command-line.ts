/** Runs the native command line as a person would. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const program = join(import.meta.dirname, '../../build/train_gpt');

export interface Result {
  readonly status: number | null;
  readonly out: string;
  readonly errors: string;
}

export function run(...args: string[]): Result {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { status, out: stdout, errors: stderr };
}
