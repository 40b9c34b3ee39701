/** Models saved here: what is saved goes on, with its text or without it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ModelFiles, SaveForm, Snapshot } from '../../web/engine/trainer.ts';
import { eventually, meanLoss } from './driver.ts';
import type { Driven } from './driver.ts';
import { siteUrl } from './harness.ts';
import { choose, stepTo, useFolder } from './model-files.ts';
import { usePages } from './sites.ts';
import { TRAINERS } from './trainers.ts';

describe('the page', () => {
  const { site, page: openPage } = usePages();
  const { save } = useFolder();

  const facts = ({ page }: Driven): Promise<string | null> =>
    page.locator('[data-part=model-facts]').textContent();

  it('goes on from a saved checkpoint to the same bits', async () => {
    const first = await site({ hash: 'channels=32' });
    await stepTo(first, 3);
    const saved = await save(first, 'Checkpoint', 'at-3.safetensors');
    await stepTo(first, 5);
    const unbroken = await save(first, 'Checkpoint', 'at-5.safetensors');

    // Another text is chosen there: the file knows which sample text it learned from.
    const second = await site({ hash: 'text=tang' });
    await choose(second, saved);
    await second.reach('paused');
    await expect.poll(() => second.step()).toBe(3);
    await expect
      .poll(() => facts(second))
      .toContain('27 tokens in its vocabulary, saved at step 3');
    const { page } = second;
    await eventually(
      () => page.getByRole('radio', { name: 'Go on with its run' }).isChecked(),
      (checked) => checked,
    );
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Channels', exact: true }).inputValue())
      .toBe('32');
    // What its heads did before training is made again from the seed; what is missing is said
    // there.
    const untrained = page.locator('#attention .habits tbody tr').first().getByRole('cell').nth(1);
    await eventually(
      async () => (await untrained.textContent()) ?? '',
      (text) => /^0\.\d\d$/.test(text),
    );
    const missing = page.locator('#attention [data-part=habit-missing]');
    await expect.poll(() => missing.textContent()).toBe('“So far” is drawn while it trains here.');
    // The file has no learning rates: words in place of empty charts, until steps are made here.
    const told = page.locator('[data-part=loss-beneath-note]');
    await page.getByRole('checkbox', { name: 'Learning rate and gradient beneath' }).check();
    await eventually(
      async () => (await told.textContent()) ?? '',
      (text) => text.includes('neither learning rates nor gradient norms'),
    );
    await expect.poll(() => page.locator('.loss-small:visible').count()).toBe(0);
    await page.getByRole('img', { name: /^The loss curve/ }).focus();
    await page.keyboard.press('ArrowRight');
    const read = page.locator('[data-part=loss-summary]');
    const point = await eventually(
      async () => (await read.textContent()) ?? '',
      (text) => text.startsWith('Step 1:'),
    );
    expect(point).not.toMatch(/–|NaN|Learning rate/);
    await stepTo(second, 5);
    await eventually(
      async () => (await told.textContent()) ?? '',
      (text) => text.includes('known from step 4 on'),
    );
    await expect.poll(() => page.locator('.loss-small canvas:visible').count()).toBe(2);
    const resumed = await save(second, 'Checkpoint', 'again.safetensors');
    // The files hold every weight, both running means, and the last losses with all digits.
    expect(readFileSync(resumed).equals(readFileSync(unbroken))).toBe(true);
    await expect.poll(() => meanLoss(second, '5')).toBe(await meanLoss(first, '5'));
    expect(second.problems).toEqual([]);
  });

  it('opens a run that is at its end as such, to be trained further', async () => {
    const first = await site({ hash: 'channels=32&steps=5' });
    await stepTo(first, 5);
    const saved = await save(first, 'Checkpoint', 'end.safetensors');
    const second = await site();
    await choose(second, saved);
    await second.reach('finished');
    await second.page.getByRole('button', { name: 'Train 5 more' }).click();
    await eventually(second.step, (step) => step === 10);
    expect(second.problems).toEqual([]);
  });

  it('says that a new seed and a twin begin without the opened model, and forgets what was saved', async () => {
    const first = await site({ hash: 'channels=32' });
    await stepTo(first, 3);
    const saved = await save(first, 'Checkpoint', 'left.safetensors');
    const told = first.page.locator('[data-part=saved]');
    // What was saved stays true while the run goes on, and is no word of another one.
    await stepTo(first, 4);
    await expect.poll(() => told.textContent()).toMatch(/^Saved at step 3: /);
    await first.page.getByRole('button', { name: 'New seed' }).click();
    await eventually(
      () => told.textContent(),
      (text) => text === '',
    );
    const left = 'This run started from random weights, without the opened model';
    await expect.poll(() => first.run.getByText(left).count()).toBe(0);

    const second = await site({ hash: 'view=twin' });
    const { page } = second;
    await choose(second, saved);
    await second.reach('paused');
    await page
      .locator('[data-part=twin-caution]')
      .getByText('A twin starts from random weights, without the opened model (left.safetensors).')
      .waitFor();
    await page.getByRole('button', { name: 'New seed' }).click();
    await second.run.getByText(`${left} (left.safetensors).`).first().waitFor();
    await stepTo(second, 1);
    await page.getByRole('button', { name: 'New seed' }).click();
    await eventually(second.step, (step) => step === 0);
    await expect.poll(() => second.run.getByText(left).first().isVisible()).toBe(true);
    // One that learns a text anew begins with the file's weights under every seed.
    await choose(second, saved);
    await second.reach('paused');
    await page.getByRole('radio', { name: 'Learn the text' }).click();
    await second.reach('ready');
    // Its settings are not those of the preset, and it has learned before: at step 0 it is not
    // untrained.
    await page
      .getByText('As in the opened file, which differs from microgpt in: Channels.')
      .waitFor();
    await page.getByText('“Untrained” is not known: this model came from a file').first().waitFor();
    const untrained = page.locator('#attention .habits tbody tr').first().getByRole('cell').nth(1);
    await expect.poll(() => untrained.textContent()).toBe('–');
    await page.getByRole('button', { name: 'New seed' }).click();
    await second.reach('ready');
    await expect.poll(() => second.run.getByText(left).count()).toBe(0);
  });

  it.each([
    ['no text', ''],
    ['blanks', ' \n '],
    ['too little of one', 'a'],
  ])('finds the sample text of a checkpoint where there is %s', async (_, text) => {
    const first = await site({ hash: 'channels=32' });
    await stepTo(first, 2);
    const saved = await save(first, 'Checkpoint', 'at-2.safetensors');
    await stepTo(first, 3);
    await first.text.fill(text);
    await first.reach('paused');
    await choose(first, saved);
    const { page } = first;
    await eventually(
      () => page.getByRole('radio', { name: 'Go on with its run' }).isChecked(),
      (checked) => checked,
    );
    await expect.poll(() => first.text.inputValue()).toContain('olivia');
    // The text is there before the run: a step until then is one of the run before.
    await expect.poll(first.step).toBe(2);
    await stepTo(first, 3);
  });

  it('finds the sample text of weights that know none of the characters before them', async () => {
    const first = await site({ hash: 'text=tang&preset=microgpt&channels=32' });
    await stepTo(first, 1);
    const saved = await save(first, 'Weights', 'tang.safetensors');
    const second = await site();
    await choose(second, saved);
    const { page } = second;
    const source = page.getByRole('radio', { name: 'Tang poems (Chinese)' });
    await expect.poll(() => source.isChecked()).toBe(true);
    await expect.poll(() => second.probe.inputValue()).toMatch(/\p{Script=Han}/u);
    await second.oneStep.click();
    await eventually(second.step, (step) => step === 1);
  });

  it('exchanges no text for that of a file where a lesson has fixed it, or somebody has written one', async () => {
    const first = await site({ hash: 'channels=32' });
    await stepTo(first, 1);
    const [run, weights] = [
      await save(first, 'Checkpoint', 'names.safetensors'),
      await save(first, 'Weights', 'names-weights.safetensors'),
    ];
    // What these weights have no tokens for.
    const own = 'liebe grüße aus münchen\n'.repeat(20);
    await first.text.fill(own);
    await choose(first, weights);
    await first.page.getByText('no token for').first().waitFor();
    await expect.poll(() => first.text.inputValue()).toBe(own);
    const lesson = await openPage();
    await lesson.page.goto(siteUrl('embed.html#text=tang&lock=text&show=text,model,run,loss'));
    await lesson.page.locator('#run[data-state=ready]').waitFor({ state: 'attached' });
    for (const [path, why] of [
      [weights, 'opened to write only'],
      [run, 'This is not the text that the run learned from'],
    ] as const) {
      await lesson.page
        .locator('#model input[type=file]:not([webkitdirectory])')
        .setInputFiles(path);
      await lesson.page.locator('#run').getByText(why).first().waitFor();
      await expect
        .poll(() => lesson.page.getByRole('radio', { name: 'Tang poems (Chinese)' }).isChecked())
        .toBe(true);
    }
  });

  it('says that a run goes on with the text that it learned from, if the field has another', async () => {
    const first = await site();
    const own = 'anna\nhanna\nnina\n'.repeat(9);
    await first.text.fill(own);
    await first.reach('ready');
    await stepTo(first, 2);
    const saved = await save(first, 'Checkpoint', 'own.safetensors');
    const second = await site({ hash: 'text=own', state: 'blocked' });
    await choose(second, saved);
    await second.run.getByText('paste or open the text that it learned from').first().waitFor();
    await second.text.fill(own);
    await second.reach('paused');
    await stepTo(second, 3);
  });

  it('says that a run is damaged, and not that its text is missing, once that text is here', async () => {
    const first = await site({ hash: 'channels=32' });
    await stepTo(first, 2);
    const saved = await save(first, 'Checkpoint', 'damaged.safetensors');
    const bytes = readFileSync(saved);
    // The order of its documents comes last.
    writeFileSync(saved, bytes.fill(0xff, bytes.length - 1000));
    const second = await site({ hash: 'text=tang' });
    await choose(second, saved);
    const { page } = second;
    await expect
      .poll(() => page.getByRole('radio', { name: 'English names' }).isChecked())
      .toBe(true);
    const why = page.locator('[data-part=model-why]');
    await why.getByText('or it is damaged').waitFor();
    await second.run.getByText('opened to write only').first().waitFor();
    await expect.poll(() => page.getByText('This is not the text').count()).toBe(0);
  });

  it('looks at what an opened model writes that has no tokens for the probe, and says after a reload that it is gone', async () => {
    const first = await site();
    await first.text.fill('xyz\nzyx\nyyz\n'.repeat(20));
    await first.reach('ready');
    await stepTo(first, 1);
    const saved = await save(first, 'Checkpoint', 'xyz.safetensors');
    const second = await site();
    const { page } = second;
    await choose(second, saved);
    await expect.poll(() => second.probe.inputValue()).toMatch(/^[xyz]+$/);
    await expect.poll(() => page.locator('#attention').getByText('no token for').count()).toBe(0);
    await page.reload();
    const gone = page.locator('#model').getByText('open xyz.safetensors again');
    await gone.waitFor();
    await stepTo(second, 1);
    await gone.waitFor({ state: 'hidden' });
    await page.reload();
    await second.reach('ready');
    await expect.poll(() => gone.count()).toBe(0);
  });

  it('only writes with a checkpoint of another text, until it is told otherwise', async () => {
    const first = await site();
    await first.text.fill('anna\nhanna\nnina\n'.repeat(9));
    await first.reach('ready');
    await stepTo(first, 2);
    const saved = await save(first, 'Checkpoint', 'other.safetensors');
    const second = await site();
    const { page } = second;
    await stepTo(second, 4);
    await choose(second, saved);
    await page.locator('[data-part=model-why]').getByText('This is not the text').waitFor();
    // Curves of the text in the field are no measure of a model that learned from another.
    const beside = page.locator('#loss').getByRole('checkbox', { name: /^Run 1/ });
    await expect.poll(() => beside.isChecked()).toBe(false);
    await eventually(second.step, (step) => step === 2);
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByText('Written at step 2').waitFor();
    // It has learned, but nothing of that is drawn here: no untrained model is spoken of.
    const told = page.locator('[data-part=loss-summary]');
    await told.filter({ hasText: /opened from a file and has 2 steps .* only writes/ }).waitFor();
    // What cannot be done is not offered, and why is said.
    await second.run.getByText('This is not the text that the run learned from').first().waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Continue', exact: true }).isDisabled())
      .toBe(true);
    await expect.poll(() => second.oneStep.isDisabled()).toBe(true);
    // Given its text, the run goes on.
    await second.text.fill('anna\nhanna\nnina\n'.repeat(9));
    await eventually(
      () => page.getByRole('radio', { name: 'Go on with its run' }).isChecked(),
      (checked) => checked,
    );
    await stepTo(second, 3);
    // With another text the run of the file cannot go on: said before anything begins, with a way
    // to keep it.
    await second.text.fill('nina\nhanna\nina\n'.repeat(9));
    const leaves = second.run.getByText(/Changed: the text\. .*“Restart with these changes” starts from random weights, without the opened model\./); // prettier-ignore
    await leaves.waitFor();
    await expect
      .poll(() => page.locator('[data-part=model-why]').textContent())
      .toContain('random weights');
    await page.getByRole('button', { name: 'Train the opened model' }).click();
    await leaves.waitFor({ state: 'hidden' });
    await eventually(
      () => page.getByRole('radio', { name: 'Learn the text' }).isChecked(),
      (checked) => checked,
    );
    await page.getByRole('button', { name: 'New model instead' }).click();
    await eventually(second.step, (step) => step === 0);
    await page.getByText('The model starts from random weights.').waitFor();
  });
});

describe.each(Object.entries(TRAINERS))('the %s trainer', (_, create) => {
  const recipe = { preset: 'microgpt', changes: { channels: 16, steps: 50 } };
  const text = (): Uint8Array<ArrayBuffer> => new TextEncoder().encode('anna\nnina\nhanna\n');
  const only = (weights: Blob): ModelFiles => ({ weights });

  it('gives the next loss with equal digits from a file, and keeps its run when one is bad', async () => {
    const trainer = create();
    let losses: number[] = [];
    let seen = -1;
    trainer.subscribe((snapshot: Snapshot) => {
      if (snapshot.run !== seen) losses = [];
      seen = snapshot.run;
      losses.push(...snapshot.losses);
    });
    const reach = (count: number): Promise<number[]> =>
      eventually(
        () => Promise.resolve(losses),
        (all) => all.length === count,
      );
    await trainer.setText(text());
    await trainer.prepare(recipe);
    for (let step = 0; step < 3; step++) await trainer.step();
    const file = await trainer.save('checkpoint', 'a note');
    await trainer.step();
    const [, , , next] = await reach(4);

    const facts = await trainer.inspect(only(file));
    expect(facts).toMatchObject({ resumable: true, step: 3, note: 'a note' });
    expect(facts.values).toMatchObject({ channels: 16, steps: 50 });
    const origin = { files: only(file), purpose: 'resume' } as const;
    expect(await trainer.prepare(recipe, origin)).toMatchObject({ step: 3, trains: true });
    await trainer.step();
    expect((await reach(4))[3]).toBe(next);

    const bad = { files: only(file.slice(0, file.size - 4)), purpose: 'resume' } as const;
    await expect(trainer.prepare(recipe, bad)).rejects.toMatchObject({ code: 'truncated' });
    await trainer.step();
    await reach(5);

    await trainer.prepare(recipe, { files: only(file), purpose: 'generate' });
    await expect(trainer.start()).rejects.toMatchObject({ code: 'no-text' });
    for (const form of ['weights', 'checkpoint', 'config.json'] as SaveForm[]) {
      const saving = trainer.save(form, '');
      if (form === 'weights') expect((await saving).size).toBeLessThan(file.size);
      else await expect(saving).rejects.toMatchObject({ name: 'GlasshouseError' });
    }
    trainer.close();
  });
});
