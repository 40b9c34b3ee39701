/** The session's behaviour on failures: its state stays unchanged, or it reports the loss. */
import { paceAt } from '../web/engine/schedule.ts';
import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { Treatment } from '../web/instruments/text/text-check/treatment.ts';
import type { TreatmentDependencies } from '../web/instruments/text/text-check/treatment.ts';
import type { SavedRun } from '../web/store/training/opened-models.ts';
import { Session } from '../web/store/training/session.ts';
import type { ChooseFit } from '../web/store/training/session.ts';
import { sha256 } from '../web/store/sha256.ts';
import { typedText } from '../web/store/text/text-source.ts';
import { valueOf } from '../web/engine/options.ts';
import { DirectTrainer } from '../web/engine/direct.ts';
import { engineBytes } from './node/load-engine.ts';

const names = (count: number): string =>
  Array.from({ length: count }, (_, at) => `name${String(at)}\n`).join('');
/** A file that fails to read beyond its first megabyte, as from an unplugged drive. */
class Unplugged extends Blob {
  override slice(start = 0, end?: number): Blob {
    if (start > 1e6) throw new DOMException('gone', 'NotReadableError');
    return super.slice(start, end);
  }
}
const SMALL = { preset: 'microgpt', changes: { layers: 1, heads: 1, channels: 4 } };

const EMPTY_HISTORY = { losses: [], learningRates: [], gradientNorms: [], validations: [], samples: [] }; // prettier-ignore

async function opened(text: string): Promise<{ session: Session; trainer: DirectTrainer }> {
  const trainer = new DirectTrainer(engineBytes());
  const session = new Session(trainer, await trainer.options(), SMALL, () => undefined);
  session.setText(typedText(text), null, false);
  await expect.poll(() => session.run?.state).toBe('ready');
  return { session, trainer };
}

test('settings are fitted to a text that is typed while the one before it is on its way', async () => {
  const trainer = new DirectTrainer(engineBytes());
  const session = new Session(trainer, await trainer.options(), SMALL, () => undefined);
  const heard: string[] = [];
  const send = trainer.setText.bind(trainer);
  trainer.setText = vi.fn(send).mockImplementationOnce((bytes) => {
    // Simulates a paste followed by a keystroke while the previous text is being sent.
    session.setText(typedText(names(30)), () => (heard.push('put'), null), false);
    session.setText(typedText(names(30)), () => (heard.push('typed'), null), true);
    return send(bytes);
  });
  session.setText(typedText(''), null, false);
  await expect.poll(() => heard).toEqual(['typed']);
  trainer.close();
});

test('settings asked for as another text is pasted are those of the other text', async () => {
  const { session, trainer } = await opened(names(30));
  const heard: string[] = [];
  const choose: ChooseFit = ({ recipe }) => (heard.push(recipe.preset), null);
  session.fit(choose);
  session.setText(typedText('The tide came in, and the tide went out again. '.repeat(60)), choose);
  await expect.poll(() => heard).toEqual(['tinygpt']);
  trainer.close();
});

test('a pasted text is planned once, and its run is made of that plan', async () => {
  const { session, trainer } = await opened(names(30));
  const plan = vi.fn(trainer.plan.bind(trainer));
  trainer.plan = plan;
  session.setText(typedText(names(40)));
  await expect.poll(() => session.current?.data.number).toBe(2);
  expect(plan).toHaveBeenCalledTimes(1);
  expect(session.current?.plan).toBe(session.plan);
  trainer.close();
});

test('with a checkpoint comes all of the curve until its step, to a listener that was behind too', async () => {
  const { session, trainer } = await opened(names(30));
  // A busy page: the trainer sends no further snapshots until the page has drawn the last one.
  trainer.ready = () => false;
  await trainer.step();
  await trainer.step();
  expect(session.run?.history.length).toBe(0);
  const { step, history } = await trainer.checkpoint('');
  expect(step).toBe(2);
  expect(session.run?.history.all).toEqual([...history.losses]);
  trainer.close();
});

describe('a run that cannot be opened', () => {
  test('leaves the text of before in the engine: the next run learns that', async () => {
    const { session, trainer } = await opened(names(30));
    const file = await trainer.save('checkpoint', '');
    const resumed = session.models.resume({
      file: file.slice(0, file.size - 9),
      history: EMPTY_HISTORY,
      preset: 'microgpt',
      text: typedText(names(20)),
    } as unknown as SavedRun);
    await expect(resumed).rejects.toMatchObject({ code: 'truncated' });
    expect((await trainer.plan(SMALL)).documents).toBe(30);
    expect(session.pending()).toEqual([]);
  });

  test('says that the model of before is gone where it had to make room', async () => {
    const { session, trainer } = await opened(names(30));
    const large = {
      preset: 'tinygpt',
      changes: { channels: 512, layers: 6, batch: 1, context: 8 },
    };
    await trainer.prepare(large);
    const weights = await trainer.save('weights', '');
    await trainer.prepare(SMALL);
    const files = { weights: new Unplugged([weights]) };
    session.models.open(
      () => Promise.resolve({ name: 'large', files }),
      () => undefined,
    );
    await expect.poll(() => session.modelError?.code).toBe('file-read');
    expect(session.modelError?.dropped).toBe(true);
    expect(session.run).toBeNull();
  });
});

describe('equal texts are one text', () => {
  test('known by the SHA-256 of their bytes, long ones and on pages without https too', async () => {
    const texts = ['', 'anna', 'long '.repeat(1e6)];
    const known = texts.map((text) => createHash('sha256').update(text).digest('hex'));
    const keys = () => Promise.all(texts.map((text) => sha256(new Blob([text]))));
    expect(await keys()).toEqual(known);
    vi.stubGlobal('crypto', {});
    try {
      expect(await keys()).toEqual(known);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  test('also long ones that are put in again: what is wanted is what the run learns', async () => {
    const long = names(260_000);
    expect(long.length).toBeGreaterThan(2e6);
    const { session } = await opened(long);
    session.setText(typedText(names(20)));
    await expect.poll(() => session.pending()).toEqual([]);
    session.step();
    await expect.poll(() => session.run?.step).toBe(1);
    session.setText(typedText(long));
    // The key of the new text is still being computed, so the session must not take it for the old
    // one.
    expect(session.text.isKnown).toBe(false);
    await expect.poll(() => session.text.isKnown).toBe(true);
    expect(session.pending()).toEqual(['text']);
    session.setText(typedText(names(20)));
    await expect.poll(() => session.pending()).toEqual([]);
  });
});

test('a saved run that is opened keeps its text, whatever is typed while that is read', async () => {
  const { session, trainer } = await opened(names(30));
  session.step();
  await expect.poll(() => session.run?.step).toBe(1);
  const file = await trainer.save('checkpoint', '');
  const text = typedText(names(30));
  let read = (): void => undefined;
  const isRead = new Promise<void>((resolve) => {
    read = resolve;
  });
  const arrayBuffer = text.content.arrayBuffer.bind(text.content);
  const reading = vi.spyOn(text.content, 'arrayBuffer').mockImplementationOnce(async () => {
    await isRead;
    return arrayBuffer();
  });
  const resumed = session.models.resume({
    ...{ file, history: EMPTY_HISTORY, preset: 'microgpt', text },
  } as unknown as SavedRun);
  await expect.poll(() => reading.mock.calls.length).toBe(1);
  session.setText(typedText(names(20)));
  await expect.poll(() => session.pending()).toEqual(['text']);
  read();
  await resumed;
  reading.mockRestore();
  // The session runs requests in order, so this step comes after all earlier ones.
  session.step();
  await expect.poll(() => session.run?.step).toBe(2);
  expect(session.pending()).toEqual([]);
  expect((await trainer.plan(SMALL)).documents).toBe(30);
  trainer.close();
});

test('a run that is held back to be watched takes its time, and ends with the same loss', async () => {
  const SECONDS = 1;
  const ends: number[] = [];
  let took = 0;
  for (const pace of [0, { seconds: SECONDS }]) {
    const trainer = new DirectTrainer(engineBytes());
    const session = new Session(trainer, await trainer.options(), SMALL, () => undefined);
    session.setText(typedText(names(30)));
    session.pace(pace);
    await expect.poll(() => session.run?.state).toBe('ready');
    const began = performance.now();
    session.start();
    await expect.poll(() => session.run?.state, { interval: 5, timeout: 20_000 }).toBe('finished');
    took = performance.now() - began;
    ends.push(session.run?.history.last ?? NaN);
    trainer.close();
  }
  expect(ends[1]).toBe(ends[0]);
  // The pace adds no delay after the last step.
  expect(took).toBeGreaterThan(0.7 * SECONDS * 1000);
});

test('a run that is held back spends half of its time on the first quarter of its steps', () => {
  const steps = 10_000;
  const until = (last: number): number =>
    Array.from({ length: last }, (_, step) => 1 / paceAt({ seconds: 16 }, { step, steps })).reduce((sum, one) => sum + one); // prettier-ignore
  expect(until(steps)).toBeCloseTo(16, 0);
  expect(until(steps / 4) / until(steps)).toBeCloseTo(0.5, 1);
});

test('the steps of a run are told as snapshots, and all else as a change of the state', async () => {
  const trainer = new DirectTrainer(engineBytes());
  const told: string[] = [];
  const session = new Session(trainer, await trainer.options(), SMALL, (what) => {
    told.push(what);
  });
  session.setText(typedText(names(30)));
  session.pace(200);
  session.start();
  await expect.poll(() => told.filter((what) => what === 'snapshot').length).toBeGreaterThan(2);
  told.length = 0;
  session.setRecipe({ ...SMALL, changes: { ...SMALL.changes, channels: 8 } }, false);
  expect(told).toEqual(['state']);
  trainer.close();
});

test('a run is shown together with what it was made with, however early the engine tells of it', async () => {
  const { session, trainer } = await opened(names(30));
  const seen = new Map<number, number>();
  let told = 0;
  trainer.subscribe(({ run }) => {
    told = Math.max(told, run);
    const { current, table } = session;
    if (current !== null) seen.set(current.data.number, valueOf(table, current.recipe, 'channels'));
  });
  session.setRecipe({ ...SMALL, changes: { ...SMALL.changes, channels: 8 } }, false);
  await expect.poll(() => session.plan?.parameters).toBeGreaterThan(0);
  session.step();
  await expect.poll(() => session.run?.step).toBe(1);
  expect([...seen.values()]).toEqual([4, 8]);
  expect(session.run?.number).toBe(told);
  session.rewind();
  await expect.poll(() => session.run?.step).toBe(0);
  expect(session.run?.number).toBe(told);
  expect(session.run?.steps).toBe(session.current?.info.steps);
  trainer.close();
});

test('a run that another took the place of keeps its losses and no attention: six would be 190 MB', async () => {
  const { session, trainer } = await opened(names(30));
  session.watch({ attention: { text: 'name', maxTokens: 8, live: true }, samples: null });
  for (let step = 0; step < 3; step++) session.step();
  await expect.poll(() => session.run?.step).toBe(3);
  await expect.poll(() => session.run?.attentions.entries.length).toBeGreaterThan(0);
  session.setRecipe({ ...SMALL, changes: { ...SMALL.changes, channels: 8 } }, false);
  session.restart(false);
  await expect.poll(() => session.earlier.all.length).toBe(1);
  const { run } = session.earlier.all[0]!;
  expect(run.history.length).toBe(3);
  expect(run.attentions.entries).toEqual([]);
  trainer.close();
});

test('of two models asked for at once the last one stays, however long the first takes to read', async () => {
  const trainer = new DirectTrainer(engineBytes());
  await trainer.setText(new TextEncoder().encode(names(30)));
  await trainer.prepare(SMALL);
  await trainer.step();
  const weights = await trainer.save('checkpoint', '');
  const resumed = trainer.prepare(null, { files: { weights }, purpose: 'resume' });
  const begun = trainer.prepare({ ...SMALL, changes: { ...SMALL.changes, channels: 8 } });
  expect((await resumed).step).toBe(1);
  expect((await begun).step).toBe(0);
  const { tensors } = await trainer.tensors('a', false);
  expect(tensors.find(({ name }) => name === 'embed.token')?.shape.at(-1)).toBe(8);
});

test('a text that cannot be read stops one cure of the text check, and none after it', async () => {
  const { session } = await opened(names(30));
  let text = Promise.reject<string>(new Error('gone'));
  const mends: string[] = [];
  const dependencies = {
    session: () => session,
    actions: {
      readText: () => text,
      onMend: (mended: string) => {
        mends.push(mended);
        return () => undefined;
      },
    },
  } as unknown as TreatmentDependencies;
  const treatment = new Treatment();
  await treatment.apply('duplicates', dependencies);
  expect(treatment.last).toBeNull();
  text = Promise.resolve('anna\nanna\n');
  await treatment.apply('duplicates', dependencies);
  expect(mends).toEqual(['anna\n']);
});

describe('a text that is asked for again', () => {
  const request = { prompt: 'na', maxTokens: 9, temperature: 0.8, topK: 0, topP: 1, seed: 1 };
  const written = async (session: Session) => {
    await expect.poll(() => session.answers.last?.busy).toBe(false);
    return session.answers.last?.again;
  };

  test('is known to be the same, and another seed or another step gives no such word', async () => {
    const { session, trainer } = await opened(names(30));
    const ask = (seed: number) => {
      session.answers.ask({ ...request, seed });
      return written(session);
    };
    expect([await ask(1), await ask(1), await ask(2), await ask(1)]).toEqual([null, 'request', null, null]); // prettier-ignore
    await trainer.step();
    expect(await ask(1)).toBeNull();
  });

  test('with another seed, which changes nothing where the model takes no dice, is called so', async () => {
    const { session } = await opened(names(30));
    const sure = { ...request, temperature: 0 };
    session.answers.ask(sure);
    expect(await written(session)).toBeNull();
    session.answers.another({ ...sure, seed: 2 });
    expect(await written(session)).toBe('seed');
    // After `back`, the current answer is the first one again.
    session.answers.back();
    session.answers.ask(sure);
    expect(await written(session)).toBe('request');
  });
});
