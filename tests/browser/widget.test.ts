/**
 * Tests the single-file builds: the widget in a notebook-like loader, and the page opened from
 * disk. Hosts that cannot run here (Colab, VS Code, marimo) use the same loader. Training under
 * host policies is tested in homes-engines.test.ts.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { LOADER } from './anywidget-loader.ts';
import { eventually } from './driver.ts';
import { dist } from './harness.ts';
import type { WatchedPage } from './harness.ts';
import { useVisits } from './hosts.ts';
import { usePages } from './sites.ts';

const visits = useVisits();
const pages = usePages();

interface Notebook {
  model: {
    traits: Record<string, unknown>;
    saved: Record<string, unknown>[];
    listeners: Record<string, unknown[]>;
    set: (name: string, value: unknown) => void;
  };
  clean: () => void;
}

/** Opens a notebook with a cell that shows the widget with these traits. */
function openNotebook(
  traits: Record<string, unknown>,
  { from = 'address', before = '' }: { from?: 'address' | 'text'; before?: string } = {},
): Promise<WatchedPage> {
  const source =
    from === 'address'
      ? `${visits.host.url}site/embed/widget.mjs`
      : readFileSync(join(dist, 'embed/widget.mjs'), 'utf8');
  visits.host.put('/loader.js', LOADER);
  visits.host.put('/source.json', JSON.stringify({ source, traits }));
  return visits.visit('<div id="cell"></div>', {
    head: `<script>${before}</script><script type="module">import { load } from './loader.js'; const { source, traits } = await (await fetch('./source.json')).json(); await load(source, traits);</script>`,
  });
}

const reach = (page: Page, state: string): Promise<void> =>
  page.locator(`#run[data-state=${state}]`).waitFor({ state: 'attached' });

describe('the widget', () => {
  it('has everything in one file of less than 420 kB compressed', async () => {
    const { page, requests } = await openNotebook({ autostart: true, settings: { steps: 20 } });
    await reach(page, 'finished');
    const asked = requests
      .filter((url) => url.startsWith('http'))
      .map((url) => new URL(url).pathname);
    const ours = asked.filter((path) => path.startsWith('/site/'));
    expect(ours).toEqual(['/site/embed/widget.mjs']);
    expect(gzipSync(readFileSync(join(dist, 'embed/widget.mjs'))).length).toBeLessThan(420_000);
  });

  it('works from the text that a kernel sends, and reports to its model', async () => {
    const { page } = await openNotebook(
      {
        ...{ text: 'anna\nbob\nclara\n', settings: { steps: 20, layers: 1 }, show: ['loss'] },
        ...{ state: '', step: 0, loss: null },
      },
      { from: 'text' },
    );
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const traits = await eventually(
      () => page.evaluate(() => (window as unknown as Notebook).model.saved.at(-1) ?? {}),
      (saved) => saved['state'] === 'finished',
    );
    expect(traits['step']).toBe(20);
    expect(traits['loss']).toBeGreaterThan(0);
  });

  it('follows its model and takes itself away with nothing left', async () => {
    const { page } = await openNotebook({ text: 'anna\nbob\n', show: ['text'] });
    const field = page.getByRole('textbox', { name: 'The text to learn' });
    await expect.poll(() => field.inputValue()).toBe('anna\nbob\n');
    await page.evaluate(() => {
      (window as unknown as Notebook).model.set('text', 'cat\ndog\n');
    });
    await expect.poll(() => field.inputValue()).toBe('cat\ndog\n');
    await page.evaluate(() => {
      (window as unknown as Notebook).clean();
    });
    await expect.poll(() => page.locator('#cell').innerHTML()).toBe('');
    const left = await page.evaluate(() =>
      Object.values((window as unknown as Notebook).model.listeners).flat(),
    );
    expect(left).toEqual([]);
    await expect.poll(() => page.workers().length).toBe(0);
  });

  it('takes itself away where a host cannot take listeners back', async () => {
    const { page } = await openNotebook({ text: 'anna\nbob\n', show: ['text'] });
    await page.getByRole('textbox', { name: 'The text to learn' }).waitFor();
    await page.evaluate(() => {
      const { model, clean } = window as unknown as Notebook;
      Object.assign(model, {
        off: () => {
          throw new Error('off takes a name only');
        },
      });
      clean();
    });
    await expect.poll(() => page.locator('#cell').innerHTML()).toBe('');
  });

  it('ends its worker, too, when it is taken away while the engine is coming up', async () => {
    const { page } = await openNotebook(
      { text: 'anna\nbob\n' },
      {
        before: `const post = Worker.prototype.postMessage;
          Worker.prototype.postMessage = function (...what) {
            post.apply(this, what);
            if (window.asked) return;
            window.asked = true;
            window.clean();
          };`,
      },
    );
    await page.waitForFunction(() => (window as unknown as { asked?: boolean }).asked);
    await expect.poll(() => page.locator('#cell').innerHTML()).toBe('');
    await expect.poll(() => page.workers().length).toBe(0);
  });
});

describe('the page on a disk', () => {
  it('opens by double-click and trains, with nothing beside it and no connection', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'glasshouse-'));
    try {
      copyFileSync(join(dist, 'embed/glasshouse.html'), join(folder, 'Glasshouse.html'));
      const { page, requests } = await pages.page({ offline: true });
      await page.goto(`${pathToFileURL(join(folder, 'Glasshouse.html')).href}#steps=20`);
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await reach(page, 'finished');
      // Two workers: of the run, and of the verdict on its texts.
      await page
        .locator('#samples .newest-note')
        .getByText(/new|from your text/)
        .waitFor();
      expect(page.workers().length).toBe(2);
      await page.getByRole('radio', { name: 'Moby-Dick' }).check();
      await expect
        .poll(() => page.getByRole('textbox', { name: 'The text to learn' }).inputValue())
        .toContain('Ishmael');
      expect(requests.filter((url) => !/^(file|blob|data):/.test(url))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has the longer sample texts from beside itself, where it has an address', async () => {
    const { page } = await openNotebook({ sample: 'tang', show: ['text'] });
    await reach(page, 'ready');
    await expect.poll(() => page.getByRole('radio', { name: 'Tang' }).isChecked()).toBe(true);
    await expect
      .poll(() => page.getByRole('textbox', { name: 'The text to learn' }).inputValue())
      .toContain('春');
  });
});
