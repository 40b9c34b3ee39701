/**
 * Writes tests/fixtures/frozen from the built package, command line and site: once, at ca373f4f.
 *
 *     node tests/generate/frozen.mjs [node] [page]
 *
 * Refuses to replace a file: tests compare later versions with what this one made.
 */
/* global document, location */
import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';
import { serveFolder } from '../pictures/serve-folder.mjs';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'tests/fixtures/frozen');
const parts = process.argv.slice(2);
const does = (part) => parts.length === 0 || parts.includes(part);
const modules = await createServer({
  ...{
    root,
    configFile: false,
    optimizeDeps: { noDiscovery: true },
    appType: 'custom',
    logLevel: 'error',
  },
  server: { middlewareMode: true, ws: false, watch: null },
});
const load = (name) => modules.ssrLoadModule(join(root, 'tests/frozen', name));

function write(name, content) {
  const path = join(folder, name);
  if (existsSync(path)) throw new Error(`${name} is frozen: it is never written again`);
  mkdirSync(dirname(path), { recursive: true });
  const isBytes = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(path, isBytes ? content : `${inLines(content)}\n`);
  console.log(name);
}

/** JSON with a line for each member, and for each item of a member that is a list. */
function inLines(members) {
  const lines = Object.entries(members).map(([name, member]) => {
    const items = Array.isArray(member) ? member.map((item) => JSON.stringify(item)) : null;
    const text = items === null ? JSON.stringify(member) : `[\n${items.join(',\n')}\n]`;
    return `${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${lines.join(',\n')}\n}`;
}

/** The first bytes of a sample text, up to the end of a line. */
function beginning(text, bytes) {
  const whole = readFileSync(join(root, 'public/texts', text));
  return whole.subarray(0, whole.lastIndexOf(10, bytes) + 1);
}

async function writeNode() {
  write('texts/names.txt', beginning('first-names-en.txt', 600));
  const names = readFileSync(join(root, 'public/texts/first-names-en.txt'), 'utf8').split('\n');
  const letters = new Set(readFileSync(join(folder, 'texts/names.txt'), 'utf8'));
  const known = names.slice(200).filter((name) => [...name].every((one) => letters.has(one)));
  write('texts/other-names.txt', `${known.slice(0, 40).join('\n')}\n`);
  write('texts/story.txt', beginning('moby-dick-en.txt', 2500));
  write('texts/poems.txt', beginning('tang-quatrains-zh.txt', 900));
  const odd = [0xef, 0xbb, 0xbf, ...Buffer.from('anna\r\nbea\r\nélise\r\n'.repeat(8)), 0, 255, 254];
  write('texts/raw.txt', Uint8Array.from(odd));

  const { beginRun, openPackage, RUNS, tellEnd, train } = await load('runs.ts');
  const library = await openPackage();
  const ends = {};
  for (const run of RUNS) {
    const trainer = await beginRun(library, run);
    await train(library, trainer, run, 0);
    const file = await trainer.save('checkpoint', '{"text":"own"}');
    write(`runs/${run.name}.safetensors`, new Uint8Array(await file.arrayBuffer()));
    await train(library, trainer, run, run.half);
    const { json, ...end } = await tellEnd(trainer);
    write(`runs/${run.name}.json`, json);
    ends[run.name] = end;
    trainer.close();
  }
  write('runs.json', ends);

  const { callPackage, describePackage } = await load('package-calls.ts');
  write('library.json', { ...(await describePackage(library)), calls: await callPackage(library) });

  const { EXPORTED, exportAll } = await load('exports.ts');
  const { sha256 } = await load('plain.ts');
  const sums = {};
  for (const name of EXPORTED) {
    const files = await exportAll(library, name);
    sums[name] = {};
    for (const [form, made] of Object.entries(files)) {
      const isError = typeof made === 'string';
      sums[name][form] = isError ? made : { bytes: made.length, sha256: sha256(made) };
      // To see what differs, should one ever differ.
      if (!isError && name === 'microgpt' && made.length < 6000) write(`exports/${form}`, made);
    }
  }
  write('exports.json', sums);

  const { addresses, fragments, hosts, meaningOf, PACKED_TEXTS, snippets, VOCABULARY } =
    await load('addresses.ts');
  const trainer = await library.createTrainer();
  const table = await trainer.options();
  trainer.close();
  const meanings = [];
  for (const address of await addresses(table)) meanings.push(await meaningOf(address, table));
  const rest = { fragments: fragments(), hosts: hosts(), snippets: await snippets() };
  write('addresses.json', { vocabulary: VOCABULARY, packedTexts: PACKED_TEXTS, meanings, ...rest });

  const { runCommands } = await load('command-line.ts');
  write('command-line.json', runCommands());
}

const TEXT = 'anna\nhanna\nnina\nannika\nhanne\nina\nlina\nleni\n'.repeat(6);
const SETTINGS = 'preset=microgpt&channels=4&layers=1&heads=2&context=8&steps=60&lr=0.05&pace=full';
/** Steps whose snapshots are frozen, and one between them to look back at. */
const KEPT_STEPS = [0, 10, 12, 20, 30, 40];
const LOOKED_AT = 15;

async function writePage() {
  const { frameTranscript, elementTranscript } = await load('frames.ts');
  const { readStore } = await load('store.ts');
  const site = await serveFolder(join(root, 'dist'));
  const host = await serveFolder(join(root, 'dist'));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox'],
  });
  const open = async () =>
    (await browser.newContext({ locale: 'en-US', serviceWorkers: 'block' })).newPage();
  const frame = await frameTranscript(await open(), site.url, host);
  const element = await elementTranscript(await open(), host);
  write('messages.json', { frame: frame.calls, forms: frame.forms, element });

  const page = await open();
  const reach = (state) =>
    page.locator(`#run[data-state="${state}"]`).waitFor({ state: 'attached', timeout: 60_000 });
  const press = (name) => page.getByRole('button', { name, exact: true }).first().click();
  const rows = page.locator('.runs-table tbody tr');
  const listed = (count) => page.waitForFunction((wanted) => document.querySelectorAll('.runs-table tbody tr').length === wanted, count); // prettier-ignore
  const receipt = () => page.locator('[data-part=receipt]').first().textContent();
  const download = async (button) => {
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
    return readFileSync(await file.path());
  };
  // A run that ends; one that leaves it at step 30 with another learning rate; one at step 20.
  await page.goto(`${site.url}#${SETTINGS}&view=runs`);
  await reach('ready');
  await page.getByRole('textbox', { name: 'The text to learn' }).fill(TEXT);
  await page.waitForFunction('location.hash.includes("text=own")');
  await page.goto(`${site.url}#text=own&${SETTINGS}&view=runs`);
  await reach('ready');
  await press('Start');
  await reach('finished');
  await listed(1);
  await page.getByRole('slider').first().fill('30');
  await press('Train on from here…');
  await page.locator('#past form').getByRole('textbox', { name: 'Learning rate' }).fill('0.01');
  await press('Train on');
  await listed(2);
  await reach('finished');
  const forked = await receipt();
  await page.goto('about:blank');
  await page.goto(`${site.url}#text=own&${SETTINGS}&view=runs&seed=7&stop=20`);
  // An address that names a step trains to it by itself.
  await reach('paused');
  await listed(3);
  const row = rows.filter({ hasText: 'Seed 7' });
  await row.getByRole('button', { name: /^Rename/ }).click();
  await row.getByRole('textbox').fill('Mine 〇');
  await row.getByRole('textbox').press('Enter');
  await page.getByRole('rowheader', { name: 'Mine 〇' }).waitFor();
  await page.waitForTimeout(2000);
  const kept = await readStore(page, KEPT_STEPS);
  const hash = await page.evaluate(() => location.hash);
  const samples = await page.locator('.samples').innerText();
  const paused = await receipt();
  for (const [index, name] of ['paused', 'forked', 'finished'].entries()) {
    const one = rows.nth(index);
    await one.getByRole('button', { name: /^Download/ }).click();
    if (name !== 'finished') await one.getByRole('checkbox').check();
    const go = one.getByRole('button', { name: 'Download the run', exact: true });
    write(`run-files/${name}.glasshouse`, await download(go));
  }
  await page.getByRole('slider').first().fill(String(LOOKED_AT));
  await page.locator('#samples li').first().getByText(`step ${LOOKED_AT}`).waitFor();
  const seen = await page.locator('#samples li').first().locator('div').textContent();
  await page.getByRole('slider').first().press('End');
  await page.locator('#loss .loss-more > .fold').click();
  const csv = page.locator('#loss').getByRole('button', { name: 'Save as CSV' });
  const losses = (await download(csv)).toString();
  await press('Continue');
  await reach('finished');
  await page.waitForTimeout(1000);
  const receipts = { paused, forked, end: await receipt() };
  const lookedAt = { step: LOOKED_AT, text: seen };
  write('store.json', { text: TEXT, hash, samples, receipts, lookedAt, losses, ...kept });
  await browser.close();
  site.close();
  host.close();
}

console.log(execFileSync('git', ['log', '-1', '--format=at %h'], { encoding: 'utf8' }).trim());
if (does('node')) await writeNode();
if (does('page')) await writePage();
await modules.close();
