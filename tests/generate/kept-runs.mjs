/**
 * Writes tests/fixtures/kept-runs.json: browser storage with two runs, a receipt, and links, made
 * by a built site. `node tests/generate/kept-runs.mjs FOLDER COMMIT OUT`, with the folder of the
 * site (its dist) and the commit of the build.
 */
/* global Blob, btoa, indexedDB, localStorage, location, sessionStorage */
import { createReadStream, existsSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';

const [folder, commit, out] = process.argv.slice(2);
const TEXT = 'anna\nhanna\nnina\nannika\nhanne\nina\nlina\nleni\n'.repeat(6);
const HASH = 'channels=8&layers=1&heads=2&steps=60&pace=30&view=runs&probe=hanna';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.json': 'application/json' }; // prettier-ignore

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  if (!existsSync(file) || !statSync(file).isFile()) {
    response.statusCode = 404;
    response.end();
    return;
  }
  response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
  createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const context = await browser.newContext({ locale: 'en-US', serviceWorkers: 'block' });
const page = await context.newPage();
const reach = (state) =>
  page.locator(`#run[data-state="${state}"]`).waitFor({ state: 'attached', timeout: 60_000 });
const step = async () =>
  Number((await page.locator('#run [data-part=step]').textContent()).split('/')[0]);
const pressed = async (name) => page.getByRole('button', { name, exact: true }).click();
const until = async (read, good) => {
  while (!good(await read())) await new Promise((resolve) => setTimeout(resolve, 50));
};

await page.goto(`${url}#${HASH}`);
await reach('ready');
await page.getByRole('textbox', { name: 'The text to learn' }).fill(TEXT);
await until(
  () => page.evaluate(() => location.hash),
  (hash) => hash.includes('text=own'),
);
await reach('ready');
await page.goto(`${url}#text=own&preset=microgpt&${HASH}`);
await reach('ready');
await pressed('Start');
await reach('finished');
await page.locator('.runs-table tbody tr').first().waitFor();
await page.locator('[data-control=seed]').click();
await reach('ready');
await pressed('Start');
await until(step, (at) => at >= 20);
await pressed('Pause');
await reach('paused');
await until(
  () => page.locator('.runs-table tbody tr').count(),
  (rows) => rows === 2,
);
const row = page.locator('.runs-table tbody tr').last();
await row.getByRole('button', { name: /^Rename/ }).click();
await row.getByRole('textbox').fill('Mine');
await row.getByRole('textbox').press('Enter');
await until(
  () => row.innerText(),
  (text) => text.includes('Mine'),
);
await page.waitForTimeout(2000);
const [download] = await Promise.all([
  page.waitForEvent('download'),
  page
    .locator('.receipt button', { hasText: /^Download/ })
    .first()
    .click(),
]);
const receipt = await readFile(await download.path(), 'utf8');

const kept = await page.evaluate(async () => {
  const base64 = (bytes) => {
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  };
  const plain = async (value) => {
    if (value instanceof Blob) {
      return { blob: base64(new Uint8Array(await value.arrayBuffer())), type: value.type };
    }
    if (ArrayBuffer.isView(value)) {
      const { buffer, byteOffset, byteLength } = value;
      const bytes = new Uint8Array(buffer, byteOffset, byteLength);
      return { array: value.constructor.name, bytes: base64(bytes) };
    }
    if (Array.isArray(value)) return Promise.all(value.map(plain));
    if (value === null || typeof value !== 'object') return value;
    const entries = Object.entries(value).map(async ([key, one]) => [key, await plain(one)]);
    return Object.fromEntries(await Promise.all(entries));
  };
  const ask = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const stores = {};
  const database = await ask(indexedDB.open('glasshouse'));
  for (const store of database.objectStoreNames) {
    stores[store] = await plain(await ask(database.transaction(store).objectStore(store).getAll()));
  }
  database.close();
  return { stores, tab: { ...sessionStorage }, always: { ...localStorage }, hash: location.hash };
});
const texts = await page.locator('.samples').locator('.stamp, .written').allInnerTexts();
const written = texts.join(' ');
await page.goto(`${url}#text=own&preset=microgpt&${HASH.replace('view=runs', 'view=share')}`);
const snippet = page.locator('.share-result textarea.snippet');
await snippet.waitFor();
await page.locator('.lesson-maker textarea').first().fill('Find the head that looks back.');
const links = {};
for (const form of await page.locator('.share-result .segments input').all()) {
  await form.check({ force: true });
  await page.waitForTimeout(1000);
  links[await form.getAttribute('value')] = (await snippet.inputValue()).replaceAll(url, 'SITE/');
}
await browser.close();
server.close();
const made = { commit, text: TEXT, ...kept, receipt: JSON.parse(receipt), written, links };
writeFileSync(out, `${JSON.stringify(made)}\n`);
