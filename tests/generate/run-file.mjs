/**
 * Writes a run file of the page, with its text. URL is the address of a served site;
 * tests/fixtures/run-file/README.md describes the run:
 *
 *     node tests/generate/run-file.mjs URL OUT
 */
import { chromium } from 'playwright-core';

const [url, out] = process.argv.slice(2);
const TEXT = 'anna\nhanna\nnina\nannika\nhanne\nina\nlina\nleni\n'.repeat(6);
const SETTINGS = 'preset=microgpt&channels=8&layers=1&heads=2&steps=60&pace=30&probe=hanna';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ locale: 'en-US', serviceWorkers: 'block' });
const reach = (state) =>
  page.locator(`#run[data-state="${state}"]`).waitFor({ state: 'attached', timeout: 60_000 });
const pressed = (name) => page.getByRole('button', { name, exact: true }).click();

await page.goto(`${url}#${SETTINGS}`);
await reach('ready');
await page.getByRole('textbox', { name: 'The text to learn' }).fill(TEXT);
await page.waitForFunction('location.hash.includes("text=own")');
await page.goto(`${url}#text=own&${SETTINGS}&view=runs`);
await reach('ready');
await pressed('Start');
await page.waitForFunction(
  'parseInt(document.querySelector("#run [data-part=step]").textContent) >= 20',
);
await pressed('Pause');
await reach('paused');
const row = page.locator('.runs-table tbody tr');
await row.getByRole('button', { name: /^Rename/ }).click();
await row.getByRole('textbox').fill('Version 1');
await row.getByRole('textbox').press('Enter');
await row.getByRole('rowheader', { name: 'Version 1' }).waitFor();
await row.getByRole('button', { name: /^Download/ }).click();
await row.getByRole('checkbox').check();
const [download] = await Promise.all([
  page.waitForEvent('download'),
  row.getByRole('button', { name: 'Download the run', exact: true }).click(),
]);
await download.saveAs(out);
await browser.close();
