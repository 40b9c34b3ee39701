/** Sample requests during training: the engine that answers, and the step of its weights. */
import { describe, expect, test, vi } from 'vitest';
import { DirectTrainer } from '../web/engine/direct.ts';
import type { CreatedTrainer } from '../web/engine/create.ts';
import type { Recipe } from '../web/engine/options.ts';
import type { SampleRequest } from '../web/engine/trainer.ts';
import { Session } from '../web/store/training/session.ts';
import { typedText } from '../web/store/text/text-source.ts';
import { engineBytes } from './node/load-engine.ts';

const RECIPE = {
  preset: 'microgpt',
  changes: { layers: 1, heads: 1, channels: 8, steps: 1_000_000 },
};
/** A stream model: its samples have no end token. */
const STREAM = {
  preset: 'tinygpt',
  changes: { layers: 1, channels: 8, context: 8, batch: 1, steps: 1_000_000 },
};
const TEXT = 'anna\nbob\nclara\nemma\ngreta\n';
const REQUEST: SampleRequest = {
  ...{ prompt: 'an', maxTokens: 12, temperature: 0.8, topK: 0, topP: 1, seed: 5 },
};

/**
 * Creates a session with a run in training. Returns it with the second engines started for its
 * requests; with place `late` no engine starts, and `fail` rejects the request for one.
 */
async function training(place: CreatedTrainer['place'] | 'late', recipe: Recipe = RECIPE) {
  const trainer = new DirectTrainer(engineBytes(), { slice: 5 });
  const started: DirectTrainer[] = [];
  let fail: (() => void) | null = null;
  const start = (): Promise<CreatedTrainer> => {
    if (place === 'late') {
      return new Promise((_, reject) => {
        fail = () => {
          reject(new Error('no worker came'));
        };
      });
    }
    const second = new DirectTrainer(engineBytes(), { slice: 5 });
    started.push(second);
    return Promise.resolve({ trainer: second, place, preload: null });
  };
  const session = new Session(trainer, await trainer.options(), recipe, () => undefined, start);
  session.setText(typedText(TEXT), null, false);
  session.start();
  await expect.poll(() => session.run?.step).toBeGreaterThan(3);
  return {
    ...{ session, trainer, started },
    /** Null before the session asks for a second engine, and for any place but `late`. */
    fail: () => fail,
  };
}

async function answer(session: Session, request = REQUEST) {
  session.answers.ask(request);
  await expect.poll(() => session.answers.last?.busy).toBe(false);
  return session.answers.last!;
}

/** Returns the sample of a run that was trained to `step`. */
async function writtenAt(step: number): Promise<string> {
  const trainer = new DirectTrainer(engineBytes());
  await trainer.setText(TEXT);
  await trainer.prepare(RECIPE);
  for (let at = 0; at < step; at++) await trainer.step();
  const { text } = await trainer.sample(REQUEST);
  trainer.close();
  return text;
}

describe('a text that is asked for while a run trains', () => {
  test('copies the weights at most twice for many requests that come at once: the last one is answered', async () => {
    const { session, trainer } = await training('worker');
    const saves = vi.fn(trainer.save);
    trainer.save = saves;
    for (let seed = 10; seed < 20; seed++) session.answers.ask({ ...REQUEST, seed });
    expect((await answer(session, { ...REQUEST, seed: 20 })).request.seed).toBe(20);
    expect(saves.mock.calls.length).toBeGreaterThan(0);
    expect(saves.mock.calls.length).toBeLessThanOrEqual(2);
    trainer.close();
  });

  test('is written by a second engine with the weights of the step that it names', async () => {
    const { session, trainer, started } = await training('worker');
    // The training engine must not sample.
    trainer.sample = () => Promise.reject(new Error('it has to train'));
    const first = await answer(session);
    const step = first.result!.step;
    expect(first.error).toBeNull();
    expect(first.text).toBe(await writtenAt(step));
    expect(session.run?.state).toBe('running');
    // Training continued; the same second engine answers again, with newer weights.
    await expect.poll(() => session.run!.step).toBeGreaterThan(step);
    const next = await answer(session);
    expect(next.result!.step).toBeGreaterThan(step);
    expect(started).toHaveLength(1);
    trainer.close();
  });

  test('is written by the trainer once the run stands, and the second engine is given up', async () => {
    const { session, trainer, started } = await training('worker');
    await answer(session);
    session.pause();
    await expect.poll(() => session.run?.state).toBe('paused');
    const { result, text } = await answer(session);
    expect(result?.step).toBe(session.run?.step);
    expect(text).toBe((await trainer.sample(REQUEST)).text);
    await started[0]!.closed;
    trainer.close();
  });

  test('leaves no second engine behind once the run stands and the text is written', async () => {
    const { session, trainer, started } = await training('worker', STREAM);
    await answer(session);
    session.pause();
    await started[0]!.closed;
    session.start();
    await expect.poll(() => session.run?.state).toBe('running');
    // An engine still sampling when the run stops is closed after its last token.
    session.answers.ask({ ...REQUEST, maxTokens: 30_000 });
    await expect.poll(() => session.answers.last?.text).not.toBe('');
    session.pause();
    await expect.poll(() => session.answers.last?.busy).toBe(false);
    expect(session.answers.last?.result).toMatchObject({ cancelled: false, tokens: 30_000 });
    await started[1]!.closed;
    trainer.close();
  });

  test('can be stopped, and the second engine ends with the first', async () => {
    const { session, trainer, started } = await training('worker', STREAM);
    session.answers.ask({ ...REQUEST, maxTokens: 65_536 });
    await expect.poll(() => session.answers.last?.text).not.toBe('');
    session.answers.cancel();
    await expect.poll(() => session.answers.last?.busy).toBe(false);
    expect(session.answers.last?.result?.cancelled).toBe(true);
    trainer.close();
    await started[0]!.closed;
  });

  test('is come back to as it was written, though the model has learned meanwhile', async () => {
    const { session, trainer } = await training('worker');
    const first = await answer(session);
    const another = { ...REQUEST, seed: 6 };
    session.answers.another(another);
    await expect.poll(() => session.answers.last?.busy).toBe(false);
    // A newer request is in progress; its text must not replace the answer restored by `back`.
    session.answers.ask(another);
    expect(session.answers.back()).toBe(first);
    await expect.poll(() => session.run!.step).toBeGreaterThan(first.result!.step);
    expect(session.answers.last).toBe(first);
    expect(session.answers.hasPassed).toBe(false);
    expect(session.answers.back()).toBeNull();
    trainer.close();
  });

  test('is not stopped by one that was asked for before, whose engine came to nothing', async () => {
    const { session, trainer, fail } = await training('late', STREAM);
    session.answers.ask(REQUEST);
    await expect.poll(fail).not.toBeNull();
    session.pause();
    await expect.poll(() => session.run?.state).toBe('paused');
    const long = { ...REQUEST, maxTokens: 60_000 };
    session.answers.ask(long);
    await expect.poll(() => session.answers.last?.text).not.toBe('');
    fail()!();
    await expect.poll(() => session.answers.last?.busy).toBe(false);
    expect(session.answers.last?.result).toMatchObject({ cancelled: false, tokens: 60_000 });
    trainer.close();
  });

  test('is written by the trainer where a second engine could only share its thread', async () => {
    const { session, trainer, started } = await training('page');
    const { error, text, result } = await answer(session);
    expect(error).toBeNull();
    expect(text).toBe(await writtenAt(result!.step));
    await Promise.all(started.map(({ closed }) => closed));
    trainer.close();
  });
});

test('a question keeps its engine when the run ends before the answer, and then gives it up', async () => {
  const { session, trainer, started } = await training('worker');
  let goOn = (): void => undefined;
  let asked = 0;
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  const resource = session.asker.resource(null, {
    key: 'slow',
    ask: async (model) => {
      asked++;
      await gate;
      return model.analyse('anna', 10);
    },
  })!;
  const end = resource.want();
  await expect.poll(() => asked).toBe(1);
  session.pause();
  await expect.poll(() => session.run?.state).toBe('paused');
  goOn();
  await expect.poll(() => resource.answer.value.value).not.toBeNull();
  expect(asked).toBe(1);
  await started[0]!.closed;
  end();
  trainer.close();
});
