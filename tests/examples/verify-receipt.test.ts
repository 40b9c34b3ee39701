/**
 * Example to copy: a teacher checks a student's receipt of a run on a text that both have. The
 * replay gives the same bits on any machine, so a receipt is either true or false.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTrainer, verifyReceipt } from 'glasshouse';

// A project with the package: `import.meta.resolve('glasshouse/texts/first-names-en.txt')`.
const names = new URL('../../public/texts/first-names-en.txt', import.meta.url);
const text = () => new Uint8Array(readFileSync(names));

/**
 * The student's part: trains a little, changes the learning rate during the run, exports the
 * receipt.
 */
async function handIn(): Promise<string> {
  const trainer = await createTrainer();
  try {
    await trainer.setText(text());
    await trainer.prepare({ preset: 'microgpt', changes: { seed: 7, steps: 500 } });
    for (let step = 0; step < 20; step++) await trainer.step();
    await trainer.set('lr', 0.002);
    for (let step = 0; step < 20; step++) await trainer.step();
    return (await trainer.receipt()).json;
  } finally {
    trainer.close();
  }
}

test('the receipt of a run is true', async () => {
  const receipt = await handIn();
  const finding = await verifyReceipt(receipt, text(), { maxSteps: 1000 });
  expect(finding).toMatchObject({ same: true, done: 40 });
  expect(JSON.parse(receipt)).toMatchObject({
    preset: 'microgpt',
    changes: [{ step: 20, option: 'lr', from: 0.001, to: 0.002 }],
  });
});
