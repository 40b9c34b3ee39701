/** Every step of a run can be shown, in all views of the run. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { eventually } from '../browser/driver.ts';
import { useComponents } from './mount.ts';
import type { Component, MountOptions } from './mount.ts';
import { inSandbox, MAY_BE_DROPPED } from './sandbox.ts';

const mount = useComponents();
/** A step without a stored sample. */
const STEP = 37;

const stampOf = (page: Page) => page.locator('#samples li').first().locator('.stamp');
const past = (page: Page) => page.locator('#past');
const SHOWN = ['past', 'samples', 'loss', 'ask', 'attention'];

/** Mounts a whole run of 60 steps. */
const whole = (options: MountOptions = {}, ids: readonly string[] = SHOWN): Promise<Component> =>
  mount(ids, 'held', { step: 60, ...options });

async function lookAt({ page, lookBack }: Component, step: number): Promise<void> {
  await lookBack.fill(String(step));
  await expect.poll(() => stampOf(page).textContent()).toBe(`step ${String(step)}`);
}

it('shows another text at a step that was looked at before the text was changed', async () => {
  const driven = await whole();
  const { page, lookBack, probe } = driven;
  await lookAt(driven, STEP);
  await lookBack.press('End');
  await expect.poll(() => stampOf(page).textContent()).toBe('step 60');
  await probe.fill('ab');
  await eventually(
    async () => (await page.locator('#attention .attention-canvas').boundingBox())?.width ?? NaN,
    (width) => width < 350,
  );
  await lookBack.fill(String(STEP));
  const title = page.locator('#attention h3').filter({ hasText: `at step ${String(STEP)}` });
  await title.waitFor();
});

it('is a panel that a lesson can name, from which to train on without the settings', async () => {
  const lesson = 'show=past,samples';
  const driven = await whole({ lesson }, ['page']);
  await lookAt(driven, STEP);
  await past(driven.page)
    .getByText(`The whole page shows step ${String(STEP)}`)
    .waitFor();
  await driven.page.getByRole('button', { name: 'Train on from here…' }).waitFor();
});

it('tells of a long way, and stops at the nearest kept step when asked', async () => {
  const driven = await whole();
  const { page, lookBack, hold } = driven;
  await page.evaluate(() => {
    window.stage.trainers!.control.stride = 10;
  });
  await hold('goBack');
  await lookBack.fill('37');
  await past(page).getByText('Computing step 37 again: 1 of 7 steps done').waitFor();
  await past(page).getByRole('button', { name: 'Stop at step 30' }).click();
  await expect.poll(() => driven.step()).toBe(30);
  await past(page).getByText('The whole page shows step 30').waitFor();
});

it('goes by arrow keys to the next step, by page keys a twentieth of the run, and back to now', async () => {
  const driven = await whole();
  const { page, lookBack } = driven;
  await lookBack.focus();
  for (const [key, step] of [
    ['ArrowLeft', 59],
    ['ArrowLeft', 58],
    ['PageDown', 55],
    ['Home', 0],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => stampOf(page).textContent()).toBe(`step ${String(step)}`);
  }
  await past(page).getByText('The whole page shows step').waitFor();
  await page.getByRole('button', { name: 'Back to now' }).click();
  await expect.poll(() => driven.step()).toBe(60);
  await expect.poll(() => stampOf(page).textContent()).toBe('step 60');
});

it('looks at the step of the curve that is pressed, and asks the model of then the same again', async () => {
  const driven = await whole({ hash: 'prompt=an' }, ['page']);
  const { page } = driven;
  await page.getByRole('button', { name: 'Write', exact: true }).click();
  await page.locator('#ask').getByText('step 60').waitFor();
  const curve = page.locator('.loss-plot .u-over');
  await curve.scrollIntoViewIfNeeded();
  const { width } = (await curve.boundingBox())!;
  await curve.click({ position: { x: width / 3, y: 20 } });
  await expect.poll(() => driven.step()).toBeLessThan(30);
  const step = String(await driven.step());
  await page.locator('#ask').getByText(`step ${step}`).first().waitFor();
});

it('plays the run from its beginning to now', async () => {
  const driven = await whole();
  await lookAt(driven, 0);
  await driven.page.evaluate(() => {
    const steps: string[] = [];
    Object.assign(window, { steps });
    const shown = document.querySelector('#run [data-part=step]')!;
    new MutationObserver(() => steps.push(shown.textContent)).observe(shown, {
      ...{ characterData: true, childList: true, subtree: true },
    });
  });
  await driven.page.getByRole('button', { name: 'Play the run' }).click();
  await expect.poll(() => driven.step()).toBe(60);
  const steps = await driven.page.evaluate(() =>
    (window as unknown as { steps: string[] }).steps.map((text) => parseInt(text, 10)),
  );
  expect(steps.length).toBeGreaterThan(4);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
});

it('plays, films and leaves the run from buttons beside the slider, also from its newest step', async () => {
  const driven = await mount(SHOWN, 'held');
  const { page } = driven;
  const beside = page.locator('#run .timeline').getByRole('button');
  expect(await beside.count()).toBe(0);
  await driven.train(40);
  const names = () => beside.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  await expect.poll(names).toEqual(['Play the run', 'Save as film', 'Train on from here…']);
  await beside.nth(0).click();
  await expect.poll(() => stampOf(page).textContent()).toBe('step 0');
  await expect.poll(() => driven.step()).toBe(40);
  await beside.last().click();
  const form = past(page).locator('form');
  const go = form.getByRole('button', { name: 'Train on' });
  // The fields show the values of the run once they are known.
  await expect.poll(() => go.isEnabled()).toBe(true);
  await form.getByRole('textbox', { name: 'Learning rate' }).fill('0.002');
  await go.click();
  await expect.poll(() => page.locator('#loss .legend').innerText()).toContain('Run 1');
  await expect.poll(() => driven.step()).toBeGreaterThan(40);
});

it('stays at the step that is looked at while the run trains on', async () => {
  const driven = await mount(SHOWN, 'held', { stepwise: true });
  const { page } = driven;
  await driven.start.click();
  await driven.reach('running');
  await driven.advance(50);
  await lookAt(driven, STEP);
  const text = await page.locator('#samples li').first().locator('div').textContent();
  const loss = page.locator('[data-part=loss-summary]');
  await expect.poll(() => loss.textContent()).toContain('50');
  await driven.advance(55);
  await expect.poll(() => loss.textContent()).toContain('55');
  expect(await page.locator('#samples li').first().locator('div').textContent()).toBe(text);
  expect(await driven.step()).toBe(STEP);
});

it('begins anew for a run that is rewound', async () => {
  const driven = await whole();
  await lookAt(driven, STEP);
  await driven.rewind.click();
  await driven.reach('ready');
  await expect.poll(() => past(driven.page).isVisible()).toBe(false);
  await driven.train();
  await lookAt(driven, STEP);
});

/** The beginning of a film by Firefox, which leaves its Duration 0, and where that number is. */
const FIREFOX_HEAD = Buffer.from(
  '1a45dfa3010000000000001f4286810142f7810142f2810442f381084282847765626d42878102428581021853806701ffffffffffffff114d9b7401000000000000001549a96601000000000000492ad7b1830f42404489880000000000000000',
  'hex',
);
const DURATION = FIREFOX_HEAD.length - 8;

it('saves its film as a video with its length where the browser records WebM', async () => {
  const driven = await whole();
  await driven.page.evaluate(
    (head) => {
      const Whole = MediaRecorder;
      window.MediaRecorder = class extends Whole {
        static override isTypeSupported(type: string): boolean {
          return type.includes('webm') && super.isTypeSupported(type);
        }
        override addEventListener(type: string, heard: never): void {
          const listener = heard as (event: Event) => void;
          super.addEventListener(type, (event) => {
            const begun = (): Blob => new Blob([new Uint8Array(head), (event as BlobEvent).data]);
            listener(type === 'dataavailable' ? new BlobEvent(type, { data: begun() }) : event);
          });
        }
      };
      const restore = (): void => {
        window.MediaRecorder = Whole;
      };
      Object.assign(window, { restore });
    },
    [...FIREFOX_HEAD],
  );
  const { page } = driven;
  await lookAt(driven, 5);
  const leave = await inSandbox(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as film' }).click(),
  ]);
  await past(page).getByText(`Saved: ${file.suggestedFilename()}`).waitFor();
  await past(page).getByText(MAY_BE_DROPPED).waitFor();
  await leave();
  await page.evaluate(() => {
    (window as unknown as { restore: () => void }).restore();
  });
  expect(file.suggestedFilename()).toMatch(/film-.*-step-60\.webm$/);
  const bytes = readFileSync(await file.path());
  expect([...bytes.subarray(0, 4)]).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
  expect(bytes.length).toBeGreaterThan(20_000);
  expect(bytes.readDoubleBE(DURATION)).toBeGreaterThan(5000);
});

it('says that the browser can record no film, where it cannot', async () => {
  const driven = await whole();
  const { page } = driven;
  await page.evaluate(() => {
    const Whole = MediaRecorder;
    Reflect.deleteProperty(window, 'MediaRecorder');
    const restore = (): void => {
      window.MediaRecorder = Whole;
    };
    Object.assign(window, { restore });
  });
  await lookAt(driven, 5);
  await page.getByRole('button', { name: 'Save as film' }).click();
  await past(page).getByText('This browser cannot record a film.').waitFor();
  await page.evaluate(() => {
    (window as unknown as { restore: () => void }).restore();
  });
});

/** Saves the film without its pauses; returns all texts drawn in it. */
async function textsOfFilm({ page }: Component, meanwhile = async () => {}): Promise<string[]> {
  await page.evaluate(() => {
    const drawn: string[] = [];
    const { prototype } = CanvasRenderingContext2D;
    const fill = Object.getOwnPropertyDescriptor(prototype, 'fillText')!;
    const wait = window.setTimeout.bind(window);
    window.setTimeout = ((then: () => void, time: number) =>
      wait(then, time === 125 ? 0 : time)) as typeof setTimeout;
    prototype.fillText = function (this: CanvasRenderingContext2D, text, ...place) {
      if (!this.canvas.isConnected) drawn.push(text);
      (fill.value as CanvasRenderingContext2D['fillText']).call(this, text, ...place);
    };
    const restore = (): void => {
      Object.defineProperty(prototype, 'fillText', fill);
      window.setTimeout = wait;
    };
    Object.assign(window, { drawn, restore });
  });
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as film' }).click();
  await meanwhile();
  const file = await coming;
  // Some builds of Chromium lack H.264.
  const isMp4 = await page.evaluate(() =>
    MediaRecorder.isTypeSupported('video/mp4;codecs=avc1.42E01F'),
  );
  expect(file.suggestedFilename()).toMatch(isMp4 ? /-step-60\.mp4$/ : /-step-60\.webm$/);
  const bytes = readFileSync(await file.path());
  expect(bytes.subarray(4, 8).toString() === 'ftyp').toBe(isMp4);
  return page.evaluate(() => {
    const { drawn, restore } = window as unknown as { drawn: string[]; restore: () => void };
    restore();
    return drawn;
  });
}

it('makes its film of whole texts, though another text is stopped meanwhile', async () => {
  const driven = await whole();
  const { page, hold } = driven;
  await lookAt(driven, 5);
  const undisturbed = await textsOfFilm(driven);
  expect(undisturbed.length).toBeGreaterThan(48);
  await driven.rest();
  await hold('sample');
  const disturbed = await textsOfFilm(driven, async () => {
    await page.getByRole('button', { name: 'Back to now' }).click();
    await expect.poll(() => driven.step()).toBe(60);
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    // Stop reaches every engine of the page and releases the held answers.
    await page.locator('#ask').getByRole('button', { name: 'Stop', exact: true }).click();
    await page.locator('#ask').getByText('Stopped.').waitFor();
  });
  expect(disturbed).toEqual(undisturbed);
});

it('waits with the recording of its film as long as nobody sees the tab, goes on in another language, and gives it up with a press', async () => {
  const driven = await mount('page', 'held', { step: 60 });
  const { page } = driven;
  await lookAt(driven, 5);
  const sees = (seen: boolean): Promise<void> =>
    page.evaluate((now) => {
      if (now) Reflect.deleteProperty(document, 'hidden');
      else Object.defineProperty(document, 'hidden', { configurable: true, value: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, seen);
  await page.evaluate(() => {
    const Whole = MediaRecorder;
    window.MediaRecorder = class extends Whole {
      override start(): void {
        window.MediaRecorder = Whole;
        Object.assign(window, { recorder: this });
        super.start();
      }
    };
  });
  const recorder = (): Promise<string> =>
    page.evaluate(() => (window as { recorder?: MediaRecorder }).recorder?.state ?? '');
  await sees(false);
  await page.getByRole('button', { name: 'Save as film' }).click();
  await expect.poll(recorder).toBe('paused');
  await page.getByRole('button', { name: /^Cancel the film/ }).waitFor();
  await page.locator('#lang').selectOption('zh');
  const stop = page.getByRole('button', { name: /^停止制作/ });
  await stop.waitFor();
  await sees(true);
  await expect.poll(recorder).toBe('recording');
  await stop.click();
  await page.getByRole('button', { name: '存成短片' }).waitFor();
});

it('looks back at a run that diverged, up to the step before', async () => {
  const driven = await mount(SHOWN, 'diverged', { step: 60 });
  const { page, lookBack } = driven;
  await driven.reach('diverged');
  const last = await driven.step();
  expect(last).toBeGreaterThan(0);
  await lookBack.focus();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => driven.step()).toBe(last - 1);
  await expect.poll(() => stampOf(page).textContent()).toBe(`step ${String(last - 1)}`);
});

it.each([
  ['by the slider', 50, '50'],
  ['by “Now”', 60, null],
] as const)('stops playing as soon as somebody chooses a step, %s', async (_, step, value) => {
  const driven = await whole();
  const { page, lookBack } = driven;
  await lookAt(driven, 3);
  await page.getByRole('button', { name: 'Play the run' }).click();
  await page.getByRole('button', { name: 'Stop playing' }).waitFor();
  if (value === null) await lookBack.press('End');
  else await lookBack.fill(value);
  await expect.poll(() => driven.step()).toBe(step);
  await expect.poll(() => page.getByRole('button', { name: 'Stop playing' }).count()).toBe(0);
  await lookAt(driven, 59);
  await expect.poll(() => driven.step()).toBe(59);
});

it('asks for a fork with what the run had at that step, and forgets the form with the run', async () => {
  const driven = await mount([...SHOWN, 'settings'], 'held', { step: 40 });
  const { page, lookBack } = driven;
  const rate = page
    .locator('#settings')
    .getByRole('textbox', { name: /^Learning rate/ })
    .first();
  const asked = past(page).getByRole('textbox', { name: 'Learning rate' });
  const go = past(page).getByRole('button', { name: 'Train on', exact: true });
  const open = page.getByRole('button', { name: 'Train on from here…' });
  await lookBack.fill('30');
  await open.click();
  await expect.poll(() => go.isEnabled()).toBe(true);
  const before = await asked.inputValue();
  expect(before).not.toBe('0.05');
  // Continues the run with another learning rate while the form is open.
  await rate.fill('0.05');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await driven.reach('finished');
  await expect.poll(() => go.isEnabled()).toBe(true);
  expect(await asked.inputValue()).toBe(before);
  await lookBack.fill('50');
  await expect.poll(() => asked.inputValue()).toBe('0.05');
  // The new run uses the new rate from step 1.
  await driven.rewind.click();
  await driven.train();
  await lookBack.fill('30');
  await open.waitFor();
  expect(await asked.count()).toBe(0);
  await open.click();
  await expect.poll(() => asked.inputValue()).toBe('0.05');
});

it('asks for a change, and for more steps than were done, before a run leaves', async () => {
  const driven = await whole({}, [...SHOWN, 'settings']);
  const { page } = driven;
  await lookAt(driven, STEP);
  await page.getByRole('button', { name: 'Train on from here…' }).click();
  const form = past(page).locator('form');
  const go = form.getByRole('button', { name: 'Train on' });
  await go.click();
  await form.getByText('Change something').waitFor();
  await form.getByRole('textbox', { name: 'Steps' }).fill('20');
  await go.click();
  await form.getByText(`must be more than ${String(STEP)}`).waitFor();
});

it('looks up what is copied in the texts of the step that is looked at', async () => {
  const driven = await whole({}, ['copied', 'samples']);
  await lookAt(driven, STEP);
  const tab = driven.page.locator('.tab-copied');
  await tab.scrollIntoViewIfNeeded();
  await tab.getByText(`texts written at step ${String(STEP)}, `).waitFor();
});

it('says the task of a lesson whose run diverges before the step that it names', async () => {
  const lesson = 'stop=55&autostart=1&task=Read+the+loss.';
  const driven = await mount(['loss'], 'diverged', { lesson, state: '' });
  await driven.reach('diverged');
  await driven.page.getByText('Read the loss.').waitFor();
});

it('stops a run that begins again at the step that a lesson names, and not one that goes on', async () => {
  const lesson = 'stop=20&task=Read+the+loss.';
  const driven = await mount(['loss'], 'names', { lesson, state: '' });
  const { page, start, reach, step, rewind } = driven;
  for (let times = 0; times < 2; times++) {
    if (times > 0) await start.click();
    await reach('paused');
    expect(await step()).toBe(20);
    await page.getByText('Read the loss.').waitFor();
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await reach('finished');
    await rewind.click();
    await reach('ready');
  }
});
