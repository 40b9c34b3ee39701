/**
 * Compares screenshots of the built page with screenshots of another revision, pair by pair:
 * `node tests/pictures/compare.mjs [REV]`, or `make compare-pictures BASE=REV`.
 *
 * Writes build/pictures/{base,now,diff}/NAME.png and index.html, which shows the pairs that differ.
 * ONLY=text takes only the screenshots whose names contain the text; NOW=folder compares another
 * built site. Not a test: it fails only if screenshots cannot be taken.
 */
/* global document, Image */
import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'; // prettier-ignore
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { takePictures } from './take.mjs';

const root = join(import.meta.dirname, '../..');
const out = join(root, 'build/pictures');
const [base = 'ca373f4f'] = process.argv.slice(2);
const only = process.env.ONLY ?? '';
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** Builds the site of a revision, cached in build/pictures/sites: a revision does not change. */
function siteOf(revision) {
  const commit = git('rev-parse', '--verify', `${revision}^{commit}`);
  const site = join(out, 'sites', commit);
  if (existsSync(join(site, 'index.html'))) return site;
  const tree = join(out, 'tree');
  const remove = () => {
    if (existsSync(tree)) git('worktree', 'remove', '--force', tree);
  };
  remove();
  git('worktree', 'add', '--detach', '--force', tree, commit);
  try {
    const isSame = (...paths) => git('diff', '--name-only', commit, '--', ...paths) === '';
    const options = [];
    if (isSame('package.json', 'package-lock.json')) {
      symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
      // Uses this tree's packages, and keeps make from reinstalling them through the link.
      options.push('-o', 'node_modules/.package-lock.json');
    }
    if (isSame('c')) useModules(tree, options);
    execFileSync('make', [...options, 'site'], { cwd: tree, stdio: 'inherit', env: cleanEnv() });
    rmSync(site, { recursive: true, force: true });
    cpSync(join(tree, 'dist'), site, { recursive: true });
  } finally {
    remove();
  }
  return site;
}

/** Uses this tree's engine, if unchanged: its modules need no compiling. */
function useModules(tree, options) {
  for (const folder of ['wasm', 'wasm-threads', 'wasm-questions']) {
    const file = `build/${folder}/glasshouse.wasm`;
    if (!existsSync(join(root, file))) continue;
    mkdirSync(join(tree, 'build', folder), { recursive: true });
    cpSync(join(root, file), join(tree, file));
    utimesSync(join(tree, file), new Date(), new Date());
    options.push('-o', file);
  }
}

/** The environment without variables of a surrounding make. */
function cleanEnv() {
  const environment = { ...process.env };
  for (const name of ['MAKEFLAGS', 'MFLAGS', 'MAKELEVEL', 'MAKEOVERRIDES'])
    delete environment[name];
  return environment;
}

/** Tolerated channel difference, of 255: edges vary when a browser draws a page in parts. */
const TOLERANCE = 16;

/** The share of differing pixels and an image of them; a pixel outside either image differs. */
async function compare(page, name) {
  const url = (folder) =>
    `data:image/png;base64,${readFileSync(join(out, folder, `${name}.png`)).toString('base64')}`;
  const { share, picture } = await page.evaluate(
    async ({ urls, tolerance }) => {
      const images = await Promise.all(
        urls.map(async (src) => {
          const image = new Image();
          image.src = src;
          await image.decode();
          return image;
        }),
      );
      const width = Math.max(...images.map((image) => image.width));
      const height = Math.max(...images.map((image) => image.height));
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width, height });
      const context = canvas.getContext('2d', { willReadFrequently: true });
      const [a, b] = images.map((image) => {
        context.clearRect(0, 0, width, height);
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, width, height);
      });
      let count = 0;
      for (let at = 0; at < a.data.length; at += 4) {
        let most = 0;
        for (let channel = at; channel < at + 4; channel++) {
          most = Math.max(most, Math.abs(a.data[channel] - b.data[channel]));
          // Draws equal pixels pale.
          if (channel < at + 3) b.data[channel] = 191 + b.data[channel] / 4;
        }
        if (most <= tolerance) continue;
        count++;
        b.data.set([220, 0, 60, 255], at);
      }
      context.putImageData(b, 0, 0);
      return { share: count / (width * height), picture: canvas.toDataURL('image/png') };
    },
    { urls: [url('base'), url('now')], tolerance: TOLERANCE },
  );
  if (share > 0) {
    writeFileSync(join(out, 'diff', `${name}.png`), Buffer.from(picture.split(',')[1], 'base64'));
  }
  return { name, share };
}

function report(revision, all) {
  const differing = all.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share);
  const percent = (share) => `${(share * 100).toFixed(3)} %`;
  const rows = differing.map(({ name, share }) => {
    const cells = ['base', 'now', 'diff'].map((one) => `<td><a href="${one}/${name}.png"><img src="${one}/${name}.png" alt="${one}" loading="lazy"></a></td>`); // prettier-ignore
    return `<tr><th colspan="3">${name}: ${percent(share)}</th></tr><tr>${cells.join('')}</tr>`;
  });
  writeFileSync(
    join(out, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Pictures: ${revision} and now</title>
<style>body { font-family: sans-serif } table { width: 100% } td { width: 33%; vertical-align: top } img { max-width: 100%; border: 1px solid #999 } th { text-align: left; padding-top: 1.5em }</style>
<h1>${revision}, now, difference</h1><p>${differing.length} of ${all.length} pairs differ.</p><table>${rows.join('\n')}</table>\n`,
  );
  for (const { name, share } of differing) console.log(`${percent(share).padStart(10)}  ${name}`);
  console.log(`${differing.length} of ${all.length} pairs differ: build/pictures/index.html`);
}

const site = siteOf(base);
for (const folder of ['base', 'now', 'diff']) {
  rmSync(join(out, folder), { recursive: true, force: true });
  mkdirSync(join(out, folder), { recursive: true });
}
const launch = (more = []) =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', ...more],
  });
const [names] = await Promise.all([
  takePictures(launch, process.env.NOW ?? join(root, 'dist'), join(out, 'now'), only),
  takePictures(launch, site, join(out, 'base'), only),
]);
const browser = await launch();
const page = await browser.newPage();
const all = [];
for (const name of names) all.push(await compare(page, name));
await browser.close();
report(base, all);
