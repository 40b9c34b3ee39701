/** Tests looking back at any step of a run in every form of the page, and forking from a step. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type * as Library from '../../web/package/index.ts';
import { eventually, openTab, train } from './driver.ts';
import type { Driven } from './driver.ts';
import { siteUrl } from './harness.ts';
import { html, startHost } from './hosts.ts';
import type { Host } from './hosts.ts';
import { usePages, useSites } from './sites.ts';

const site = useSites();
const pages = usePages();
const MODULE = '<script type="module" src="/site/embed/element.mjs"></script>';
let host: Host;

beforeAll(async () => {
  host = await startHost();
});

afterAll(async () => {
  await host.close();
});

const RUN = 'pace=full&steps=300&validation=0.1';

/** Fills a field of the form, whose values come a moment after it. */
async function fillIn(page: Page, name: string, value: string): Promise<void> {
  const field = past(page).locator('form').getByRole('textbox', { name });
  await expect.poll(() => field.inputValue()).not.toBe('');
  await field.fill(value);
}
/** A step without automatically saved texts. */
const STEP = 137;

const stampOf = (page: Page) => page.locator('#samples li').first().locator('.stamp');
const textOf = (page: Page) => page.locator('#samples li').first().locator('div');
/** Trains the whole run, looks back at STEP, and returns the first sample there. */
async function trainAndLook(driven: Driven): Promise<string | null> {
  await train(driven);
  await driven.lookBack.fill(String(STEP));
  await expect.poll(() => stampOf(driven.page).textContent()).toBe(`step ${String(STEP)}`);
  return textOf(driven.page).textContent();
}

const past = (page: Page) => page.locator('#past');

it('shows at a step what a run that stops there shows: texts, attention, losses, numbers, what it writes', async () => {
  const seen = async (page: Page): Promise<readonly (string | null)[]> => {
    await expect.poll(() => stampOf(page).textContent()).toBe(`step ${String(STEP)}`);
    const panel = page.getByRole('tabpanel');
    await openTab(page, 'Token by token');
    await panel
      .getByText(`step ${String(STEP)}`)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    const answer = page.locator('#ask [data-part=answer]');
    await page
      .locator('#ask')
      .getByText(`step ${String(STEP)}`)
      .waitFor();
    return [
      await textOf(page).textContent(),
      await page.locator('#attention .habits, #attention h3').first().textContent(),
      await panel.locator('.token-cells').textContent(),
      await answer.textContent(),
    ];
  };
  const whole = await site({ hash: RUN });
  await train(whole);
  await whole.lookBack.fill(String(STEP));
  const there = await seen(whole.page);
  const stopped = await site({ hash: `${RUN}&stop=${String(STEP)}`, state: '' });
  await stopped.reach('paused');
  const here = await seen(stopped.page);
  expect(there[0]).not.toBe('');
  expect([there[0], there[2], there[3]]).toEqual([here[0], here[2], here[3]]);
  expect(there[1]).toContain(`at step\u00a0${String(STEP)}`);
});

it('lets a run leave at a step with another learning rate, beside the one that it left', async () => {
  const driven = await site({ hash: RUN });
  const { page, lookBack } = driven;
  await train(driven);
  await lookBack.fill(String(STEP));
  await page.getByRole('button', { name: 'Train on from here…' }).click();
  const form = past(page).locator('form');
  const go = form.getByRole('button', { name: 'Train on' });
  await fillIn(page, 'Steps', '200');
  await fillIn(page, 'Learning rate', '0.02');
  await go.click();
  await expect.poll(() => driven.step()).toBe(200);
  await driven.reach('finished');
  await page
    .locator('#loss')
    .getByText(/Run 1: .*Steps 300/)
    .waitFor();
  // The receipt records changed options and the steps of the changes.
  await openTab(page, 'Runs');
  const receipt = page.locator('[data-part=receipt]').first();
  await expect.poll(() => receipt.textContent()).toMatch(/^gh1-microgpt-s\d+-200-/);
  // The caution states that a twin trains with the new settings from step 1.
  await openTab(page, 'Twins');
  const caution = page.locator('[data-part=twin-caution]');
  await expect.poll(() => caution.textContent()).toMatch(/Learning rate.* in the middle/);
  // Steps of the fork can be recomputed; steps before it have only their saved texts.
  await lookBack.fill('150');
  await expect.poll(() => stampOf(page).textContent()).toBe('step 150');
  await lookBack.fill('20');
  await eventually(driven.step, (step) => step < STEP);
  await past(page).getByText('Steps from 137 on can be shown exactly').waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Train on from here…' }).isVisible())
    .toBe(false);
});

it('names the step of the lowest validation loss, from which it then writes and saves', async () => {
  const text = 'abcdefgh\nbcdefghi\ncdefghij\ndefghijk\nefghijkl\n'.repeat(1);
  const hash = 'text=own&preset=microgpt&pace=full&steps=400&validation=0.3&lr=0.02';
  const driven = await site({ hash, state: '' });
  const { page } = driven;
  await driven.text.fill(text);
  await driven.reach('ready');
  await train(driven);
  await driven.lookBack.fill('5');
  const best = past(page).getByRole('button', { name: /^Best step/ });
  const step = Number((await best.textContent())!.replace(/\D/g, ''));
  await best.click();
  await past(page).getByText('The validation loss was lowest at this step').waitFor();
  expect(await driven.step()).toBe(step);
  expect(step).toBeLessThan(400);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('.model-file').getByRole('button', { name: 'Checkpoint' }).click(),
  ]);
  expect(file.suggestedFilename()).toContain(String(step));
});

it('offers only kept steps of a model that is too large for more, and says so', async () => {
  const driven = await site({ hash: 'pace=full&steps=3&channels=768&layers=1' });
  await train(driven);
  await driven.page.locator('#run .timeline input').focus();
  await driven.page.keyboard.press('Home');
  await past(driven.page).getByText('Only some steps can be shown').waitFor();
});

it('says it in Chinese, and stops a lesson’s frame at the step that it names before it says the task', async () => {
  const url = siteUrl('embed.html#lang=zh&steps=300&stop=20&task=Read%20the%20loss.');
  const driven = await site({ url, state: '' });
  const { page } = driven;
  await driven.reach('paused');
  expect(await driven.step()).toBe(20);
  await page.getByText('Read the loss.').waitFor();
  await page.getByRole('button', { name: '继续', exact: true }).click();
  await driven.reach('finished');
  await page.locator('#run .timeline input').fill('33');
  await past(page).getByText('整个页面显示的都是第 33 步').waitFor();
  await expect.poll(() => stampOf(page).textContent()).toBe('第 33 步');
});

it('leads back to the steps of a run before a reload, as the list of runs says with their size', async () => {
  const driven = await site({ hash: RUN });
  const { page, lookBack } = driven;
  const text = await trainAndLook(driven);
  await openTab(page, 'Runs');
  await page.getByText(/Snapshots for looking back take /).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Open it' }).click();
  await expect.poll(() => driven.step()).toBe(300);
  await eventually(
    async () => {
      await lookBack.fill(String(STEP));
      return stampOf(page).textContent();
    },
    (stamp) => stamp === `step ${String(STEP)}`,
  );
  expect(await textOf(page).textContent()).toBe(text);
});

it('lets a run leave at a step with another text, whose receipt both texts verify together', async () => {
  const driven = await site({ hash: 'preset=microgpt&pace=full&steps=60&text=own', state: '' });
  const { page, lookBack } = driven;
  await driven.text.fill('anna\nbella\nnora\nlena\nella\n'.repeat(8));
  await driven.reach('ready');
  await train(driven);
  await lookBack.fill('40');
  await page.getByRole('button', { name: 'Train on from here…' }).click();
  await past(page).getByText('choose that text first').waitFor();
  await driven.text.fill('robert\n');
  await past(page).getByRole('checkbox').check();
  const go = past(page).getByRole('button', { name: 'Train on', exact: true });
  await go.click();
  // The fork keeps the vocabulary of the original run, so new characters are rejected.
  await past(page)
    .getByText(/“t”|“o”/)
    .waitFor();
  await driven.text.fill('abel\nbrenna\nleo\n'.replaceAll('br', 'b').repeat(9));
  await fillIn(page, 'Steps', '30');
  await go.click();
  await expect.poll(() => driven.step()).toBe(30);
  await driven.reach('finished');
  await openTab(page, 'Runs');
  await page.getByRole('button', { name: 'Check this run' }).click();
  // The check also recomputes the 40 steps of the original run.
  await page
    .getByText(/^True: all 70 steps/)
    .first()
    .waitFor();
});

it('trains on where memory for snapshots is refused in mid-run, and then shows what was kept of steps', async () => {
  // Simulates failing allocations after ten snapshots.
  const refusing = `{
    const { slice } = Uint8Array.prototype;
    let snapshots = 0;
    Uint8Array.prototype.slice = function (...range) {
      const isSnapshot = this.length > 1246000 && this.length < 1248000;
      if (isSnapshot && ++snapshots > 10) throw new RangeError('Array buffer allocation failed');
      return slice.apply(this, range);
    };
  }`;
  const driven = await site({
    hash: RUN,
    before: (page) =>
      page.route(/assets\/worker-/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `${refusing}${await response.text()}` });
      }),
  });
  const { page, lookBack, problems } = driven;
  await train(driven);
  await lookBack.fill(String(STEP));
  await past(page).getByText('Only some steps can be shown').waitFor();
  await lookBack.press('Home');
  await expect.poll(() => stampOf(page).textContent()).toBe('step 0');
  await lookBack.press('End');
  await expect.poll(() => stampOf(page).textContent()).toBe('step 300');
  expect(problems).toEqual([]);
});

it('is in the element too, as on the page: steps, a fork, and what it stops at', async () => {
  host.put('/lesson.html', html('<glasshouse-gpt settings="steps=60" stop="40"></glasshouse-gpt>', MODULE)); // prettier-ignore
  const { page, problems } = await pages.page();
  await page.goto(`${host.url}lesson.html`);
  const step = page.locator('#run [data-part=step]');
  await expect.poll(() => step.textContent()).toBe('40 / 60');
  await page.locator('#run .timeline input').fill('33');
  await past(page).getByText('The whole page shows step 33').waitFor();
  await expect.poll(() => stampOf(page).textContent()).toBe('step 33');
  await page.getByRole('button', { name: 'Train on from here…' }).click();
  await fillIn(page, 'Learning rate', '0.02');
  await past(page).getByRole('button', { name: 'Train on', exact: true }).click();
  await expect.poll(() => step.textContent()).toBe('60 / 60');
  expect(problems).toEqual([]);
});

it('keeps more snapshots in a file of its worker than in memory, which lead to the same bits', async () => {
  const script = '<script type="module">import * as all from "/site/embed/index.mjs"; globalThis.library = all;</script>'; // prettier-ignore
  host.put('/library.html', html('', script));
  const { page } = await pages.page();
  await page.goto(`${host.url}library.html`);
  await page.waitForFunction(() => 'library' in globalThis);
  const found = await page.evaluate(async (text) => {
    const { library } = globalThis as unknown as { readonly library: typeof Library };
    const trainer = await library.createTrainer();
    // Memory holds three snapshots of this model; the file holds thirty.
    await trainer.keepMoments(4e6, 40e6);
    await trainer.setText(text);
    const opened = async (): Promise<boolean> => {
      await trainer.prepare({ preset: 'microgpt', changes: { steps: 400 } });
      for (let step = 0; step < 301; step++) await trainer.step();
      return !(await trainer.moments()).includes((await trainer.wayBack(301)).from);
    };
    // The file opens asynchronously during training, so the run is repeated until it is in use.
    for (let tries = 0; tries < 10 && !(await opened()); tries++);
    const then = (await trainer.receipt()).json;
    for (let step = 301; step < 400; step++) await trainer.step();
    const [kept, { from }] = [await trainer.moments(), await trainer.wayBack(301)];
    const same = (await (await trainer.at(301)).receipt()).json === then;
    trainer.close();
    return { kept, from, same };
  }, 'anna\nbella\ncarla\ndora\nella\nfina\n');
  expect(found.kept).not.toContain(found.from);
  expect(301 - found.from).toBeLessThan(40);
  expect(found.same).toBe(true);
});

it('says the task of a lesson whose run is over before the step that it names', async () => {
  const url = siteUrl('embed.html#steps=30&stop=500&task=Read%20the%20loss.');
  const driven = await site({ url, state: '' });
  await driven.reach('finished');
  await driven.page.getByText('Read the loss.').waitFor();
});

it('goes on to a step that the address names later, and stops there', async () => {
  const driven = await site({ hash: `${RUN}&stop=50`, state: '' });
  await driven.reach('paused');
  expect(await driven.step()).toBe(50);
  await driven.page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `${RUN}&stop=${String(STEP)}`,
  );
  await expect.poll(() => driven.step()).toBe(STEP);
  await driven.reach('paused');
});
