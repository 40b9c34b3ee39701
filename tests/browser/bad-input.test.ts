/** Everything that can be wrong is said, where it can be mended, and nothing is lost by it. */
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
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

/** After a complaint the sample text must train again: nothing was lost. */
async function recovers(driven: Driven): Promise<void> {
  await driven.page.getByRole('radio', { name: 'English names' }).check();
  await driven.reach('ready');
  await driven.start.click();
  await eventually(driven.step, (step) => step > 20);
  expect(driven.problems).toEqual([]);
}

describe('texts that cannot be learned', () => {
  it('the reader’s own text before it is there: asked for once, and not as a mistake', async () => {
    const driven = await site();
    const { page } = driven;
    await page.getByRole('radio', { name: 'Your own' }).check();
    await driven.reach('blocked');
    const said = page.getByText('There is no text yet.').filter({ visible: true });
    await eventually(
      () => said.count(),
      (count) => count === 1,
    );
    await expect.poll(() => said.getAttribute('class')).not.toContain('error');
    await expect.poll(() => driven.text.getAttribute('aria-invalid')).toBe('false');
    await driven.text.fill('anna\nbea\n');
    await driven.reach('ready');
    expect(driven.problems).toEqual([]);
  });

  it('what was wrong is not read out once it is mended', async () => {
    const driven = await site({ hash: 'preset=tinygpt' });
    const spoken = (pattern: RegExp) =>
      eventually(
        async () => (await driven.page.locator('[data-part=spoken]').textContent()) ?? '',
        (text) => pattern.test(text),
      );
    await driven.text.fill('x');
    await spoken(/needs at least/);
    await driven.text.fill('');
    await spoken(/^$/);
    await driven.text.fill('long enough for a context of tokens '.repeat(9));
    await spoken(/^Ready, at step 0$/);
  });

  it.each([
    ['photo.txt', '\x89PNG\r\n\x1a\n', /photo\.txt is not a text but a picture \(PNG\)/],
    ['paper', '%PDF-1.4', /paper is not a text but a document \(PDF\)/],
    ['empty.txt', '', /empty\.txt is empty\. Your text stays as it was\./],
  ])('%s: refused by its bytes, and what was there stays', async (name, content, message) => {
    const driven = await site();
    const before = await driven.text.inputValue();
    await choose(driven, fileOf(name, Buffer.from(content, 'latin1')));
    await driven.page.locator('[data-part=text-error]').getByText(message).waitFor();
    await expect.poll(() => driven.text.inputValue()).toBe(before);
    // Nor is it now called the reader's own.
    await expect
      .poll(() => driven.page.getByRole('radio', { name: 'English names' }).isChecked())
      .toBe(true);
    expect(driven.page.url()).not.toContain('text=own');
    await recovers(driven);
  });

  it('a drawing in SVG is text', async () => {
    const driven = await site();
    await choose(driven, fileOf('drawing.svg', '<svg>\n</svg>\n'.repeat(9)));
    await driven.page.getByText('drawing.svg,').waitFor();
  });

  it('an empty text: asks for one', async () => {
    const driven = await site();
    await driven.text.fill('');
    await driven.page.getByText('There is no text yet.').first().waitFor();
    await driven.reach('blocked');
    const asked = driven.page.locator('[data-part=text-error]');
    const isError = () => asked.evaluate((line) => line.classList.contains('error'));
    await expect.poll(() => isError()).toBe(false);
    await driven.start.click();
    await expect.poll(() => driven.step()).toBe(0);
    // Where it was pressed in vain, the quiet word becomes a loud one.
    await expect.poll(() => isError()).toBe(true);
    await expect.poll(() => driven.text.getAttribute('aria-invalid')).toBe('true');
    await recovers(driven);
  });

  it('one character as a stream: says how much is needed', async () => {
    const driven = await site({ hash: 'preset=tinygpt' });
    await driven.text.fill('x');
    await driven.page
      .getByText(/The text has 1 token, but a context of 64/)
      .first()
      .waitFor();
    await expect.poll(() => driven.text.inputValue()).toBe('x');
    await recovers(driven);
  });

  it('one character as a document: trains', async () => {
    const driven = await site({ hash: 'steps=50' });
    await driven.text.fill('x');
    await eventually(
      () => driven.page.locator('[data-part=plan-vocab]').textContent(),
      (text) => text === '2',
    );
    await driven.start.click();
    await driven.reach('finished');
  });

  it('a text shorter than the context: says so at the text, and a shorter context mends it', async () => {
    const driven = await site({ hash: 'preset=tinygpt' });
    await driven.text.fill('Not quite long enough for that.');
    await driven.page
      .locator('[data-part=text-error]')
      .getByText(/needs at least/)
      .waitFor();
    await driven.page.getByRole('textbox', { name: 'Context', exact: true }).fill('4');
    await driven.reach('ready');
    await driven.start.click();
    await eventually(driven.step, (step) => step > 5);
  });

  it('bytes of all values: no text in any encoding', async () => {
    const bytes = Uint8Array.from({ length: 4000 }, (_, index) => (index * 7) % 256);
    const driven = await site();
    await choose(driven, fileOf('bytes.txt', bytes));
    await driven.page.getByText('bytes.txt is not a text but binary data.').waitFor();
    await recovers(driven);
  });

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

  it('a file with characters that its encoding does not have: says how many, and is not called whole', async () => {
    const driven = await site({ hash: 'steps=20' });
    const { page } = driven;
    const broken = Buffer.concat([Buffer.from('pårdon\ncafé\nête\n'.repeat(9)), Buffer.of(0xff)]);
    await choose(driven, fileOf('broken.txt', broken));
    await page.getByText('1 character cannot be read so and stands as � in the text.').waitFor();
    await page.getByRole('button', { name: 'Check the text' }).click();
    await page.getByText('Characters that were lost when the file was read: 1.').waitFor();
  });

  it('control characters, in pictures: signs stand for them', async () => {
    const driven = await site({ hash: 'steps=20' });
    const { page, oneStep } = driven;
    await choose(driven, fileOf('log.txt', 'a \x1b[31m\0\ufffe red\nb\n'.repeat(9)));
    await oneStep.click();
    await eventually(driven.step, (step) => step === 1);
    await page.getByRole('button', { name: 'Enlarge' }).click();
    const tab = page.locator('#closer');
    for (const form of ['PNG', 'SVG']) {
      const coming = page.waitForEvent('download');
      await tab.getByRole('button', { name: `Save as ${form}: the map of attention` }).click();
      const content = await readFile(await (await coming).path());
      if (form === 'PNG') expect(content.subarray(1, 4).toString()).toBe('PNG');
      else
        expect(
          await page.evaluate(
            (xml) =>
              new DOMParser().parseFromString(xml, 'image/svg+xml').querySelector('parsererror'),
            content.toString(),
          ),
        ).toBeNull();
    }
    expect(driven.problems).toEqual([]);
  });

  it('a model that cannot be, in the address: said where the curve would be, until it is mended', async () => {
    const { page, reach } = await site({ hash: 'layers=999', state: 'blocked' });
    const hint = page.locator('.loss-hint');
    await hint.getByText('The curve appears as soon as training can begin.').waitFor();
    await page.getByRole('textbox', { name: 'Layers', exact: true }).fill('1');
    await reach('ready');
    await hint.getByText('The curve begins at the dotted line').waitFor();
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

  it('a file beyond the limit: refused before it is read, and what was there stays', async () => {
    const path = join(folder, 'huge.txt');
    const handle = openSync(path, 'w');
    ftruncateSync(handle, 300e6);
    closeSync(handle);
    const driven = await site();
    const before = await driven.text.inputValue();
    await choose(driven, path);
    await driven.page.getByText('The file has 300 MB, but at most 256 MB').first().waitFor();
    await expect.poll(() => driven.text.inputValue()).toBe(before);
    await recovers(driven);
  });
});

describe('settings that cannot be', () => {
  const field = (driven: Driven, name: string) =>
    driven.page.locator('.field').filter({
      has: driven.page.getByRole('textbox', { name, exact: true }),
    });

  it('heads that do not divide channels: marked at both, said at one', async () => {
    const driven = await site();
    const heads = driven.page.getByRole('textbox', { name: 'Heads', exact: true });
    const place = (): Promise<number> =>
      heads.evaluate((field) => field.getBoundingClientRect().top + scrollY);
    await driven.page.getByText('5,000 steps read 60% of the text').waitFor();
    const stays = await place();
    await heads.fill('5');
    const text = '64 channels cannot be shared equally by 5 heads';
    const said = driven.page.locator('#settings').getByText(text).filter({ visible: true });
    await said.waitFor();
    expect(await place()).toBeCloseTo(stays, 0);
    for (const name of ['Heads', 'Channels']) {
      const marked = driven.page.getByRole('textbox', { name, exact: true });
      await expect.poll(() => marked.getAttribute('aria-invalid')).toBe('true');
    }
    await driven.page.getByRole('textbox', { name: 'Heads', exact: true }).fill('8');
    await driven.reach('ready');
    await expect.poll(() => said.count()).toBe(0);
  });

  it.each([
    ['Layers', '0', 'Layers is 0, but must be from 1 to 96'],
    ['Layers', '-3', 'Layers is −3, but must be from 1 to 96'],
    ['Context', '1e99', 'must be from 2 to 8,192'],
    ['Batch', '2.5', 'Batch is 2.5, but must be a whole number'],
    ['Steps', 'many', 'Steps must be a number from 1 to 1,000,000,000'],
    ['Learning rate', '', 'Learning rate must be a number from 0 to 10'],
  ])('%s of “%s”: “%s”', async (name, value, message) => {
    const driven = await site();
    const input = driven.page.getByRole('textbox', { name, exact: true });
    await input.fill(value);
    await field(driven, name).getByText(message).waitFor();
    await expect.poll(() => input.getAttribute('aria-invalid')).toBe('true');
    // What was typed stays, and Start leads to it.
    await expect.poll(() => input.inputValue()).toBe(value);
    await driven.start.click();
    await expect
      .poll(() => input.evaluate((element) => element === document.activeElement))
      .toBe(true);
    await expect.poll(() => driven.step()).toBe(0);
    expect(driven.problems).toEqual([]);
  });

  it('several in an address: all are said at once, at the fields and at Start', async () => {
    const hash = 'layers=0&batch=2.5&lr=hot&heads=3&channels=16&sample=tang&view=nothing';
    const { page, run, problems } = await site({ hash, state: 'blocked' });
    const all = [
      'Layers is 0, but must be from 1 to 96.',
      'Batch is 2.5, but must be a whole number.',
      'Learning rate must be a number from 0 to 10.',
      '16 channels cannot be shared equally by 3 heads. Choose a number of heads that divides the channels.',
    ];
    await expect
      .poll(() => run.locator('[data-part=run-message]').textContent())
      .toBe(all.join(' '));
    for (const message of all) {
      await page.locator('#settings').getByText(message).first().waitFor();
    }
    // So are words that nobody knows; of these, only what is to be mended stays in the address.
    await page.getByText('sample=tang, view=nothing').waitFor();
    await expect.poll(() => page.url()).not.toMatch(/nothing|sample/);
    expect(page.url()).toMatch(/[#&]lr=hot(&|$)/);
    await page.getByRole('textbox', { name: 'Learning rate', exact: true }).fill('0.01');
    await expect.poll(() => page.url()).toMatch(/[#&]lr=0\.01(&|$)/);
    expect(problems).toEqual([]);
  });

  it('a model too large for the memory: said before any is taken', async () => {
    const driven = await site({ hash: 'channels=8192&layers=96&heads=64', state: 'blocked' });
    await driven.page
      .getByText(/This would need 1\.2 TB of memory, but only 4\.2 GB/)
      .first()
      .waitFor();
    // No button that does nothing: it looks so, and a press leads to the reason.
    await expect.poll(() => driven.start.getAttribute('aria-disabled')).toBe('true');
    await driven.start.click({ force: true });
    const told = driven.page.locator('[data-part=run-message]');
    await expect
      .poll(() => told.evaluate((element) => element === document.activeElement))
      .toBe(true);
    expect(await told.textContent()).not.toContain('previous run');
    await driven.page.getByRole('button', { name: 'Back to the preset' }).click();
    await eventually(
      () => driven.start.getAttribute('aria-disabled'),
      (value) => value === 'false',
    );
    expect(driven.problems).toEqual([]);
  });

  it('a model too large for the memory: counted all the same, with what it would need', async () => {
    const driven = await site();
    const { page, problems } = driven;
    const shown = (part: string): Promise<string | null> =>
      page.locator(`[data-part=plan-${part}]`).textContent();
    await page.getByRole('textbox', { name: 'Channels' }).fill('8192');
    await driven.reach('blocked');
    // Nothing of the text has changed: 27 tokens, of 8,192 numbers each.
    await expect.poll(() => shown('parameters')).toMatch(/^1,61\d,\d{3},\d{3}$/);
    await page
      .getByText(`This would need ${await shown('memory')} of memory`)
      .first()
      .waitFor();
    expect(await shown('vocab')).toBe('27');
    expect(await shown('random')).toBe('3.30');
    // What is written and looked at below is the model of before.
    await expect
      .poll(() => driven.run.locator('[data-part=run-message]').textContent())
      .toContain('You are still looking at the previous run.');
    // Another text has other tokens, which nobody has counted.
    await driven.text.fill('anna hanna nina\n'.repeat(40));
    await expect.poll(() => shown('parameters')).toBe('–');
    expect(problems).toEqual([]);
  });

  it('a loss that stops being a number: pauses, says where and what to do', async () => {
    const driven = await site({ hash: 'lr=10&weight_decay=10&schedule=constant' });
    await driven.start.click();
    await driven.reach('diverged');
    await driven.page
      .getByText(/At step \d+ the loss stopped being a number/)
      .first()
      .waitFor();
    await driven.page.getByRole('button', { name: /tenth of the learning rate/ }).click();
    await driven.reach('ready');
    const rate = driven.page.getByRole('textbox', { name: 'Learning rate', exact: true });
    await expect.poll(() => rate.inputValue()).toBe('1');
  });
});

describe('words the model has no tokens for', () => {
  it('are named for the attention text, and the last picture stays', async () => {
    const driven = await site();
    await driven.page.locator('.attention-canvas').waitFor();
    // All of them, and blanks by their names.
    await driven.probe.fill('zoë 猫\t😀 Éé');
    const all =
      'no token for “ë” (U+00EB), the space, “猫” (U+732B), the tab, “😀” (U+1F600) and 2 more, which';
    await driven.page.getByText(all).waitFor();
    await expect.poll(() => driven.page.locator('.attention-canvas').isVisible()).toBe(true);
    await driven.probe.fill('zoe');
    await eventually(
      () => driven.page.getByText('no token for “ë”').count(),
      (count) => count === 0,
    );
  });

  it.each([
    // The poems have a wide comma, and no question mark.
    ['', 'no token for the plain “,” (U+002C), which', 'no token for “？” (U+FF1F), which'],
    ['&lang=zh', '半角的“,”（U+002C）', '“？” (U+FF1F)'],
  ])('are told from signs that look like them, at #text=tang%s', async (lang, plain, other) => {
    const { page } = await site({ hash: `text=tang${lang}` });
    const probe = page.locator('#attention').getByRole('textbox').first();
    for (const [text, said] of [
      ['春,', plain],
      ['春？', other],
    ] as const) {
      await probe.fill(text);
      await page.locator('#attention').getByText(said).waitFor();
    }
  });

  it('are not left over from a sample text: its prompt goes when one types another text', async () => {
    const driven = await site({ hash: 'text=tang&view=write' });
    const { page, text, prompt } = driven;
    const prompts = async (): Promise<string[]> =>
      Promise.all((await prompt.all()).map((field) => field.inputValue()));
    await eventually(prompts, (all) => all.join() === '春,春');
    await text.fill('tick tock\n'.repeat(20));
    await eventually(prompts, (all) => all.join() === ',');
    await page.locator('[data-part=plan-vocab]').filter({ hasText: /^7$/ }).waitFor();
    await eventually(
      () => page.locator('.error:visible').count(),
      (errors) => errors === 0,
    );
  });

  it('are named for the prompt', async () => {
    const driven = await site();
    await driven.prompt.fill('愛 z');
    await driven.page.getByRole('button', { name: 'Write' }).click();
    await driven.page.getByText('no token for “愛” (U+611B), the space, which').waitFor();
    await expect.poll(() => driven.prompt.inputValue()).toBe('愛 z');
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
