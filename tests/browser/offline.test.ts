/** The site without a network, once it was opened; and never an old version beside a new one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from './driver.ts';
import { dist } from './harness.ts';
import { html, startHost } from './hosts.ts';
import type { Host } from './hosts.ts';
import { usePages } from './sites.ts';

const pages = usePages();
let host: Host;

/** The site on a host of its own, opened until it is kept for later. */
async function openKept() {
  host = await startHost();
  pages.closing({ close: () => host.close().catch(() => undefined) });
  const watched = await pages.page({ serviceWorkers: 'allow' });
  const { page } = watched;
  await page.goto(`${host.url}site/index.html`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  return watched;
}

describe('the installed site', () => {
  it('opens, changes its text and trains with no server left', async () => {
    const { page, breaks } = await openKept();
    await host.close();
    breaks(/ERR_CONNECTION_REFUSED|ERR_FAILED/);
    await page.reload();
    await page.getByRole('radio', { name: 'Moby-Dick' }).check();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await eventually(
      async () => Number((await page.locator('[data-part=loss]').textContent()) ?? 'NaN'),
      (loss) => loss < 5,
    );
  });

  it('opens the pages of the documentation that were read before', async () => {
    const { page, breaks } = await openKept();
    const docs = `${host.url}site/docs/en/`;
    await page.goto(`${docs}kv-cache.html`);
    await page.goto(`${docs}index.html`);
    await host.close();
    breaks(/ERR_CONNECTION_REFUSED|ERR_FAILED/);
    await page.goto(`${docs}kv-cache.html#top`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(docs);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect(page.goto(`${docs}tokenizers.html`)).rejects.toThrow();
  });

  it('shows a new version at the next load', async () => {
    const { page } = await openKept();
    const index = readFileSync(join(dist, 'index.html'), 'utf8');
    host.put('/site/index.html', index.replace('</footer>', '<p>A newer page</p></footer>'));
    await page.reload();
    await page.getByText('A newer page').waitFor();
  });

  it('can be installed', async () => {
    const { page } = await openKept();
    const session = await page.context().newCDPSession(page);
    const { url, errors } = await session.send('Page.getAppManifest');
    expect(url).toContain('manifest.webmanifest');
    expect(errors).toEqual([]);
  });

  it('has an icon of every size that its manifest states, one of them to be cut to any shape', async () => {
    const { page } = await openKept();
    interface Manifest {
      readonly icons: readonly {
        readonly src: string;
        readonly sizes: string;
        readonly purpose: string;
      }[];
    }
    const file = readFileSync(join(dist, 'manifest.webmanifest'), 'utf8');
    const { icons } = JSON.parse(file) as Manifest;
    const drawn = await page.evaluate(
      (all) =>
        Promise.all(
          all.map(async ({ src }) => {
            const response = await fetch(new URL(src, document.baseURI));
            const image = new Image();
            image.src = response.url;
            await image.decode();
            const { naturalWidth: width, naturalHeight: height } = image;
            const context = new OffscreenCanvas(width, height).getContext('2d')!;
            context.drawImage(image, 0, 0);
            const at = (x: number, y: number): number => context.getImageData(x, y, 1, 1).data[3]!;
            return {
              type: response.headers.get('Content-Type'),
              size: `${String(width)}x${String(height)}`,
              corner: at(0, 0),
              // Left of the middle, where the leaf is.
              leaf: at(Math.round(width * 0.4), Math.round(height * 0.6)),
            };
          }),
        ),
      icons.filter(({ sizes }) => sizes !== 'any'),
    );
    const stated = icons.filter(({ sizes }) => sizes !== 'any');
    expect(drawn).toEqual(
      stated.map(({ sizes, purpose }) => ({
        type: 'image/png',
        size: sizes,
        // A maskable icon fills its square; the others have the shape of the house.
        corner: purpose === 'maskable' ? 255 : 0,
        leaf: 255,
      })),
    );
    expect(stated.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
      '192x192 any',
      '512x512 any',
      '512x512 maskable',
    ]);
  });

  it('leaves the store of another copy on the same origin alone', async () => {
    const { page } = await openKept();
    const stores = (): Promise<string[]> => page.evaluate(() => caches.keys());
    const [first] = await stores();
    await page.goto(`${host.url}other/index.html`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await expect.poll(async () => (await stores()).length).toBe(2);
    expect(await stores()).toContain(first);
    // Also once the second has taken over.
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state))
      .toBe('activated');
    expect(await stores()).toHaveLength(2);
  });

  it('is not kept by a frame in somebody else’s page', async () => {
    host = await startHost();
    pages.closing(host);
    host.put('/week.html', html('<iframe src="/site/embed.html"></iframe>'));
    const { page } = await pages.page({ serviceWorkers: 'allow' });
    await page.goto(`${host.url}week.html`);
    await page
      .frameLocator('iframe')
      .locator('#run[data-state=ready]')
      .waitFor({ state: 'attached' });
    const kept = await page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
    );
    expect(kept).toEqual([]);
  });
});
