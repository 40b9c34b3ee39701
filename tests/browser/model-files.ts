/** Helpers for model files in tests: saves into a folder and opens from it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll } from 'vitest';
import { eventually } from './driver.ts';
import type { Driven } from './driver.ts';

/** A temporary folder that exists for the tests in scope, and a function that saves into it. */
export interface ModelFolder {
  readonly folder: string;
  /** Saves as `name` in the folder, via the button with this text; returns the path. */
  readonly save: (driven: Driven, button: string, name: string) => Promise<string>;
}

/** A file for a file input. */
export interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export const fileOf = (name: string, content: Uint8Array | string): ChosenFile => ({
  ...{ name, mimeType: 'application/octet-stream' },
  buffer: Buffer.from(content as Uint8Array),
});

export const fileAt = (path: string): ChosenFile => fileOf(basename(path), readFileSync(path));

/** Drops files on the page. */
export const drop = ({ page }: Driven, ...files: readonly ChosenFile[]): Promise<void> =>
  page.evaluate(
    (dropped) => {
      const dataTransfer = new DataTransfer();
      for (const { name, base64 } of dropped) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], name));
      }
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    },
    files.map(({ name, buffer }) => ({ name, base64: buffer.toString('base64') })),
  );

/**
 * Writes the model of `tests/fixtures/gpt2-tiny` as raw weights; `--split` writes one file per
 * tensor.
 */
export function writeRaw(into: string, ...how: readonly string[]): void {
  const script = join(import.meta.dirname, '../generate/gpt2_raw.py');
  execFileSync('python3', [
    script,
    join(import.meta.dirname, '../fixtures/gpt2-tiny'),
    into,
    ...how,
  ]);
}

export function useFolder(): ModelFolder {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  async function save({ page }: Driven, button: string, name: string): Promise<string> {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: button, exact: true }).click();
    const path = join(folder, name);
    const download = await coming;
    await download.saveAs(path);
    const called = download.suggestedFilename();
    await page.getByText(new RegExp(`^Saved at step \\d+: ${called}$`)).waitFor();
    return path;
  }
  return { folder, save };
}

/** Selects files or paths in the file input for models. */
export async function choose(
  { page }: Driven,
  ...files: readonly (string | ChosenFile)[]
): Promise<void> {
  const chosen = files.map((file) => (typeof file === 'string' ? fileAt(file) : file));
  await page.locator('#model input[type=file]:not([webkitdirectory])').setInputFiles(chosen);
}

export async function stepTo(driven: Driven, last: number): Promise<void> {
  for (let at = (await driven.step()) + 1; at <= last; at++) {
    await driven.oneStep.click();
    await eventually(driven.step, (step) => step === at);
  }
}
