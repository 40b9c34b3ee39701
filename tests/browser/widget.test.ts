/**
 * The single files: the widget, loaded as notebooks and books load one, and the page that opens
 * from a disk. Hosts that cannot run here (Colab, VS Code, marimo) use the same loader.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOADER } from './anywidget-loader.ts';
import { eventually } from './driver.ts';
import { dist } from './harness.ts';
import type { WatchedPage } from './harness.ts';
import { html, startHost } from './hosts.ts';
import type { Headers, Host } from './hosts.ts';
import { usePages } from './sites.ts';

const pages = usePages();
let host: Host;

beforeAll(async () => {
  host = await startHost();
});

afterAll(async () => {
  await host.close();
});

interface Notebook {
  model: {
    traits: Record<string, unknown>;
    saved: Record<string, unknown>[];
    listeners: Record<string, unknown[]>;
    set: (name: string, value: unknown) => void;
  };
  clean: () => void;
}

/** A notebook whose cell shows the widget with these traits. */
async function openNotebook(
  traits: Record<string, unknown>,
  {
    from = 'address',
    headers = {},
    before,
  }: {
    from?: 'address' | 'text';
    headers?: Headers;
    /** Runs in the page ahead of its scripts. */
    before?: () => void;
  } = {},
): Promise<WatchedPage> {
  const source =
    from === 'address'
      ? `${host.url}site/embed/widget.mjs`
      : readFileSync(join(dist, 'embed/widget.mjs'), 'utf8');
  host.put('/loader.js', LOADER);
  host.put('/source.json', JSON.stringify({ source, traits }));
  host.put(
    '/notebook.html',
    html(
      '<div id="cell"></div>',
      `<script type="module">import { load } from './loader.js'; const { source, traits } = await (await fetch('./source.json')).json(); await load(source, traits);</script>`,
    ),
    headers,
  );
  const watched = await pages.page();
  if (before !== undefined) await watched.page.addInitScript(before);
  await watched.page.goto(`${host.url}notebook.html`);
  return watched;
}

async function seeLossFall(page: Page): Promise<void> {
  await eventually(
    async () => Number((await page.locator('[data-part=loss]').textContent()) ?? 'NaN'),
    (loss) => loss < 2.75,
  );
}

describe('the widget', () => {
  it('has everything in one file of less than 388 kB compressed', async () => {
    const { page, requests } = await openNotebook({ autostart: true });
    await seeLossFall(page);
    const asked = requests
      .filter((url) => url.startsWith('http'))
      .map((url) => new URL(url).pathname);
    const ours = asked.filter((path) => path.startsWith('/site/'));
    expect(ours).toEqual(['/site/embed/widget.mjs']);
    expect(gzipSync(readFileSync(join(dist, 'embed/widget.mjs'))).length).toBeLessThan(388_000);
  });

  it('works from the text that a kernel sends, and reports to its model', async () => {
    const { page, problems } = await openNotebook(
      {
        text: 'anna\nbob\nclara\n',
        settings: { steps: 60, layers: 1 },
        state: '',
        step: 0,
        loss: null,
      },
      { from: 'text' },
    );
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const traits = await eventually(
      () => page.evaluate(() => (window as unknown as Notebook).model.saved.at(-1) ?? {}),
      (saved) => saved['state'] === 'finished',
    );
    expect(traits['step']).toBe(60);
    expect(traits['loss']).toBeGreaterThan(0);
    expect(problems.filter((problem) => !problem.includes('favicon'))).toEqual([]);
  });

  it('follows its model and takes itself away with nothing left', async () => {
    const { page } = await openNotebook({ text: 'anna\nbob\n', steps: undefined });
    const field = page.getByRole('textbox', { name: 'The text to learn' });
    await eventually(
      () => field.inputValue(),
      (value) => value === 'anna\nbob\n',
    );
    await page.evaluate(() => {
      (window as unknown as Notebook).model.set('text', 'cat\ndog\n');
    });
    await eventually(
      () => field.inputValue(),
      (value) => value === 'cat\ndog\n',
    );
    await page.evaluate(() => {
      (window as unknown as Notebook).clean();
    });
    await expect.poll(() => page.locator('#cell').innerHTML()).toBe('');
    const left = await page.evaluate(() =>
      Object.values((window as unknown as Notebook).model.listeners).flat(),
    );
    expect(left).toEqual([]);
    await eventually(
      () => Promise.resolve(page.workers().length),
      (count) => count === 0,
    );
  });

  it('ends its worker, too, when it is taken away while the engine is coming up', async () => {
    const { page } = await openNotebook(
      { text: 'anna\nbob\n' },
      {
        before: () => {
          const home = window as unknown as Notebook & { asked: boolean };
          // eslint-disable-next-line @typescript-eslint/unbound-method -- called on the worker below
          const post = Worker.prototype.postMessage as (...what: unknown[]) => void;
          Worker.prototype.postMessage = function (this: Worker, ...what: unknown[]) {
            post.apply(this, what);
            if (home.asked) return;
            home.asked = true;
            home.clean();
          };
        },
      },
    );
    await page.waitForFunction(() => (window as unknown as { asked?: boolean }).asked);
    await expect.poll(() => page.locator('#cell').innerHTML()).toBe('');
    await eventually(
      () => Promise.resolve(page.workers().length),
      (count) => count === 0,
    );
  });

  it('trains in slices of the page where a policy refuses its worker', async () => {
    const { page, breaks } = await openNotebook(
      { autostart: true },
      {
        headers: {
          'Content-Security-Policy':
            "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; worker-src 'self'",
        },
      },
    );
    breaks(/blob:/);
    await seeLossFall(page);
    expect(page.workers().length).toBe(0);
  });
});

describe('the page on a disk', () => {
  it('opens by double-click and trains, with nothing beside it and no connection', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'glasshouse-'));
    try {
      copyFileSync(join(dist, 'embed/glasshouse.html'), join(folder, 'Glasshouse.html'));
      const watched = await pages.page({ offline: true });
      const { page, problems, requests } = watched;
      await page.goto(pathToFileURL(join(folder, 'Glasshouse.html')).href);
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await seeLossFall(page);
      expect(page.workers().length).toBe(1);
      await page.getByRole('radio', { name: 'Moby-Dick' }).check();
      await eventually(
        () => page.getByRole('textbox', { name: 'The text to learn' }).inputValue(),
        (value) => value.includes('Ishmael'),
      );
      expect(requests.filter((url) => !/^(file|blob|data):/.test(url))).toEqual([]);
      expect(problems).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has the longer sample texts from beside itself, where it has an address', async () => {
    const { page, problems } = await openNotebook({ sample: 'tang', settings: 'steps=30' });
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.locator('#run[data-state=finished]').waitFor({ state: 'attached' });
    await expect.poll(() => page.getByRole('radio', { name: 'Tang' }).isChecked()).toBe(true);
    expect(problems).toEqual([]);
  });
});
