/**
 * The page in every browser engine that is there: it trains, and each engine can be driven alike.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInEngines } from './engines/index.ts';
import type { DrivenPage } from './engines/index.ts';
import { eventually } from './driver.ts';
import { siteUrl } from './harness.ts';

describeInEngines((engine) => {
  let page: DrivenPage;
  beforeAll(async () => {
    page = await engine.launch();
  });
  afterAll(() => page.close());

  test('the page trains at a press of Start, pauses, and takes typed text', async () => {
    await page.goto(siteUrl());
    const inState = (wanted: string): Promise<unknown> =>
      page.waitFor(
        (state) => document.querySelector(`#run[data-state="${state}"]`) !== null,
        wanted,
      );
    await inState('ready');
    await page.fill('textbox', 'Look at this text', 'anna');
    await expect
      .poll(() =>
        page.evaluate(() =>
          Array.from(
            document.querySelectorAll('input, textarea'),
            (field) => (field as HTMLInputElement).value,
          ),
        ),
      )
      .toContain('anna');
    await page.click('button', 'Start');
    await inState('running');
    await page.click('button', 'Pause');
    await inState('paused');
    const picture = await page.screenshot();
    expect(Buffer.from(picture.slice(0, 4)).toString('latin1')).toBe('\x89PNG');
    expect(await page.problems()).toEqual([]);
  });

  test('a click reaches what has only its upper half in the window', async () => {
    await page.goto(siteUrl());
    await page.evaluate(() => {
      const button = document.createElement('button');
      button.textContent = 'At the edge';
      // Its centre is in the window, and the next whole pixel is not.
      button.style.cssText = 'position: absolute; left: 20px; height: 40px; min-height: 0';
      button.addEventListener('click', () => {
        button.dataset.clicked = '';
      });
      document.body.append(button);
      button.style.top = `${String(scrollY + innerHeight - 20.2)}px`;
    });
    await page.click('button', 'At the edge');
    await page.waitFor(() => document.querySelector('button[data-clicked]') !== null);
  });

  test('errors of the console, exceptions and rejections reach the test', async () => {
    await page.goto(siteUrl());
    await page.evaluate(() => {
      console.error('said on purpose');
      setTimeout(() => {
        throw new Error('thrown on purpose');
      }, 0);
    });
    const problems = await eventually(
      async () => (await page.problems()).join('\n'),
      (text) => text.includes('said on purpose') && text.includes('thrown on purpose'),
    );
    expect(problems).not.toContain('rejected');
    await expect(
      page.evaluate(() => Promise.reject(new Error('rejected on purpose'))),
    ).rejects.toThrow(/rejected on purpose/);
  });
});
