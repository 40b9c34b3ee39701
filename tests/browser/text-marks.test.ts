/**
 * Text marks: an instrument that the others do not know (toy-instrument.ts), added to the registry
 * of the widget as CONTRIBUTING and web/README.md say, has its marks drawn on their texts.
 */
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { build } from 'vite';
import type { Plugin, Rolldown } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOADER } from './anywidget-loader.ts';
import { openTab } from './driver.ts';
import { html, startHost } from './hosts.ts';
import type { Host } from './hosts.ts';
import { usePages } from './sites.ts';
import type { ToyWindow } from './toy-instrument.ts';

const root = join(import.meta.dirname, '../..');
const pages = usePages();
let host: Host;

const registersToy: Plugin = {
  name: 'registers-toy',
  transform(code, id) {
    if (id !== join(root, 'web/page/panels.ts')) return null;
    const toy = `import { createToy } from '${join(root, 'tests/browser/toy-instrument.ts')}';\n`;
    return toy + code.replace('plan: createPlan', 'toy: createToy, plan: createPlan');
  },
};

beforeAll(async () => {
  host = await startHost();
  const [built] = (await build({
    ...{ configFile: join(root, 'vite.embed.config.ts'), mode: 'widget', logLevel: 'error' },
    plugins: [registersToy],
    build: { write: false },
  })) as Rolldown.RolldownOutput[];
  const traits = { text: 'anna\nbob\nclara\n', settings: { steps: 300, layers: 1 }, lang: 'en' };
  const script = `import { load } from './loader.js'; await load('${host.url}toy.mjs', ${JSON.stringify(traits)});`;
  host.put('/loader.js', LOADER);
  host.put('/toy.mjs', built!.output[0].code);
  host.put('/toy.html', html('<div id="cell"></div>', `<script type="module">${script}</script>`));
}, 300_000);

afterAll(() => host.close());

/** Everything that the model writes of the text of three names, with the toy beside it. */
async function openToy(): Promise<{ page: Page; marks: (place: string) => Locator }> {
  const { page } = await pages.page();
  await page.goto(`${host.url}toy.html`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  return { page, marks: (place) => page.locator(`${place} .text-mark`) };
}

it('marks of an instrument are drawn on samples, on answers and step by step', async () => {
  const { page, marks } = await openToy();
  await page.locator('#run[data-state=finished]').waitFor();
  const samples = marks('#samples');
  await samples.first().waitFor();
  // In the texts that are shown whole, until all are.
  expect(await marks('#samples li:not(:first-child)').count()).toBe(0);
  const few = await samples.count();
  await page
    .locator('#samples')
    .getByRole('button', { name: /^Show all/ })
    .click();
  await expect.poll(() => samples.count()).toBeGreaterThan(few);

  await page.getByRole('button', { name: 'Write', exact: true }).click();
  const answer = page.locator('[data-part=answer]');
  const mark = answer.getByRole('button');
  await mark.waitFor();
  expect(await mark.textContent()).toBe(await answer.textContent());
  expect(await mark.getAttribute('title')).toBe('all of it');
  await mark.focus();
  await page.keyboard.press('Enter');
  const said = page.locator('#toy p');
  await expect.poll(() => said.textContent()).toBe(`pressed ${(await mark.textContent())!}`);

  await openTab(page, 'Write step by step');
  await page.getByRole('button', { name: 'Next token', exact: true }).click();
  const written = marks('.write-text');
  await written.waitFor();
  await written.click();
  await expect.poll(() => said.textContent()).toBe(`pressed ${(await written.textContent())!}`);
});

it('marks that come after their text is gone are not drawn', async () => {
  const { page } = await openToy();
  await page.locator('#run[data-state=finished]').waitFor();
  const toy = <Value>(look: (toy: ToyWindow) => Value): Promise<Value> =>
    page.evaluate(`(${String(look)})(window)`);
  await toy((one) => {
    one.holds = true;
  });
  const answer = page.locator('[data-part=answer]');
  const write = async (prompt: string): Promise<string> => {
    const before = await toy(({ held }) => held.length);
    await page.getByRole('textbox', { name: 'Begin with' }).fill(prompt);
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await expect.poll(() => toy(({ held }) => held.length)).toBe(before + 1);
    return (await answer.textContent())!;
  };
  const first = await write('a');
  const text = await write('cl');
  expect(text).not.toBe(first);
  const gone = await toy(({ held }) => held.map((one) => one.isGone()));
  expect(gone.slice(-2)).toEqual([true, false]);
  await toy(({ held }) => {
    for (const one of held.reverse()) one.answer();
  });
  await answer.getByRole('button').waitFor();
  expect(await answer.textContent()).toBe(text);
});
