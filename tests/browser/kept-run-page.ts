/** Shared by the tests of saved runs: small runs, and access to the list of runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { eventually } from './driver.ts';
import type { Driven } from './driver.ts';
import { storedSaves } from './saved-runs.ts';
import type { OpenSite } from './sites.ts';

export const names = readFileSync(
  join(import.meta.dirname, '../../public/texts/first-names-en.txt'),
);
export const small = { preset: 'microgpt', changes: { channels: 16, layers: 1, steps: 900 } };
/** The same model as a URL hash, slow enough for a test to pause the run. */
export const SMALL = 'channels=16&layers=1&steps=900&pace=100';

/** Opens another tab of the same browser context, with the same storage. */
export const tabOf =
  (site: OpenSite) =>
  (first: Driven, hash = ''): Promise<Driven> =>
    site({ hash, context: first.page.context() });

export const notice = (page: Page) => page.locator('#notice');
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click();

/** Trains to at least `step` and pauses; returns the step reached once its save is stored. */
export async function trainTo(driven: Driven, step: number): Promise<number> {
  await driven.start.click();
  await eventually(driven.step, (now) => now >= step);
  await driven.pause.click();
  await driven.reach('paused');
  const at = await driven.step();
  await savedAt(driven, at);
  return at;
}

export const fullSpeed = ({ page }: Driven) =>
  page.getByRole('combobox', { name: 'Speed' }).selectOption('Full');

/** Waits until the newest save of a run is at this step. */
export async function savedAt({ page }: Driven, step: number): Promise<void> {
  await eventually(
    () => storedSaves(page),
    (saves) => saves.some((save) => save.newest && save.step === step),
  );
}

/** Returns the rows of the list of runs as text. */
export async function rows({ page }: { page: Page }): Promise<string[]> {
  return page.locator('.runs-table tbody tr').allInnerTexts();
}
