/** Models as files, as the tests handle them: saved into a folder, and chosen from one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { eventually } from './driver.ts';
import type { Driven } from './driver.ts';

/** A folder for the tests around the call, which is gone after them, and what saves into it. */
export interface ModelFolder {
  readonly folder: string;
  /** Saves under `name` in the folder, through the button of this text. */
  readonly save: (driven: Driven, button: string, name: string) => Promise<string>;
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

export async function choose({ page }: Driven, ...paths: string[]): Promise<void> {
  await page.locator('#model input[type=file]:not([webkitdirectory])').setInputFiles(paths);
}

export async function stepTo(driven: Driven, last: number): Promise<void> {
  for (let at = (await driven.step()) + 1; at <= last; at++) {
    await driven.oneStep.click();
    await eventually(driven.step, (step) => step === at);
  }
}
