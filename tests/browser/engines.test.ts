/**
 * Short end-to-end tests of every form of the page, and of equal bits, in Firefox and WebKitGTK; in
 * the long run also in Chromium. Details are tested in Chromium by the other files.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runInNode } from '../bits/reference.ts';
import { isLong } from '../long.ts';
import { bitsIn, serveBits, sharesMemory } from './bits-page.ts';
import { describeInEngines, engines, firefox, webkit } from './engines/index.ts';
import type { DrivenPage } from './engines/index.ts';
import { eventually } from './driver.ts';
import { dist, siteUrl } from './harness.ts';
import { HOMES, LOSS_OF_SEVEN, lossOfSeven, startHomes } from './homes.ts';
import type { Home, Homes } from './homes.ts';

let homes: Homes;
beforeAll(async () => {
  homes = await startHomes();
});
afterAll(() => homes.close());

describeInEngines(
  (engine) => {
    let page: DrivenPage;
    beforeAll(async () => {
      page = await engine.launch();
    });
    afterAll(() => page.close());

    /** Waits for a state of the run; a new browser starts slowly on a busy machine. */
    const inState = (wanted: string): Promise<unknown> =>
      eventually(
        () =>
          page.evaluate(
            (state) => document.querySelector(`#run[data-state="${state}"]`) !== null,
            wanted,
          ),
        Boolean,
        60_000,
      );
    const textOf = (selector: string): Promise<string> =>
      page.evaluate(
        (where) => document.querySelector<HTMLElement>(where)?.innerText ?? '',
        selector,
      );
    const lookBackAt = (): Promise<string | null | undefined> =>
      page.evaluate(() =>
        document.querySelector('#run input[type=range]')?.getAttribute('aria-valuetext'),
      );

    test('the page trains, saves a checkpoint, looks back, and opens the checkpoint that is dropped', async () => {
      await page.goto(siteUrl('?1#text=names&steps=40&channels=16'));
      await inState('ready');
      await page.fill('textbox', 'Look at this text', 'anna');
      await page.click('button', 'Start');
      await inState('finished');
      const colours = (): Promise<number> =>
        page.evaluate(() => {
          const map = document.querySelector<HTMLCanvasElement>('#attention .attention-canvas');
          const pixels = map?.getContext('2d')?.getImageData(0, 0, map.width, map.height).data;
          return new Set(new Uint32Array(pixels?.buffer ?? new ArrayBuffer(0))).size;
        });
      await expect.poll(colours).toBeGreaterThan(3);
      // WebKitGTK has no shared memory, and a single core has no second thread.
      const threads = engine === webkit || availableParallelism() === 1 ? 'one thread' : 'threads';
      await expect.poll(() => textOf('#place-note')).toContain(threads);
      await page.click('button', 'Open or save a model');
      await page.click('button', 'Checkpoint');
      const checkpoint = await page.saved('.safetensors');
      await expect.poll(lookBackAt).toBe('step 40');
      await page.focus('slider', 'Look back');
      await page.press('Home');
      await expect.poll(lookBackAt).toBe('step 0');
      expect(await page.problems()).toEqual([]);

      await page.goto(siteUrl('?2#text=tang'));
      await inState('ready');
      await page.evaluate((base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], 'names.safetensors'));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
      }, checkpoint.toString('base64'));
      await expect.poll(() => textOf('#run [data-part=step]')).toBe('40 / 40');
      expect(await page.problems()).toEqual([]);
    }, 180_000);

    test.each([
      'a frame in a sandbox that allows nothing but scripts',
      'an element from another origin',
      'a widget, from the text that a kernel sends',
    ] as const)('%s trains to the losses of the first lesson', async (name) => {
      const make: (at: Homes) => Home = HOMES[name];
      const home = make(homes);
      await homes.visit(page, home);
      expect(await lossOfSeven(page)).toEqual({
        loss: LOSS_OF_SEVEN,
        place: home.placeIn?.[engine.name] ?? home.place,
      });
    });

    test('the page on a disk trains, with nothing beside it', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'glasshouse-'));
      try {
        const file = join(folder, 'Glasshouse.html');
        copyFileSync(join(dist, 'embed/glasshouse.html'), file);
        await page.goto(`${pathToFileURL(file).href}#steps=20`);
        await page.click('button', 'Start');
        await inState('finished');
        expect(await textOf('#run [data-part=step]')).toBe('20 / 20');
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    test('every recipe has the bits of Node, with three threads where memory can be shared', async () => {
      const server = await serveBits();
      try {
        await page.goto(`${server.url}bits`);
        const shares = await sharesMemory(page);
        expect(shares).toBe(engine !== webkit);
        expect(await bitsIn(page, shares ? 3 : 1)).toEqual(await runInNode('wasm', 1));
      } finally {
        await server.close();
      }
    }, 180_000);

    describe('its driver', () => {
      beforeAll(async () => {
        homes.host.put(
          '/blank.html',
          '<!doctype html><title>blank</title><div style="height: 5000px">',
        );
        await page.goto(`${homes.host.url}blank.html`);
      });

      test('clicks what has only its upper half in the window', async () => {
        await page.evaluate(() => {
          const button = document.createElement('button');
          button.textContent = 'At the edge';
          // Its centre is inside the window, but the next whole pixel is outside.
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

      test('tells of errors of the console, exceptions and rejections', async () => {
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
  },
  isLong ? engines : [firefox, webkit],
);
