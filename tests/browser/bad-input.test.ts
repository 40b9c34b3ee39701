/** Texts that only the whole page can take, and browsers that refuse things. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually, filesWritten } from './driver.ts';
import type { Driven } from './driver.ts';
import { useSites } from './sites.ts';

const site = useSites();
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A file on the disk with this content. */
function fileOf(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function choose({ page }: Driven, path: string): Promise<void> {
  await page.locator('#text input[type=file]').setInputFiles(path);
}

describe('files', () => {
  it('a file in UTF-16: read as what it says, and kept as that', async () => {
    const driven = await site({ hash: 'steps=20' });
    const { page, text } = driven;
    const names = 'anna\nbéla\n晓\n'.repeat(9);
    await choose(driven, fileOf('unicode.txt', Buffer.from(`\ufeff${names}`, 'utf16le')));
    await expect.poll(() => page.getByLabel('Encoding').inputValue()).toBe('utf-16le');
    await expect.poll(() => text.inputValue()).toBe(names);
    await filesWritten(driven, 1);
    await page.reload();
    await driven.reach('ready');
    await expect.poll(() => text.inputValue()).toBe(names);
    await driven.start.click();
    await driven.reach('finished');
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
    // Far less than what would be felt as a freeze, with room for a busy machine.
    expect(longest).toBeLessThan(1000);
    await driven.start.click();
    await eventually(driven.step, (step) => step > 3);
    expect(driven.problems).toEqual([]);
  });

  it('a text with NUL in the field: learned', async () => {
    const driven = await site({ hash: 'steps=20' });
    await choose(driven, fileOf('nul.txt', 'ab\0cd\nef\0gh\n'));
    // a to h, NUL, and the sign of a line's end.
    await eventually(
      () => driven.page.locator('[data-part=plan-vocab]').textContent(),
      (text) => text === '10',
    );
    await driven.start.click();
    await driven.reach('finished');
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
