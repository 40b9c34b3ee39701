/**
 * Memorisation: the share of its text that a model continues word for word, in snapshots, saved
 * runs and files.
 */
import { describe, expect, test } from 'vitest';
import { LossHistory } from '../web/data/loss-history.ts';
import { memorisingInterval, validationInterval } from '../web/engine/schedule.ts';
import type { MemorisedPoint } from '../web/engine/trainer.ts';
import { lossCsv } from '../web/store/training/loss-csv.ts';
import { RunData } from '../web/store/training/run-data.ts';
import { names, useTrainers } from './node/begun-trainer.ts';

const begin = useTrainers();
/** Eight-letter parts never repeat. The last fifth, which is held out, consists of digits. */
const poem = 'We grow a model out of glass and watch it learn our lines by heart; ';
const strange = '4821730569 1837640295 6019482735';
const sizes = { context: 16, channels: 32, layers: 2, batch: 8, steps: 500, lr: 0.003 };

describe('what a model continues word for word', () => {
  test('comes with the steps of validation: all of a text known by heart, nothing of another', async () => {
    const text = poem.repeat(2) + strange;
    const settings = { ...sizes, validation: strange.length / text.length + 1e-9 };
    const { trainer, seen, info, train } = await begin('tinygpt', text, settings);
    expect(info.prompts).toEqual({ train: 32, heldOut: strange.length - 15, tokens: 8 });
    await train(500);
    const all = seen.memorised;
    const steps = (points: readonly { step: number }[]) => points.map(({ step }) => step);
    const every = memorisingInterval({ steps: 500, tokensPerStep: 128, hasValidation: true });
    expect(steps(all)).toEqual([1, ...steps(seen.validations).filter((at) => at % every === 0)]);
    expect(all[0]).toEqual({ step: 1, train: 0, heldOut: 0 });
    expect(all.at(-1)).toEqual({ step: 500, train: 1, heldOut: 0 });
    const { history } = await trainer.checkpoint('');
    expect(history.memorised).toEqual(all);
    expect(RunData.kept(1, 500, history, []).history.memorised).toEqual(all);
  });

  test('is of the training text alone where nothing is held out', async () => {
    const { info, seen, train } = await begin('microgpt', names, { steps: 10 });
    expect(info.prompts).toEqual({ train: 6, heldOut: 0, tokens: 6 });
    await train(10);
    expect(seen.memorised.map(({ step }) => step)).toEqual([1, 5, 10]);
    for (const { heldOut } of seen.memorised) expect(heldOut).toBeNaN();
  });

  test('goes on from a kept run, and is measured anew where a file has none', async () => {
    const { trainer, seen, train } = await begin('microgpt', names, { steps: 20 });
    await train(8);
    const before: MemorisedPoint[] = [...seen.memorised];
    const { file, history } = await trainer.checkpoint('');
    const files = { weights: file, config: null, vocab: null, merges: null };
    await trainer.prepare(null, { files, purpose: 'resume', history });
    expect(seen.memorised).toEqual(before);
    await trainer.prepare(null, { files, purpose: 'resume' });
    expect(seen.memorised.map(({ step }) => step)).toEqual([8]);
  });

  test('takes about a twentieth of the time of brief steps, but comes at every fifth validation', () => {
    const run = { steps: 5000, tokensPerStep: 512, hasValidation: true };
    expect(memorisingInterval(run)).toBe(validationInterval(5000));
    expect(memorisingInterval({ ...run, tokensPerStep: 64 })).toBe(200);
    expect(memorisingInterval({ ...run, tokensPerStep: 32 })).toBe(500);
    expect(memorisingInterval({ ...run, tokensPerStep: 32, hasValidation: false })).toBe(200);
    expect(memorisingInterval({ ...run, steps: 100, tokensPerStep: 1 })).toBe(10);
  });

  test('stands in the table of the losses, and nothing where it is not known', () => {
    const history = new LossHistory();
    history.append(0, [3, 2, 1]);
    history.memorised.push({ step: 1, train: 0, heldOut: NaN }, { step: 3, train: 0.5, heldOut: 0.25 }); // prettier-ignore
    const rows = lossCsv(history).trim().split('\r\n');
    const ends = rows.map((row) => row.split(',').slice(-2).join());
    expect(ends).toEqual(['memorised_training,memorised_held_out', '0,', ',', '0.5,0.25']);
  });
});
