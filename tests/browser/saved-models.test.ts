/** Tests that saved models resume with identical bits. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ModelFiles, SaveForm, Snapshot } from '../../web/engine/trainer.ts';
import { atRest, eventually, meanLoss } from './driver.ts';
import { choose, stepTo, useFolder } from './model-files.ts';
import { useSites } from './sites.ts';
import { TRAINERS } from './trainers.ts';

describe('the page', () => {
  const site = useSites();
  const { save } = useFolder();

  it('goes on from a saved checkpoint to the same bits', async () => {
    const driven = await site({ hash: 'channels=32' });
    const { page } = driven;
    await stepTo(driven, 3);
    const saved = await save(driven, 'Checkpoint', 'at-3.safetensors');
    await stepTo(driven, 5);
    const unbroken = await save(driven, 'Checkpoint', 'at-5.safetensors');
    const mean = await meanLoss(driven, '5');

    // The checkpoint names its sample text, which replaces the selected one.
    await page.getByRole('radio', { name: 'Tang poems (Chinese)' }).check();
    await atRest(page);
    await choose(driven, saved);
    await expect.poll(() => driven.step()).toBe(3);
    await page.getByText('27 tokens in its vocabulary, saved at step 3').waitFor();
    const goesOn = page.getByRole('radio', { name: 'Continue its run' });
    await expect.poll(() => goesOn.isChecked()).toBe(true);
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Channels', exact: true }).inputValue())
      .toBe('32');
    // The untrained attention scores are recomputed from the seed; the panel reports missing ones.
    const untrained = page.locator('#attention .habits tbody tr').first().getByRole('cell').nth(1);
    await expect.poll(() => untrained.textContent()).toMatch(/^0\.\d\d$/);
    const missing = page.locator('#attention [data-part=habit-missing]');
    await expect
      .poll(() => missing.textContent())
      .toBe('“Over time” is drawn while the model trains here.');
    // Checkpoints lack learning rates, so text replaces the empty charts until new steps exist.
    const told = page.locator('[data-part=loss-beneath-note]');
    await page.getByRole('checkbox', { name: 'Also show learning rate and gradient norm' }).check();
    await told.getByText('no learning rates or gradient norms').waitFor();
    await expect.poll(() => page.locator('.loss-small:visible').count()).toBe(0);
    await page.getByRole('application', { name: /^The loss curve/ }).focus();
    await page.keyboard.press('ArrowRight');
    const read = page.locator('[data-part=loss-summary]');
    await read.getByText(/^Step 1:/).waitFor();
    expect(await read.textContent()).not.toMatch(/–|NaN|Learning rate/);
    await stepTo(driven, 5);
    await told.getByText('known from step 4 on').waitFor();
    await expect.poll(() => page.locator('.loss-small canvas:visible').count()).toBe(2);
    const resumed = await save(driven, 'Checkpoint', 'again.safetensors');
    // The files hold all weights, both AdamW moments and the latest losses in full precision.
    expect(readFileSync(resumed).equals(readFileSync(unbroken))).toBe(true);
    await expect.poll(() => meanLoss(driven, '5')).toBe(mean);
    expect(driven.problems).toEqual([]);
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
