/** Tests the site offline after a visit, and that versions never mix. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dist, openPage, sharedChromium } from './harness.ts';
import type { WatchedPage } from './harness.ts';
import { html, startHost } from './hosts.ts';
import type { Host } from './hosts.ts';

let host: Host;
let watched: WatchedPage;

beforeAll(async () => {
  host = await startHost();
  watched = await openPage(await sharedChromium(), { locale: 'en-US', serviceWorkers: 'allow' });
});

afterAll(async () => {
  await watched.close();
  await host.close();
});

/** Opens the site on its host and waits until the service worker has cached the site. */
async function openKept(copy = 'site'): Promise<Page> {
  await watched.page.goto(`${host.url}${copy}/index.html`);
  await watched.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  return watched.page;
}

/** Runs a function while the host is down. */
async function withoutHost(body: () => Promise<unknown>): Promise<void> {
  watched.breaks(/ERR_CONNECTION_REFUSED|ERR_FAILED/);
  await host.close();
  try {
    await body();
  } finally {
    await host.reopen();
  }
}

describe('the installed site', () => {
  it('opens, changes its text and trains with no server left', async () => {
    const page = await openKept();
    await withoutHost(async () => {
      await page.goto('about:blank');
      await page.goto(`${host.url}site/index.html#steps=20`);
      await page.getByRole('radio', { name: 'Moby-Dick' }).check();
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
      await expect
        .poll(() => page.getByRole('textbox', { name: 'The text to learn' }).inputValue())
        .toContain('Ishmael');
    });
  });

  it('opens the pages of the documentation that were read before', async () => {
    const page = await openKept();
    const docs = `${host.url}site/docs/en/`;
    await page.goto(`${docs}kv-cache.html`);
    await page.goto(`${docs}index.html`);
    await withoutHost(async () => {
      await page.goto(`${docs}kv-cache.html#top`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.goto(docs);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect(page.goto(`${docs}tokenizers.html`)).rejects.toThrow();
      // Chromium's error page would reload by itself.
      await page.waitForURL(/^chrome-error:/);
      await page.goto('about:blank');
    });
  });

  it('shows a new version at the next load', async () => {
    const page = await openKept();
    const index = readFileSync(join(dist, 'index.html'), 'utf8');
    host.put('/site/index.html', index.replace('</footer>', '<p>A newer page</p></footer>'));
    await page.reload();
    await page.getByText('A newer page').waitFor();
    host.put('/site/index.html', index);
  });

  it('can be installed', async () => {
    const page = await openKept();
    const session = await page.context().newCDPSession(page);
    const { url, errors } = await session.send('Page.getAppManifest');
    expect(url).toContain('manifest.webmanifest');
    expect(errors).toEqual([]);
  });

  it('has an icon of every size that its manifest states, one of them to be cut to any shape', async () => {
    const page = await openKept();
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
              // Left of the centre, inside the leaf of the drawing.
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
        // Maskable icons fill the square; the other icons have transparent corners.
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
    const page = await openKept();
    const stores = (): Promise<string[]> => page.evaluate(() => caches.keys());
    const [first] = await stores();
    await openKept('other');
    await expect.poll(async () => (await stores()).length).toBe(2);
    expect(await stores()).toContain(first);
    // The first store must also remain after the second service worker activates.
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state))
      .toBe('activated');
    expect(await stores()).toHaveLength(2);
  });

  it('is not kept by a frame in somebody else’s page', async () => {
    host.put('/week.html', html('<iframe src="/site/embed.html#show=loss"></iframe>'));
    const { page } = watched;
    // The origin localhost, unlike 127.0.0.1, has no service workers from earlier tests.
    await page.goto(`${host.url.replace('127.0.0.1', 'localhost')}week.html`);
    const frame = page.frameLocator('iframe');
    await frame.locator('#run[data-state=ready]').waitFor({ state: 'attached' });
    const kept = await page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
    );
    expect(kept).toEqual([]);
  });
});
