/** Tests that every example of course material trains in a browser with a falling loss. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate } from '@mdx-js/mdx';
import type { Page } from 'playwright-core';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import * as jsxRuntime from 'react/jsx-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DirectTrainer } from '../../web/engine/direct.ts';
import { engineBytes } from '../node/load-engine.ts';
import { LOADER } from './anywidget-loader.ts';
import { eventually } from './driver.ts';
import type { WatchedPage } from './harness.ts';
import { html, startHost, useVisits } from './hosts.ts';
import type { Host } from './hosts.ts';

const root = join(import.meta.dirname, '../..');
const visits = useVisits();
/** Serves the site from another origin than the course. */
let site: Host;

beforeAll(async () => {
  site = await startHost({
    headers: {
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  });
});

afterAll(async () => {
  await site.close();
});

/** Reads an example and replaces the placeholder address by the test site's. */
function example(name: string): string {
  const text = readFileSync(join(root, 'tests/examples', name), 'utf8');
  expect(text).toContain('https://glasshouse.example/');
  return text.replaceAll('https://glasshouse.example/', `${site.url}site/`);
}

/** Returns the text between `begin` and `end`. */
function part(text: string, begin: string, end: string): string {
  const from = text.indexOf(begin);
  expect(from).toBeGreaterThanOrEqual(0);
  const to = text.indexOf(end, from + begin.length);
  return text.slice(from + begin.length, to);
}

function visit(page: string): Promise<WatchedPage> {
  visits.host.put('/course/page.html', page);
  return visits.goto(`${visits.host.url}course/page.html`);
}

/** Returns a page with a notebook cell that shows a widget with these traits. */
function widgetPage(source: string, traits: unknown): string {
  visits.host.put('/course/loader.js', LOADER);
  const call = JSON.stringify([source, traits]).replaceAll('<', '\\u003c');
  return html(
    '<div id="cell"></div>',
    `<script type="module">import { load } from './loader.js'; await load(...${call});</script>`,
  );
}

async function seeLossFall(page: Page, inFrame = false): Promise<void> {
  const loss = (inFrame ? page.frameLocator('iframe') : page).locator('[data-part=loss]');
  await eventually(
    async () => Number((await loss.textContent()) ?? 'NaN'),
    (value) => value < 2.75,
  );
}

describe('the example for', () => {
  it('plain HTML', async () => {
    const { page } = await visit(example('plain.html'));
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await seeLossFall(page);
    await page.getByText(/^Loss at step \d+: /).waitFor();
  });

  it('Quarto: a raw HTML block', async () => {
    const block = part(example('quarto.qmd'), '```{=html}\n', '```');
    const { page } = await visit(html(block));
    await seeLossFall(page, true);
  });

  it('MyST: a frame', async () => {
    const address = part(example('myst.md'), '```{iframe} ', '\n');
    const { page } = await visit(
      html(`<iframe src="${address.replaceAll('&', '&amp;')}" width="100%" height="600"></iframe>`),
    );
    await seeLossFall(page, true);
  });

  it('MyST: a widget', async () => {
    const block = part(example('myst.md'), '```{anywidget} ', '```');
    const [address, ...body] = block.split('\n');
    const { page } = await visit(widgetPage(address!, JSON.parse(body.join('\n'))));
    await seeLossFall(page);
  });

  it('Jupyter: a widget class, and what the kernel reads back', async () => {
    interface Handed {
      readonly receipt: string;
      readonly checkpoint: DataView | null;
    }
    interface Notebook {
      readonly cells: readonly { readonly source: readonly string[] }[];
    }
    const notebook = JSON.parse(example('notebook.ipynb')) as Notebook;
    const code = notebook.cells.map(({ source }) => source.join('')).join('\n');
    const address = part(code, "_esm = '", "'");
    // Traits as the kernel would send them: the class's defaults plus the call's values.
    const traits = {
      ...{ text: 'anna\nnina\nhanna\nanna\nnina\n', settings: { steps: 1000 } },
      ...{ show: ['loss', 'samples'], autostart: true, state: '', step: 0, loss: null },
      ...{ receipt: '', checkpoint: null },
    };
    for (const name of Object.keys(traits)) expect(code).toContain(`    ${name} = traitlets.`);
    const { page } = await visit(widgetPage(address, traits));
    const seen = await eventually(
      () =>
        page.evaluate(
          () =>
            (window as { model?: { saved: { step: number; loss: number }[] } }).model?.saved ?? [],
        ),
      (saved) => (saved.at(-1)?.step ?? 0) > 100,
    );
    // Guessing among four letters and the end token has loss ln 5 = 1.61.
    expect(seen.at(-1)?.loss).toBeLessThan(1);
    // What the kernel writes to a file is a checkpoint of the run, which verifies.
    const [receipt, bytes] = await eventually(
      () =>
        page.evaluate(() => {
          const { traits } = (window as unknown as { model: { traits: Handed } }).model;
          const { receipt: json, checkpoint } = traits;
          return [json, checkpoint && [...new Uint8Array(checkpoint.buffer)]] as const;
        }),
      ([, file]) => file !== null,
    );
    const weights = new Uint8Array(bytes!);
    const trainer = new DirectTrainer(engineBytes());
    await trainer.setText(traits.text);
    await trainer.prepare(null, { files: { weights }, purpose: 'resume' });
    expect((await trainer.receipt()).json).toBe(receipt);
    trainer.close();
  });

  it('Docusaurus and Astro: an element in MDX, rendered by React on a server first', async () => {
    const source = example('docusaurus.mdx');
    const script = /https?:[^ ]+element\.mjs/.exec(source)![0];
    // Docusaurus and Astro strip the front matter before MDX parses the page.
    const { default: content } = await evaluate(
      source.replace(/^---\n[^]*?\n---\n/, ''),
      jsxRuntime,
    );
    const rendered = renderToStaticMarkup(createElement(content));
    expect(rendered).toContain('This lesson needs a browser with JavaScript.');
    const { page } = await visit(
      html(`<article>${rendered}</article>`, `<script type="module" src="${script}"></script>`),
    );
    await seeLossFall(page);
  });

  it('Moodle and Canvas: a sandboxed frame in a strict page that gives it the height it asks for', async () => {
    const { page } = await visit(example('platform.html'));
    await seeLossFall(page, true);
    const height = await eventually(
      () => page.locator('iframe').getAttribute('height'),
      (value) => value !== '700',
    );
    expect(Number(height)).toBeGreaterThan(200);
  });

  it('reveal.js: a slide', async () => {
    for (const file of ['reveal.css', 'reveal.mjs', 'theme/white.css']) {
      const path = join(root, 'node_modules/reveal.js/dist', file);
      visits.host.put(`/course/reveal/${file}`, readFileSync(path));
    }
    const { page } = await visit(example('slides.html'));
    await page.locator('.reveal.ready').waitFor();
    await page.keyboard.press('ArrowRight');
    await seeLossFall(page);
    const prompt = page.getByRole('textbox', { name: 'Prompt' });
    await prompt.click();
    // reveal.js would change the slide or blacken the screen for each of these keys.
    await page.keyboard.type('n p.bof');
    expect(await prompt.inputValue()).toBe('n p.bof');
    expect(await page.locator('.reveal').getAttribute('class')).not.toMatch(/paused|overview/);
  });
});
