/** Runs the native command line. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';

export const root = join(import.meta.dirname, '../..');
export const program = join(root, 'build/train_gpt');
export const namesPath = join(root, 'public/texts/first-names-en.txt');

export interface Result {
  readonly status: number | null;
  readonly out: string;
  readonly errors: string;
}

export function run(...args: string[]): Result {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { status, out: stdout, errors: stderr };
}

/** Runs the command line and expects success; returns its output lines. */
export function lines(...args: string[]): string[] {
  const { status, out, errors } = run(...args);
  expect(errors).not.toContain('train_gpt:');
  expect(status).toBe(0);
  return out.trimEnd().split('\n');
}

/** The printed losses. */
export const printed = (out: string[]): string[] =>
  out.flatMap((line) => /^step \d+\/\d+ loss (\S+) /.exec(line)?.[1] ?? []);

/** Creates a temporary folder for the tests, and returns a function for paths in it. */
export function useFolder(): { readonly folder: string; readonly here: (name: string) => string } {
  const folder = mkdtempSync(join(tmpdir(), 'train-gpt-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  return { folder, here: (name) => join(folder, name) };
}

/** Writes a text of 5,000 bytes to `path`; returns `path`. */
export function writeStory(path: string): string {
  const story = readFileSync(join(root, 'public/texts/moby-dick-en.txt')).subarray(0, 5000);
  writeFileSync(path, story);
  return path;
}
