/** Tests malformed files, and browsers that deny features, on the whole page. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from './driver.ts';
import type { Driven } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();
const fixtures = join(import.meta.dirname, '../fixtures');
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Writes a file to disk and returns its path. */
function fileOf(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function choose({ page }: Driven, path: string): Promise<void> {
  await page.locator('#text input[type=file]').setInputFiles(path);
}

describe('files', () => {
  it('models: one among the texts is opened as a model, a checkpoint goes on on the bytes as they lay in a file', async () => {
    const { line } = JSON.parse(readFileSync(join(fixtures, 'raw-crlf.receipt.json'), 'utf8')) as {
      line: string;
    };
    const driven = await site({ hash: 'text=own&view=runs', state: 'blocked' });
    const { page } = driven;
    await choose(driven, join(fixtures, 'texts/ckpt.pt'));
    // The checkpoint lacks data.pkl, and the alert names the missing part.
    await page.locator('#model').getByRole('alert').filter({ hasText: 'data.pkl' }).waitFor();
    await choose(driven, join(fixtures, 'texts/names-crlf.txt'));
    await driven.reach('ready');
    await page
      .locator('#model input[type=file]:not([webkitdirectory])')
      .setInputFiles(join(fixtures, 'raw-crlf.safetensors'));
    await eventually(driven.step, (step) => step === 6);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await driven.reach('finished');
    await expect.poll(() => page.locator('[data-part=receipt]').textContent()).toBe(line);
    expect(driven.problems).toEqual([]);
  });

  it('a file of 50 MB: works, shows its beginning, and the page goes on answering', async () => {
    const line = 'the quick brown fox jumps over the lazy dog again and again\n';
    const driven = await site({ hash: 'preset=tinygpt' });
    await driven.page.evaluate(() => {
      const record = { longest: 0 };
      Object.assign(globalThis, { record });
      let last = performance.now();
      setInterval(() => {
        record.longest = Math.max(record.longest, performance.now() - last);
        last = performance.now();
      }, 10);
    });
    await choose(driven, fileOf('large.txt', line.repeat(Math.ceil(50e6 / line.length))));
    await driven.page.getByText('large.txt, 50 MB').waitFor();
    await driven.page.getByText('only its beginning is shown').waitFor();
    await eventually(
      () => driven.page.locator('[data-part=plan-tokens]').textContent(),
      (text) => /^50,000,\d{3}$/.test(text ?? ''),
    );
    const longest = await driven.page.evaluate(
      () => (globalThis as unknown as { record: { longest: number } }).record.longest,
    );
    // Far below a noticeable freeze, with slack for a busy machine.
    expect(longest).toBeLessThan(1000);
    await driven.start.click();
    await eventually(driven.step, (step) => step > 3);
    expect(driven.problems).toEqual([]);
  });
});

describe('browsers that refuse things', () => {
  it('without SIMD: one clear sentence, in both languages', async () => {
    const driven = await site({
      state: '',
      before: (page: Page) =>
        page.addInitScript(() => {
          WebAssembly.validate = () => false;
        }),
    });
    await driven.page.getByText('cannot run WebAssembly SIMD').waitFor();
    await driven.page.getByText('不支持训练所需的 WebAssembly SIMD').waitFor();
    expect(driven.problems).toEqual([]);
  });

  it('without workers and storage: trains on the page itself', async () => {
    const driven = await site({
      before: (page: Page) =>
        page.addInitScript(() => {
          Object.defineProperty(globalThis, 'Worker', {
            value: () => {
              throw new DOMException('refused', 'SecurityError');
            },
          });
          for (const name of ['localStorage', 'sessionStorage']) {
            Object.defineProperty(globalThis, name, {
              get() {
                throw new DOMException('refused', 'SecurityError');
              },
            });
          }
        }),
    });
    await driven.page.getByText('Background workers are not allowed here').waitFor();
    await driven.start.click();
    await eventually(driven.step, (step) => step > 100);
    await driven.pause.click();
    await driven.reach('paused');
    expect(driven.problems).toEqual([]);
  });
});
