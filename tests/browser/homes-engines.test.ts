/**
 * Tests that each embedded form trains in its host pages, to the same bits. Firefox and WebKitGTK
 * visit all host pages in the long run; engines.test.ts tests one host page per form.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../long.ts';
import { chromium, describeInEngines, engines } from './engines/index.ts';
import type { DrivenPage } from './engines/index.ts';
import { dist } from './harness.ts';
import { HOMES, LOSS_OF_SEVEN, REPEATED, lossOfSeven, startHomes, told } from './homes.ts';
import type { Home, HomeName, Homes } from './homes.ts';

let homes: Homes;
beforeAll(async () => {
  homes = await startHomes();
});
afterAll(() => homes.close());

const NAMES = (Object.keys(HOMES) as readonly HomeName[]).filter(
  (name) => isLong || !REPEATED.includes(name),
);

describeInEngines(
  (engine) => {
    let page: DrivenPage;
    beforeAll(async () => {
      page = await engine.launch();
    });
    afterAll(() => page.close());

    test.each(NAMES)('%s trains to the losses of the first lesson', async (name) => {
      const make: (at: Homes) => Home = HOMES[name];
      const home = make(homes);
      const { breaks, place, placeIn } = home;
      await homes.visit(page, home);
      expect(await lossOfSeven(page)).toEqual({
        loss: LOSS_OF_SEVEN,
        place: placeIn?.[engine.name] ?? place,
      });
      if (engine !== chromium) return;
      // Chromium reports policy violations as problems.
      const problems = await page.problems();
      expect(problems.filter((one) => breaks?.test(one) !== true)).toEqual([]);
      expect(problems.length > 0).toBe(breaks !== undefined);
    });

    describe('hidden at the start', () => {
      test.each(['an element', 'a frame of another site'] as const)(
        '%s trains once it is shown',
        async (name) => {
          const make: (at: Homes) => Home = HOMES[name];
          const home = make(homes);
          await homes.visit(page, { ...home, body: `<div id="fold" hidden>${home.body}</div>` });
          await page.waitFor(
            () =>
              (globalThis as { told?: () => { state: string } | null }).told?.()?.state === 'ready',
          );
          expect((await told(page))?.step).toBe(0);
          await page.evaluate(() => {
            document.getElementById('fold')!.hidden = false;
          });
          expect((await lossOfSeven(page)).loss).toBe(LOSS_OF_SEVEN);
        },
      );
    });

    test('a frame that may load neither style nor script says why it does not train', async () => {
      // WebKit until mid-2026 blocks both in a sandbox whose policy does not list the address.
      homes.host.put('/blocked.html', readFileSync(join(dist, 'embed.html')), {
        'Content-Security-Policy': "script-src 'none'; style-src 'none'",
      });
      const isSaid = async (src: string): Promise<boolean> => {
        await homes.visit(page, { body: `<iframe src="${src}"></iframe>`, tells: 'frame', place: 'page' }); // prettier-ignore
        return page.evaluate(() => {
          const inside = document.querySelector('iframe')!.contentDocument!;
          const sentence = inside.getElementById('sandboxed')!;
          return inside.defaultView!.getComputedStyle(sentence).display !== 'none';
        });
      };
      expect(await isSaid('/blocked.html')).toBe(true);
      expect(await isSaid('/site/embed.html')).toBe(false);
      // Reads the problems because Chromium reports every blocked file.
      await page.problems();
    });
  },
  isLong ? engines : [chromium],
);
