/** The page as a person uses it, in a real Chromium: from opening it to a model that has learned. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canvasContent, eventually, firstLoss, meanLoss, train } from './driver.ts';
import { siteUrl } from './harness.ts';
import { useSites } from './sites.ts';

const names = readFileSync(
  join(import.meta.dirname, '../../public/texts/first-names-en.txt'),
  'utf8',
);

const site = useSites();

describe('the first minute', () => {
  it('opens ready to train on names, with one press of Start', async () => {
    const { start, page, text, problems, requests } = await site();
    await expect.poll(() => start.isEnabled()).toBe(true);
    // The field holds the beginning until one enters it.
    expect(names).toContain(await text.inputValue());
    expect((await text.inputValue()).length).toBeGreaterThan(1000);
    await text.focus();
    await expect.poll(() => text.inputValue()).toBe(names);
    await expect.poll(() => page.getByRole('radio', { name: 'microgpt' }).isChecked()).toBe(true);
    await expect.poll(() => page.locator('[data-part=plan-vocab]').textContent()).toBe('27');
    await expect.poll(() => page.locator('[data-part=plan-random]').textContent()).toBe('3.30');
    expect(problems).toEqual([]);
    const home = new URL(siteUrl()).origin;
    expect(requests.filter((url) => new URL(url).origin !== home)).toEqual([]);
  });

  it('learns pasted text: loss falls, attention changes, samples appear', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const driven = await site({ options: { permissions } });
    const { page, text, start, pause, rewind, oneStep, problems } = driven;
    await page.evaluate((all) => navigator.clipboard.writeText(all), names);
    await text.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('ControlOrMeta+V');
    await eventually(
      () => page.getByRole('radio', { name: 'Your own' }).isChecked(),
      (checked) => checked,
    );

    const map = page.locator('.attention-canvas');
    await map.waitFor();
    const untrained = await eventually(
      () => canvasContent(map),
      ({ colours }) => colours > 3,
    );

    await start.click();
    await eventually(driven.step, (step) => step >= 320);
    await pause.click();
    await driven.reach('paused');
    const stoppedAt = await driven.step();

    // Random guessing is ln 27 = 3.30; single names vary a lot, the mean of a hundred does not.
    await expect.poll(() => meanLoss(driven, '201–300')).toBeLessThan(2.7);
    await expect.poll(() => meanLoss(driven, '201–300')).toBeGreaterThan(1.5);
    const first = await firstLoss(driven);
    expect(Math.abs(Number(first) - Math.log(27))).toBeLessThan(0.3);

    const trained = await eventually(
      () => canvasContent(map),
      ({ print }) => print !== untrained.print,
    );
    expect(trained.colours).toBeGreaterThan(3);

    const samples = page.locator('.samples');
    await expect.poll(() => samples.getByText('step 0', { exact: true }).count()).toBe(1);
    await expect.poll(() => samples.locator('li').count()).toBeGreaterThan(2);
    // Texts beside each other are told apart, and it is said how.
    await page.getByText('each behind a thin line').waitFor();
    const line = samples.locator('.written').nth(1);
    await expect
      .poll(() => line.evaluate((text) => getComputedStyle(text).borderLeftStyle))
      .toBe('solid');

    // Paused means paused; one step is one step.
    await expect.poll(() => driven.step()).toBe(stoppedAt);
    await oneStep.click();
    await eventually(driven.step, (step) => step === stoppedAt + 1);
    // Each is announced: nothing that was said stays when it is no longer so.
    const spoken = driven.run.locator('[data-part=spoken]');
    for (const more of [1, 2]) {
      const at = (stoppedAt + more).toLocaleString('en');
      await spoken.filter({ hasText: new RegExp(`^Paused at step ${at}\\.?$`) }).waitFor({ state: 'attached' }); // prettier-ignore
      if (more === 1) await oneStep.click();
    }

    await page.getByRole('button', { name: 'Write' }).click();
    await page.getByText(`Written at step ${(stoppedAt + 2).toLocaleString('en')}`).waitFor();

    await rewind.click();
    await eventually(driven.step, (step) => step === 0);
    await oneStep.click();
    await eventually(driven.step, (step) => step === 1);
    await expect.poll(() => firstLoss(driven)).toBe(first);
    expect(problems).toEqual([]);
  });

  it('gives other losses for a new seed, and the old ones again for the old seed', async () => {
    const driven = await site();
    const { page, oneStep } = driven;
    await oneStep.click();
    await eventually(driven.step, (step) => step === 1);
    const first = await firstLoss(driven);
    await page.getByRole('button', { name: 'New seed' }).click();
    await eventually(driven.step, (step) => step === 0);
    await oneStep.click();
    await eventually(driven.step, (step) => step === 1);
    await expect.poll(() => firstLoss(driven)).not.toBe(first);

    await driven.rewind.click();
    await eventually(driven.step, (step) => step === 0);
    await page.getByRole('textbox', { name: 'Seed', exact: true }).fill('42');
    await oneStep.click();
    await eventually(driven.step, (step) => step === 1);
    await expect.poll(() => firstLoss(driven)).toBe(first);
  });

  it('keeps figures in one line on a phone, however large they become', async () => {
    const { page, run } = await site({ options: { viewport: { width: 390, height: 740 } } });
    const height = async (): Promise<number> => (await run.boundingBox())!.height;
    const flat = await height();
    /** The figures that stand in the line, and where it is seen that one does not. */
    const inLine = (): Promise<string[]> =>
      run
        .locator('.fact dd')
        .evaluateAll((all) =>
          all
            .filter((one) => getComputedStyle(one).visibility === 'visible')
            .map((one) => (one as HTMLElement).dataset['part'] ?? ''),
        );
    const write = async (figures: readonly (readonly [string, string])[]): Promise<void> => {
      for (const [part, text] of figures) {
        await run.locator(part).evaluate((one, words) => {
          one.textContent = words;
        }, text);
      }
    };
    await write([
      ['[data-part=step]', '5,000 / 5,000'],
      ['.fact-unit', 'bits/char.'],
      ['[data-part=speed]', '13,600'],
      ['[data-part=left]', 'done'],
    ]);
    await page.waitForTimeout(100);
    await expect.poll(() => inLine()).toEqual(['step', 'loss', 'speed', 'left']);
    await expect.poll(() => height()).toBe(flat);
    await page.setViewportSize({ width: 360, height: 740 });
    const ends = async (): Promise<number[]> =>
      run
        .locator('.fact, .pace select')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    const full = await run.getByRole('combobox', { name: 'Speed' }).boundingBox();
    // As a long run ends that is measured in bits.
    await write([
      ['[data-part=step]', '10,000 / 10,000'],
      ['[data-part=speed]', '123,400'],
      ['[data-part=left]', '1:12:30'],
    ]);
    for (const end of await ends()) expect(end).toBeLessThanOrEqual(344.5);
    const menu = await run.getByRole('combobox', { name: 'Speed' }).boundingBox();
    expect(menu?.width).toBeCloseTo(full?.width ?? NaN, 0);
    // The last of them goes before the line breaks.
    await eventually(inLine, (parts) => parts.join() === 'step,loss,left');
    await expect.poll(() => height()).toBe(flat);
  });

  it('offers more steps at the end of the run', async () => {
    const driven = await site({ hash: 'steps=120' });
    await driven.start.click();
    await driven.reach('finished');
    await expect.poll(() => driven.step()).toBe(120);
    await driven.page.getByRole('button', { name: 'Train 120 more' }).click();
    await eventually(driven.step, (step) => step === 240);
    await driven.reach('finished');
    expect(new URL(driven.page.url()).hash).toContain('steps=240');
    // Fewer than were made are for another run: of this one they are not taken away.
    await driven.page.getByRole('textbox', { name: 'Steps', exact: true }).fill('100');
    await driven.page.getByText('Changed: Steps.').first().waitFor();
    await expect.poll(() => driven.run.locator('[data-part=step]').textContent()).toBe('240 / 240');
    await driven.page.getByRole('button', { name: 'New run with these' }).click();
    await eventually(
      () => driven.run.locator('[data-part=step]').textContent(),
      (text) => text === '100 / 100',
    );
  });

  it('begins the new run with the large button once a text was changed, and offers the old one beside it', async () => {
    const driven = await site({ hash: 'steps=60' });
    const { page, text } = driven;
    await driven.start.click();
    await driven.reach('finished');
    await text.fill('tick tock\n'.repeat(30));
    const main = page.locator('#run button.primary');
    await main.filter({ hasText: 'New run with these' }).waitFor();
    await page.getByText('Shown is still the run before.').first().waitFor();
    // Its words are longer than any other: at no width does the strip leave its column.
    for (const width of [1440, 1280, 1250, 1024, 900, 360]) {
      await page.setViewportSize({ width, height: 800 });
      const over = await driven.run.evaluate((strip) => strip.scrollWidth - strip.clientWidth);
      expect([width, over]).toEqual([width, 0]);
    }
    // On a phone what was changed is no taller than the button beside it, and whole when it is pressed.
    const note = driven.run.locator('[data-part=run-message]');
    const lines = (): Promise<number> =>
      note.evaluate((one) => Math.round(one.clientHeight / parseFloat(getComputedStyle(one).lineHeight))); // prettier-ignore
    await expect.poll(() => lines()).toBeLessThanOrEqual(2);
    await note.click();
    await expect.poll(() => note.evaluate((one) => one.scrollHeight - one.clientHeight)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 720 });
    // The model of before has no tokens for the new text: it is not asked about it.
    await page.locator('#attention .attention-canvas').waitFor();
    await expect.poll(() => driven.probe.inputValue()).toBe('elisabetta');
    await expect.poll(() => page.locator('#attention .error:visible').count()).toBe(0);
    // Figures of the plan say what they are and what they would become.
    await eventually(
      () => page.locator('[data-part=plan-vocab]').textContent(),
      (vocab) => vocab === '27 → 7',
    );
    await page.getByRole('button', { name: 'Train 60 more' }).click();
    await eventually(driven.step, (step) => step === 120);
    await driven.reach('finished');
    await main.filter({ hasText: 'New run with these' }).waitFor();
    await main.click();
    await eventually(
      () => page.locator('[data-part=plan-vocab]').textContent(),
      (vocab) => vocab === '7',
    );
    await eventually(
      () => driven.probe.inputValue(),
      (probe) => probe === 'tick tock',
    );
    await driven.reach('finished');
    await expect.poll(() => driven.step()).toBe(120);
    // What stands in the way of a new run is where its button leads; it trains nothing else instead.
    const heads = page.locator('#settings [data-option=heads] input');
    await heads.fill('7');
    await page.locator('[data-option=heads] .error').waitFor();
    await expect.poll(() => main.textContent()).toBe('New run with these');
    await main.click();
    await eventually(
      () => heads.evaluate((field) => field === document.activeElement),
      (focused) => focused,
    );
    await expect.poll(() => driven.step()).toBe(120);
    await expect
      .poll(() => page.getByRole('button', { name: 'Train 120 more' }).isVisible())
      .toBe(true);
    expect(driven.problems).toEqual([]);
  });

  it.each([1280, 390])(
    'says at the preset what was changed in it, and moves nothing by that, at %i pixels',
    async (width) => {
      const { page, problems } = await site({ options: { viewport: { width, height: 844 } } });
      const preset = page.getByRole('group', { name: 'Preset' });
      const tokens = page.getByRole('combobox', { name: 'Tokens', exact: true });
      await tokens.scrollIntoViewIfNeeded();
      const asItComes = preset.getByText('As it comes: characters');
      await asItComes.waitFor();
      const before = await tokens.boundingBox();
      await tokens.selectOption({ label: 'Bytes' });
      await preset.getByText('microgpt, changed: Tokens.', { exact: true }).waitFor();
      await asItComes.waitFor({ state: 'hidden' });
      // Pages stand at whole pixels, lines need not.
      expect(Math.abs((await tokens.boundingBox())!.y - before!.y)).toBeLessThan(1);
      await preset.getByRole('button', { name: 'Back to the preset' }).click();
      await asItComes.waitFor();
      await expect.poll(() => preset.getByRole('button').count()).toBe(0);
      expect(problems).toEqual([]);
    },
  );

  it('counts what came with another preset as one change', async () => {
    const driven = await site();
    await driven.oneStep.click();
    await eventually(driven.step, (step) => step === 1);
    await driven.page.getByRole('radio', { name: 'Moby-Dick' }).check();
    await driven.run
      .getByText(/^Changed: the text, Preset\. /)
      .first()
      .waitFor();
  });

  it('is not told of another text when the one it learned comes back', async () => {
    const driven = await site({ hash: 'steps=40' });
    const { page } = driven;
    await driven.start.click();
    await driven.reach('finished');
    const changed = page.getByText('Changed: the text.').first();
    await page.getByRole('radio', { name: 'Moby-Dick' }).check();
    await changed.waitFor();
    await page.getByRole('radio', { name: 'English names' }).check();
    await changed.waitFor({ state: 'hidden' });
    expect(driven.problems).toEqual([]);
  });

  it('passes over heads that do not divide the channels', async () => {
    const driven = await site({ hash: 'channels=64&heads=4' });
    const { page } = driven;
    const heads = page.getByRole('textbox', { name: 'Heads', exact: true });
    await heads.press('ArrowUp');
    await expect.poll(() => heads.inputValue()).toBe('8');
    const channels = page.getByRole('textbox', { name: 'Channels', exact: true });
    await heads.fill('3');
    await channels.press('ArrowUp');
    await expect.poll(() => channels.inputValue()).toBe('96');
  });

  it.each(['text=moby', 'validation=0.1'])('shows validation loss with %s', async (hash) => {
    const driven = await site({ hash: `${hash}&steps=50` });
    await driven.start.click();
    await driven.reach('finished');
    await driven.page.getByText('On the text that was kept back').waitFor();
  });
});

describe('the controls', () => {
  it('take impatient presses without harm', async () => {
    const driven = await site({ hash: 'pace=100' });
    const { page, start, problems } = driven;
    await start.dblclick();
    const main = page.locator('#run .primary');
    for (let press = 0; press < 6; press++) await main.click();
    // Presses are carried out in their order: after the rewind nothing of them may be left over.
    await driven.rewind.click();
    await eventually(driven.step, (step) => step === 0);
    await driven.oneStep.click();
    await eventually(driven.step, (step) => step > 0);
    await driven.reach('paused');
    await expect.poll(() => driven.step()).toBe(1);
    expect(problems).toEqual([]);
  });

  it('work from the keyboard alone', async () => {
    const driven = await site();
    const { page, start, probe } = driven;
    await start.focus();
    await page.keyboard.press('Space');
    await eventually(driven.step, (step) => step > 50);
    await page.keyboard.press('Enter');
    await driven.reach('paused');

    // A field comes before the question that is asked of it.
    await page.getByRole('textbox', { name: 'Steps', exact: true }).press('Tab');
    const question = page.getByRole('button', { name: 'What is “Steps”?' });
    await expect.poll(() => question.evaluate((one) => one === document.activeElement)).toBe(true);

    await probe.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'Layer 1, head 2' }).waitFor();
    // Past the slider that looks back and the two ways to draw a head.
    const map = page.locator('#attention .attention-canvas');
    const isFocused = (): Promise<boolean> => map.evaluate((one) => one === document.activeElement);
    for (let press = 0; press < 5 && !(await isFocused()); press++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowUp');
    await page
      .getByText(/looks at .* with weight 0\.\d{3}/)
      .first()
      .waitFor();
  });

  it('tell a run under way what may change, and say what may not', async () => {
    const driven = await site({ hash: 'pace=30' });
    const { page, start } = driven;
    await start.click();
    await eventually(driven.step, (step) => step > 5);
    await page.getByRole('textbox', { name: 'Steps', exact: true }).fill('4000');
    await page.getByText(/\/ 4,000/).waitFor();
    await page.getByRole('textbox', { name: 'Layers', exact: true }).fill('3');
    await page.getByText('Changed: Layers.').first().waitFor();
    const parameters = page.locator('[data-part=plan-parameters]');
    const before = await parameters.textContent();
    await page.getByRole('button', { name: 'New run with these' }).click();
    await eventually(
      () => parameters.textContent(),
      (text) => text !== before,
    );
    await driven.reach('running');
    // The map of attention follows with its next probe.
    await eventually(
      () => page.getByRole('radio', { name: /^Layer 3/ }).count(),
      (heads) => heads === 4,
    );
  });

  it('list many changes one by one, with what they were', async () => {
    const driven = await site({ hash: 'steps=20' });
    const { page, run } = driven;
    await driven.start.click();
    await driven.reach('finished');
    await page.evaluate(() => {
      location.hash += '&layers=3&heads=2&channels=32&context=16&batch=4&bias=1&activation=gelu';
    });
    await run.getByText('Changed: 7 settings.').first().waitFor();
    const list = run.getByRole('region', { name: 'The changes' });
    await expect.poll(() => list.isVisible()).toBe(false);
    await run.getByRole('button', { name: 'Show the changes' }).click();
    const items = await list.getByRole('listitem').allTextContents();
    expect(items).toHaveLength(7);
    expect(items).toContain('Layers: 2 → 3');
    expect(items).toContain('Biases: off → on');
    // On a phone the strip stays in sight, and leaves the page to be read.
    await page.setViewportSize({ width: 360, height: 640 });
    expect((await run.boundingBox())!.height).toBeLessThan(480);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await run.getByRole('button', { name: 'New run with these' }).click();
    await list.waitFor({ state: 'hidden' });
  });

  it('keep settings in the address, so that a reload brings them back', async () => {
    const driven = await site();
    const { page } = driven;
    await page.getByRole('textbox', { name: 'Channels', exact: true }).fill('32');
    await page.getByRole('combobox', { name: 'Tokens', exact: true }).selectOption('Bytes');
    await page.waitForURL(/channels=32/);
    await page.reload();
    await driven.reach('ready');
    const channels = page.getByRole('textbox', { name: 'Channels', exact: true });
    await expect.poll(() => channels.inputValue()).toBe('32');
    await expect.poll(() => page.locator('[data-part=plan-vocab]').textContent()).toBe('257');
  });

  it('stop a text that is being written', async () => {
    const driven = await site({ hash: 'preset=tinygpt&channels=256&layers=6&maxTokens=10000' });
    const { page } = driven;
    await page.getByRole('button', { name: 'Write' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
  });
});

describe('languages and shapes', () => {
  it('speaks Chinese where the browser does, and switches', async () => {
    const { page } = await site({ options: { locale: 'zh-CN' } });
    await page.getByRole('button', { name: '开始', exact: true }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('zh-Hans');
    await page.getByRole('combobox', { name: '语言' }).selectOption('en');
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    expect(new URL(page.url()).hash).toContain('lang=en');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
    await page.getByRole('heading', { name: '注意力' }).waitFor();
  });

  it('shows a tab once its words are there, and what needs none of them before', async () => {
    let words: (() => void) | undefined;
    const { page, start, problems } = await site({
      hash: 'view=twin',
      before: (opened) =>
        opened.route(/en-later/, async (route) => {
          await new Promise<void>((resolve) => (words = resolve));
          await route.continue();
        }),
    });
    const tab = page.getByRole('tabpanel', { name: 'Twins' });
    // Everything that the first screen says is there, and the run can begin.
    await start.click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(() => words).toBeDefined();
    await expect.poll(() => tab.textContent()).toBe('');
    words?.();
    await tab.getByRole('button', { name: 'Train the twin' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('shows the beginning of long samples, and says by an ellipsis and on request that there is more', async () => {
    const driven = await site({ hash: 'text=moby&steps=60&layers=1' });
    const { page } = driven;
    await driven.start.click();
    await driven.reach('finished');
    const texts = page.locator('.samples .one .written');
    const cut = (): Promise<boolean> =>
      texts.evaluateAll((all) => all.some((one) => one.scrollHeight > one.clientHeight + 2));
    await page.setViewportSize({ width: 360, height: 844 });
    await expect.poll(cut).toBe(true);
    expect(await texts.first().evaluate((one) => getComputedStyle(one).webkitLineClamp)).toBe('3');
    await page
      .locator('#samples')
      .getByRole('button', { name: /^Show all/ })
      .click();
    await expect.poll(cut).toBe(false);
    await page
      .locator('#samples')
      .getByRole('button', { name: /^Show fewer/ })
      .click();
    await expect.poll(cut).toBe(true);
  });

  it('keeps the run when the language changes', async () => {
    const driven = await site();
    await driven.start.click();
    await eventually(driven.step, (step) => step > 100);
    await driven.pause.click();
    await driven.reach('paused');
    const step = await driven.step();
    await driven.page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
    await driven.page.getByRole('button', { name: '继续', exact: true }).waitFor();
    await expect.poll(() => driven.step()).toBe(step);
    await eventually(
      () => driven.page.locator('.samples li').count(),
      (count) => count > 1,
    );
  });

  it('keeps what was made and where one is when the language changes', async () => {
    const driven = await site({ hash: 'steps=60&view=write' });
    const { page, text, problems } = driven;
    const given = 'anna\nbea\nanna\ncarla\n'.repeat(20);
    await text.fill(given);
    await page.getByRole('button', { name: 'Check the text' }).click();
    await page.getByRole('button', { name: 'Remove repeats', exact: true }).click();
    await expect.poll(() => text.inputValue()).toBe('anna\nbea\ncarla\n');
    await train(driven);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.locator('#attention').getByRole('button', { name: 'Arcs' }).click();
    const pieces = page.locator('.written-tokens .piece');
    await page.getByRole('tabpanel', { name: 'Write step by step' }).scrollIntoViewIfNeeded();
    for (const count of [2, 3]) {
      await page.getByRole('button', { name: 'Next token', exact: true }).click();
      await expect.poll(() => pieces.count()).toBe(count);
    }
    const written = await pieces.allTextContents();
    await page.getByRole('button', { name: 'Show me around' }).click();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('dialog', { name: 'The loss: how wrong it is' }).waitFor();

    const language = page.locator('#lang');
    await language.focus();
    await language.selectOption('zh');
    // The tour stands where it stood, and the keyboard stays where the language was chosen.
    await page.locator('.tour-note').getByText('2 / 7').waitFor();
    await page
      .locator('.tour-note')
      .getByRole('heading', { name: '损失：它错得有多离谱' })
      .waitFor();
    expect(await language.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.locator('.tour-note .note-close').click();
    await expect.poll(() => pieces.allTextContents()).toEqual(written);
    const arcs = page.locator('#attention').getByRole('button', { name: '弧线', exact: true });
    await expect.poll(() => arcs.getAttribute('aria-pressed')).toBe('true');
    await expect
      .poll(() => page.getByRole('button', { name: '显示全部步数' }).isEnabled())
      .toBe(true);
    // What was mended is told of in the new words, and can still be taken back.
    const row = page.getByRole('listitem').filter({ hasText: '去掉重复行' });
    await row.getByText('已处理：').waitFor();
    await row.getByText(/有 77 行与前面的重复/).waitFor();
    await page.getByRole('button', { name: '撤销“去掉重复行”' }).click();
    await expect.poll(() => page.locator('#text textarea').inputValue()).toBe(given);
    expect(problems).toEqual([]);
  });

  it('leaves open what was unfolded when the language changes, and closed what was folded again', async () => {
    const driven = await site({ hash: 'steps=20&view=model-parts' });
    const { page } = driven;
    await train(driven);
    await page.getByRole('heading', { name: 'Every choice' }).waitFor();
    const folded = page.locator('button.fold[aria-expanded=false]:visible');
    const unfolded = page.locator('button.fold[aria-expanded=true]:visible');
    for (let left = await folded.count(); left > 0; left = await folded.count()) {
      await folded.first().click();
    }
    await page.getByRole('button', { name: 'Units, axes and smoothing' }).click();
    const open = await unfolded.count();
    expect(open).toBeGreaterThan(8);
    await page.locator('#lang').selectOption('zh');
    await page.getByRole('heading', { name: '全部选项' }).waitFor();
    await expect.poll(() => unfolded.count()).toBe(open);
    expect(await folded.count()).toBe(1);
    // With what is in it, not merely open.
    const table = page.getByRole('region', { name: '用表格看损失' });
    await expect.poll(() => table.getByRole('row').count()).toBe(21);
  });

  it('lets a run go on as it was started while another text is chosen', async () => {
    const driven = await site({ hash: 'steps=100000' });
    await driven.start.click();
    await eventually(driven.step, (step) => step > 100);
    await driven.page.getByRole('radio', { name: 'Moby-Dick' }).check();
    await driven.page.getByText('The run under way goes on', { exact: false }).first().waitFor();
    // The preset that suits the prose has 2,000 steps: not those of this run.
    await eventually(driven.step, (step) => step > 3000);
    await expect
      .poll(() => driven.run.locator('[data-part=step]').textContent())
      .toContain('100,000');
    expect(driven.problems).toEqual([]);
  });

  it('learns Chinese poems', async () => {
    const driven = await site({ hash: 'text=tang&lang=zh&steps=60' });
    await driven.page.getByRole('button', { name: '开始', exact: true }).click();
    await driven.reach('finished');
    await driven.page.getByText('第 50 步').first().waitFor();
    expect(driven.problems).toEqual([]);
  });

  it.each([360, 390, 768, 1024, 1440])(
    'fits %i pixels without scrolling sideways',
    async (width) => {
      const driven = await site({ options: { viewport: { width, height: 800 } } });
      const attention = driven.page.locator('#attention');
      await driven.start.click();
      await eventually(driven.step, (step) => step > 50);
      // The widest thing on phones is this table, once it has a course to draw. What is out of
      // sight stands still, and what stands above it may have grown since the last look.
      await eventually(
        async () => {
          await attention.evaluate((section) => {
            section.scrollIntoView();
          });
          return await attention.locator('.spark-line[d^=M]').count();
        },
        (courses) => courses > 3,
      );
      const over = await driven.page.evaluate(
        () => document.documentElement.scrollWidth - innerWidth,
      );
      expect(over).toBeLessThanOrEqual(0);
    },
  );

  it('leaves a slider as it is that a finger only passes on its way down the page', async () => {
    const driven = await site({
      hash: 'steps=20',
      options: { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true },
    });
    const { page } = driven;
    // What comes above it once Start can be pressed is there.
    await page.getByRole('button', { name: 'Check the text' }).waitFor();
    await page.getByRole('tab').first().waitFor();
    await page.getByRole('button', { name: 'Units, axes and smoothing' }).click();
    const slider = page.getByRole('slider', { name: 'Smoothing' });
    await slider.evaluate((element) => {
      scrollBy(0, element.getBoundingClientRect().top - 400);
    });
    const before = await slider.inputValue();
    const { x, y, width, height } = (await slider.boundingBox())!;
    const finger = await page.context().newCDPSession(page);
    const at = (up: number) => [{ x: x + width * 0.95, y: y + height / 2 - up }];
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: ReturnType<typeof at>) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    const from = await page.evaluate(() => scrollY);
    await touch('touchStart', at(0));
    for (let up = 20; up <= 200; up += 20) await touch('touchMove', at(up));
    await touch('touchEnd', []);
    await eventually(
      () => page.evaluate(() => scrollY),
      (now) => now > from + 100,
    );
    await expect.poll(() => slider.inputValue()).toBe(before);
    // A tap moves it, once the page has come to rest.
    await eventually(
      async () => {
        const one = await page.evaluate(() => scrollY);
        await page.waitForTimeout(200);
        return (await page.evaluate(() => scrollY)) - one;
      },
      (moved) => moved === 0,
    );
    const there = (await slider.boundingBox())!;
    await page.touchscreen.tap(there.x + width * 0.95, there.y + height / 2);
    await eventually(
      () => slider.inputValue(),
      (value) => value !== before,
    );
  });

  it('has a way back from the end of a long tab to the tabs on a phone', async () => {
    const driven = await site({
      hash: 'steps=20&view=model-parts',
      options: { viewport: { width: 390, height: 700 } },
    });
    const { page } = driven;
    await page.locator('.architecture .part').first().waitFor();
    await page.getByRole('button', { name: 'Back to the tabs' }).click();
    const tab = page.getByRole('tab', { name: 'The model, piece by piece' });
    await expect.poll(() => tab.evaluate((one) => one === document.activeElement)).toBe(true);
    const box = (await tab.boundingBox())!;
    const strip = (await page.locator('#run').boundingBox())!;
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(strip.y);
    await page.setViewportSize({ width: 1280, height: 700 });
    await expect.poll(() => page.getByRole('button', { name: 'Back to the tabs' }).count()).toBe(0);
  });

  it.each([
    ['a phone', 390],
    ['a wide screen', 1280],
  ])('never covers what has the focus on %s', async (_, width) => {
    const driven = await site({ options: { viewport: { width, height: 700 } } });
    const { page } = driven;
    await page.locator('#closer [role=tab]').first().waitFor({ state: 'attached' });
    const covered: string[] = [];
    for (const direction of ['Tab', 'Shift+Tab']) {
      const seen = new Set<string>();
      for (let press = 0; press < 70; press++) {
        await page.keyboard.press(direction);
        const { name, hidden } = await page.evaluate(() => {
          const focused = document.activeElement;
          const strip = document.querySelector('#run');
          if (focused === null || focused === document.body || strip === null) {
            return { name: '', hidden: false };
          }
          const at = focused.getBoundingClientRect();
          const over = strip.getBoundingClientRect();
          // Larger than a line, some of it may lie below the strip; of a control nothing may.
          const shown = at.height > 80 ? at.top : at.bottom;
          const below = shown > over.top && at.top < over.bottom;
          const beside = at.right <= over.left || at.left >= over.right;
          const outside = shown > innerHeight || at.bottom < 0;
          return {
            name: `${focused.tagName} ${focused.id} ${focused.textContent.slice(0, 20)}`,
            hidden: !strip.contains(focused) && ((below && !beside) || outside),
          };
        });
        if (hidden) covered.push(`${direction}: ${name}`);
        seen.add(name);
      }
      // The tabs at the end of the page were reached, or the way back from there.
      expect(seen.size).toBeGreaterThan(40);
    }
    expect(covered).toEqual([]);
  });

  it('works where the browser names a language that there is none of', async () => {
    // WebKit says "C" in the locale C.UTF-8; for Intl that is an error.
    const driven = await site({
      hash: 'steps=20',
      before: (page) =>
        page.addInitScript(() => {
          Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' });
          Object.defineProperty(Navigator.prototype, 'languages', { get: () => ['C'] });
        }),
    });
    await driven.start.click();
    await driven.reach('finished');
    await driven.page.locator('#loss .u-over').first().waitFor({ state: 'attached' });
    expect(driven.problems).toEqual([]);
  });

  it('shows pasted and generated markup as text', async () => {
    const driven = await site();
    const nasty = '<img src=x onerror="document.title=1"><script>document.title=2</script>\n';
    await driven.text.fill(nasty.repeat(30));
    await driven.page.getByRole('radio', { name: 'microgpt' }).check();
    await driven.start.click();
    await eventually(driven.step, (step) => step > 300);
    await driven.page.locator('.samples .written').first().waitFor();
    await expect.poll(() => driven.page.locator('img, main script').count()).toBe(0);
    await expect.poll(() => driven.page.title()).toContain('Glasshouse');
    expect(driven.problems).toEqual([]);
  });
});

describe('what is in sight', () => {
  it.each([1024, 390])('all tabs are, without scrolling sideways, at %i pixels', async (width) => {
    const { page } = await site({ options: { viewport: { width, height: 800 }, hasTouch: true } });
    const tabs = page.getByRole('tab');
    await tabs.last().waitFor();
    const right = await tabs.evaluateAll((all) =>
      Math.max(...all.map((tab) => tab.getBoundingClientRect().right)),
    );
    await expect.poll(() => tabs.count()).toBe(9);
    expect(right).toBeLessThanOrEqual(width);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);
  });

  it.each([1440, 390])('the tabs stay under the pointer, %i pixels wide', async (width) => {
    const { page } = await site({
      hash: 'view=merges',
      options: { viewport: { width, height: 800 } },
    });
    const tabs = page.locator('#closer [role=tab]');
    await tabs.last().waitFor();
    await page.locator('#closer .tabs').evaluate((row) => {
      row.scrollIntoView({ block: 'start', behavior: 'instant' });
      scrollBy({ top: -100, behavior: 'instant' });
    });
    const places = (): Promise<string[]> =>
      tabs.evaluateAll((all) =>
        all.map((tab) => {
          const { left, top } = tab.getBoundingClientRect();
          return `${tab.textContent} ${left.toFixed(0)} ${top.toFixed(0)}`;
        }),
      );
    const before = await places();
    // Among them panels that are there for the first time, and shorter than the last.
    for (const at of [2, 3, 4, 7, 0, 4]) {
      await tabs.nth(at).evaluate((tab: HTMLElement) => {
        tab.click();
      });
      await page.waitForTimeout(250);
      await expect.poll(() => places()).toEqual(before);
    }
  });

  it('a tab that was left is not there for keys and screen readers', async () => {
    const { page } = await site();
    for (const name of ['Write step by step', 'Twins', 'Attention', 'Twins']) {
      await page.getByRole('tab', { name }).click();
      await page.getByRole('tabpanel', { name }).getByRole('button').first().waitFor();
    }
    const panels = await page.locator('#closer').ariaSnapshot();
    expect(panels.match(/tabpanel/g)).toEqual(['tabpanel']);
    await page.getByRole('tab', { name: 'Twins' }).focus();
    await page.keyboard.press('Tab');
    const panel = page.getByRole('tabpanel', { name: 'Twins' });
    expect(await panel.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  });

  it('training rests for a moment while another tab is drawn', async () => {
    const { page, start } = await site({ hash: 'steps=100000' });
    await start.click();
    await page.locator('#run[data-state="running"]').waitFor({ state: 'attached' });
    /** The longest time in milliseconds that the step stood still in the second after an action. */
    const standstill = (tab: string | null): Promise<number> =>
      page.evaluate(async (name) => {
        const step = (): string => document.querySelector('#run')?.textContent ?? '';
        const begun = performance.now();
        if (name !== null)
          for (const one of document.querySelectorAll<HTMLElement>('#closer [role=tab]'))
            if (one.textContent === name) one.click();
        let [last, since, longest] = [step(), begun, 0];
        while (performance.now() - begun < 1000) {
          await new Promise(requestAnimationFrame);
          const now = performance.now();
          longest = Math.max(longest, now - since);
          if (step() !== last) [last, since] = [step(), now];
        }
        return longest;
      }, tab);
    await page.getByRole('tab', { name: 'Share' }).click();
    await page.waitForTimeout(500);
    await expect.poll(() => standstill(null)).toBeLessThan(250);
    expect(await standstill('Twins')).toBeGreaterThan(275);
  });

  it.each([
    ['en', 'Auto light/dark'],
    ['zh', '自动深浅色'],
  ])('the choice of colours says in %s that it is one of light and dark', async (lang, text) => {
    const width = 390;
    const { page } = await site({
      hash: `lang=${lang}`,
      options: { viewport: { width, height: 800 } },
    });
    const theme = page.locator('#theme');
    await expect.poll(() => theme.locator('option').first().textContent()).toBe(text);
    // Beside the title on a phone, too.
    const [title, box] = [await page.locator('h1').boundingBox(), await theme.boundingBox()];
    expect(box!.y).toBeLessThan(title!.y + title!.height);
    expect(box!.x + box!.width).toBeLessThanOrEqual(width);
  });

  it('another text is, from its beginning', async () => {
    const { page, text } = await site();
    await text.evaluate((area) => {
      area.scrollTop = 500;
    });
    await expect.poll(() => text.evaluate((area) => area.scrollTop)).toBe(500);
    await page.getByRole('radio', { name: 'Moby-Dick' }).check();
    await eventually(
      () => text.inputValue(),
      (value) => value.includes('Ishmael'),
    );
    await expect.poll(() => text.evaluate((area) => area.scrollTop)).toBe(0);
  });

  it('the curve is once a run starts on a phone, and what is looked at stays', async () => {
    const options = { viewport: { width: 390, height: 740 }, hasTouch: true };
    const driven = await site({ hash: 'steps=2000&pace=300', options });
    const { page } = driven;
    const top = (id: string): Promise<number> =>
      page.locator(id).evaluate((section) => section.getBoundingClientRect().top);
    expect(await top('#loss')).toBeGreaterThan(500);
    await driven.start.click();
    await eventually(
      () => top('#loss'),
      (at) => Math.abs(at) < 40,
    );
    // Attention that nobody saw can still be looked back at, from the very beginning.
    await driven.pause.click();
    await driven.reach('paused');
    await page.locator('#attention').scrollIntoViewIfNeeded();
    const back = page.locator('#attention').getByRole('slider', { name: 'Look back' });
    await eventually(
      () => back.getAttribute('max'),
      (max) => Number(max) >= 2,
    );
    await page.locator('#attention').evaluate((section) => {
      section.scrollIntoView({ block: 'start', behavior: 'instant' });
    });
    const stays = await top('#attention');
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await eventually(driven.step, (step) => step > 100);
    expect(await top('#attention')).toBeCloseTo(stays, 0);
  });

  it('offers the size of the vocabulary only where it means something', async () => {
    const { page } = await site({ hash: 'view=model-parts' });
    const field = page.locator('#settings [data-option=vocabulary]');
    const row = page.locator('.choices-table [data-option=vocabulary]');
    await row.waitFor({ state: 'attached' });
    await page.locator('#settings .more .fold').first().click();
    expect([await field.isVisible(), await row.isVisible()]).toEqual([false, false]);
    await page
      .locator('#settings [data-option=tokenizer] select')
      .selectOption('Word pieces (BPE)');
    await field.waitFor();
    await row.waitFor();
  });
});
