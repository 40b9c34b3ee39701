/** Questions to the model of a step: web/store/ask.ts. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failure } from '../web/engine/errors.ts';
import type { Model } from '../web/engine/past-run.ts';
import { ANSWER_BYTES, Asker, together } from '../web/store/ask.ts';
import type { AskedRun, Question } from '../web/store/ask.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** An asker of a run at step 10 whose model answers with the step that it is asked at. */
function askerOf(step = 10) {
  const run = { number: 1, step };
  const signals: AbortSignal[] = [];
  const modelAt = vi.fn<AskedRun['modelAt']>((step, { signal }) => {
    signals.push(signal!);
    return Promise.resolve({ step: step ?? run.step } as unknown as Model);
  });
  const trainer = { step } as unknown as Model;
  const asker = new Asker({ trainer, run: () => run, modelAt, onAnswer: () => undefined });
  return { asker, run, modelAt, signals };
}

/** A question that a model answers with its own step. */
const stepQuestion: Question<{ readonly step: number }> = {
  key: 'step',
  ask: (model) => Promise.resolve(model as unknown as { readonly step: number }),
};

/** A question that answers as told, one call after the other; the last answer repeats. */
function scripted(...answers: readonly (() => Promise<unknown>)[]): Question<unknown> {
  let calls = 0;
  return { key: 'scripted', ask: () => answers[Math.min(calls++, answers.length - 1)]!() };
}
const fails = (code: 'allocation' | 'cancelled') => () => Promise.reject(failure(code, ''));

test('a resource is computed only while somebody wants it', async () => {
  const { asker, modelAt } = askerOf();
  const resource = asker.resource(3, stepQuestion)!;
  await vi.runAllTimersAsync();
  expect(modelAt).not.toHaveBeenCalled();
  resource.want();
  await vi.runAllTimersAsync();
  expect(resource.answer.value).toEqual({ value: { step: 3 }, step: 3, error: null, going: null });
});

test('an answer is cached for the next who wants it', async () => {
  const { asker, modelAt } = askerOf();
  const end = asker.resource(3, stepQuestion)!.want();
  await vi.runAllTimersAsync();
  end();
  const next = asker.resource(3, stepQuestion)!;
  next.want();
  await vi.runAllTimersAsync();
  expect(next.answer.value.value).toEqual({ step: 3 });
  expect(modelAt).toHaveBeenCalledTimes(1);
});

test('one question is asked at a time', async () => {
  const { asker } = askerOf();
  let [now, most] = [0, 0];
  const slow = (key: string): Question<string> => ({
    key,
    ask: async () => {
      most = Math.max(most, ++now);
      // Two turns of the queue, in which others could begin.
      await Promise.resolve().then(() => Promise.resolve());
      now--;
      return key;
    },
  });
  const resources = ['a', 'b', 'c'].map((key) => asker.resource(3, slow(key))!);
  for (const resource of resources) resource.want();
  await vi.runAllTimersAsync();
  expect(resources.map(({ answer }) => answer.value.value)).toEqual(['a', 'b', 'c']);
  expect(most).toBe(1);
});

test('the newest step is asked again when the run has gone on, at most every 300 ms', async () => {
  const { asker, run, modelAt } = askerOf();
  const { answer, want } = asker.resource(null, stepQuestion)!;
  want();
  await vi.advanceTimersByTimeAsync(0);
  expect(answer.value.step).toBe(10);
  run.step = 20;
  asker.look();
  await vi.advanceTimersByTimeAsync(290);
  expect(modelAt).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(20);
  expect(answer.value.step).toBe(20);
});

test('an answer that is the same at all steps is asked for once in a run', async () => {
  const { asker, run, modelAt } = askerOf();
  asker.resource(null, { ...stepQuestion, isConstant: true })!.want();
  await vi.runAllTimersAsync();
  run.step = 20;
  asker.look();
  await vi.runAllTimersAsync();
  expect(modelAt).toHaveBeenCalledTimes(1);
});

test('the trainer answers for gradients of its own step, and a past model for those of others', async () => {
  const { asker, modelAt } = askerOf();
  const gradients = { ...stepQuestion, isOfTrainer: true };
  const [newest, past] = [null, 3].map((step) => asker.resource(step, gradients)!);
  for (const { want } of [newest!, past!]) want();
  await vi.runAllTimersAsync();
  expect([newest!, past!].map(({ answer }) => answer.value.step)).toEqual([10, 3]);
  expect(modelAt.mock.calls.map(([step]) => step)).toEqual([3]);
});

test('a new question is not kept waiting by one that repeats', async () => {
  const { asker, run } = askerOf();
  asker.resource(null, stepQuestion)!.want();
  await vi.advanceTimersByTimeAsync(0);
  run.step = 20;
  asker.look();
  const { answer, want } = asker.resource(5, stepQuestion)!;
  want();
  await vi.advanceTimersByTimeAsync(0);
  expect(answer.value.step).toBe(5);
});

test.each([
  [
    'an answer that was cancelled',
    scripted(fails('cancelled'), () => Promise.resolve({ step: 3 })),
  ],
  [
    'an answer that was cut short',
    scripted(
      () => Promise.resolve({ step: 3, cancelled: true }),
      () => Promise.resolve({ step: 3 }),
    ),
  ],
  [
    'an answer of another step',
    scripted(
      () => Promise.resolve({ step: 4 }),
      () => Promise.resolve({ step: 3 }),
    ),
  ],
])('%s is asked for again', async (_, question) => {
  const { asker, modelAt } = askerOf();
  const { answer, want } = asker.resource(3, question)!;
  want();
  await vi.runAllTimersAsync();
  expect(answer.value).toEqual({ value: { step: 3 }, step: 3, error: null, going: null });
  expect(modelAt).toHaveBeenCalledTimes(2);
});

test('answers of one model are of one step', async () => {
  const { asker } = askerOf();
  const first = scripted(() => Promise.resolve({ step: 10 }));
  const second = scripted(
    () => Promise.resolve({ step: 11 }),
    () => Promise.resolve({ step: 10 }),
  );
  const { answer, want } = asker.resource(null, together(first, second))!;
  want();
  await vi.runAllTimersAsync();
  expect(answer.value.value).toEqual([{ step: 10 }, { step: 10 }]);
});

test('a failure stays until the run goes on or somebody tries again', async () => {
  const { asker, run, modelAt } = askerOf();
  const { answer, want, retry } = asker.resource(3, scripted(fails('allocation')))!;
  want();
  await vi.runAllTimersAsync();
  expect(answer.value.error?.code).toBe('allocation');
  asker.look();
  await vi.runAllTimersAsync();
  expect(modelAt).toHaveBeenCalledTimes(1);
  retry();
  await vi.runAllTimersAsync();
  expect(modelAt).toHaveBeenCalledTimes(2);
  run.step = 11;
  asker.look();
  await vi.runAllTimersAsync();
  expect(modelAt).toHaveBeenCalledTimes(3);
});

test.each([
  'Failed to fetch dynamically imported module: https://a.example/b.js',
  'error loading dynamically imported module: https://a.example/b.js',
  'Importing a module script failed.',
])(
  'a script that could not be fetched is fetched when the answer is wanted again: %s',
  async (why) => {
    const { asker } = askerOf();
    const question = scripted(
      () => Promise.reject(new TypeError(why)),
      () => Promise.resolve({ step: 3 }),
    );
    const { answer, want } = asker.resource(3, question)!;
    const end = want();
    await vi.runAllTimersAsync();
    expect(answer.value.error?.code).toBe('script');
    end();
    want();
    await vi.runAllTimersAsync();
    expect(answer.value).toEqual({ value: { step: 3 }, step: 3, error: null, going: null });
  },
);

test('a question that was given up without an answer is not kept', () => {
  const { asker } = askerOf();
  const before = asker.resource(3, stepQuestion)!;
  before.want()();
  expect(asker.resource(3, stepQuestion)!.answer).not.toBe(before.answer);
});

test('a question that nobody wants any more is ended', async () => {
  const { asker, signals } = askerOf();
  const never: Question<never> = { key: 'never', ask: () => new Promise(() => undefined) };
  const [one, other] = [asker.resource(3, never)!.want(), asker.resource(3, never)!.want()];
  await vi.advanceTimersByTimeAsync(0);
  one();
  expect(signals[0]!.aborted).toBe(false);
  other();
  expect(signals[0]!.aborted).toBe(true);
});

test('answers of another run are forgotten', async () => {
  const { asker, run } = askerOf();
  const before = asker.resource(3, stepQuestion)!;
  const end = before.want();
  await vi.runAllTimersAsync();
  end();
  run.number = 2;
  asker.look();
  expect(asker.resource(3, stepQuestion)!.answer.value.value).toBeNull();
  run.number = 1;
  expect(asker.resource(3, stepQuestion)!.answer.value.value).toBeNull();
});

test('answers that nobody wants stay within the budget, the most recently wanted longest', async () => {
  const { asker } = askerOf();
  const large: Question<{ readonly data: Uint8Array }> = {
    key: 'large',
    ask: () => Promise.resolve({ data: new Uint8Array(ANSWER_BYTES * 0.4) }),
  };
  for (const step of [1, 2, 3]) {
    const end = asker.resource(step, large)!.want();
    await vi.runAllTimersAsync();
    end();
  }
  asker.resource(4, stepQuestion)!.want();
  await vi.runAllTimersAsync();
  const kept = [1, 2, 3].map((step) => asker.resource(step, large)!.answer.value.value !== null);
  expect(kept).toEqual([false, true, true]);
});
