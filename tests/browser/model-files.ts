/** Models as files, as the tests handle them: saved into a folder, and chosen from one. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll } from 'vitest';
import { eventually } from './driver.ts';
import type { Driven } from './driver.ts';

/** A folder for the tests around the call, which is gone after them, and what saves into it. */
export interface ModelFolder {
  readonly folder: string;
  /** Saves under `name` in the folder, through the button of this text. */
  readonly save: (driven: Driven, button: string, name: string) => Promise<string>;
}

/** A file as a reader chooses it. */
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

/** Drops files somewhere on the page. */
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
 * Writes the model of `tests/fixtures/gpt2-tiny` in the raw form; `--split` makes a file for each
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

/** Chooses files, or those at paths, where models are opened. */
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
