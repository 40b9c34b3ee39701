/** A script of calls of the package, and the transcript of their answers. */
import { plain } from './plain.ts';
import { checkpointOf } from './runs.ts';
import type { Package } from './runs.ts';

export interface Call {
  readonly call: string;
  readonly args: unknown;
  answer?: unknown;
  /** Code, numbers and subject of the error that the call rejects with. */
  error?: unknown;
}

/** `Target` with asynchronous methods. */
type Recorded<Target> = {
  readonly [Name in keyof Target]: Target[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : Target[Name];
};

/** Wraps `target` so that `log` records the calls of its methods. */
function recorded<Target extends object>(
  name: string,
  target: Target,
  log: Call[],
): Recorded<Target> {
  const proxy = new Proxy(target, {
    get: (_, key) => {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]): Promise<unknown> => {
        const call: Call = { call: `${name}.${String(key)}`, args: await plain(args) };
        log.push(call);
        try {
          const answer: unknown = await Reflect.apply(member, target, args);
          call.answer = (await plain(answer)) ?? null;
          return answer;
        } catch (thrown) {
          const { code, values, subject } = thrown as Record<string, unknown>;
          call.error = await plain({ code, values, subject });
          return undefined;
        }
      };
    },
  });
  return proxy as unknown as Recorded<Target>;
}

const NAMES = 'anna\nbella\nhanna\nalba\nnora\nleonora\n'.repeat(3);
const CHANGES = { layers: 1, heads: 2, channels: 8, context: 8, batch: 2, steps: 20, validation: 0.2 }; // prettier-ignore
const RECIPE = { preset: 'microgpt', changes: CHANGES } as const;

/** Runs the calls one after the other. */
export async function callPackage(library: Package): Promise<Call[]> {
  const log: Call[] = [];
  const open = await library.createTrainer();
  const trainer = recorded('trainer', open, log);
  const all = recorded('glasshouse', { ...library }, log);

  await all.encodeText('anna\n小明\n');
  await trainer.options();
  await trainer.plan(RECIPE);
  await trainer.setText(NAMES);
  await trainer.fit();
  await trainer.plan(RECIPE);
  await trainer.plan({ preset: 'tinygpt', changes: { heads: 3 } });
  await trainer.plan({ preset: 'none' as never });
  await trainer.architecture(RECIPE, 12);
  await trainer.parameterCounts([RECIPE, { preset: 'gpt2' }], 12);
  await trainer.step();
  await trainer.prepare(RECIPE);
  await trainer.keepMoments(1e7);
  await trainer.pace(0);
  await trainer.rest(0);
  await trainer.watch({ attention: null, samples: { count: 2, maxTokens: 8 } });
  await trainer.step();
  await trainer.set('lr', 0.02);
  await trainer.set('wings' as never, 2);
  await trainer.set('layers', 2);
  await trainer.step();
  await trainer.checkpoint('{"text":"own"}');
  await trainer.moments();
  await trainer.wayBack(1);
  await all.finishRun(open);
  await trainer.checkpoint('');
  await trainer.receipt();

  await trainer.sample({ prompt: 'an', maxTokens: 8, temperature: 0 });
  await trainer.sample({
    prompt: 'an',
    maxTokens: 12,
    temperature: 1,
    topK: 3,
    topP: 0.9,
    seed: 7,
  });
  await trainer.sample({});
  await trainer.sample({ prompt: 'ж' });
  await trainer.beginGeneration({ prompt: 'a', temperature: 1, topK: 0, topP: 1, seed: 7 });
  await trainer.nextToken();
  await trainer.takeToken(1);
  await trainer.undoToken();
  await trainer.adjustSampling({ temperature: 0, topK: 2, topP: 1 });
  await trainer.nextToken();
  await trainer.endGeneration();
  await trainer.nextToken();

  await trainer.probe('anna');
  await trainer.untrainedHeads('anna', 8);
  await trainer.analyse('hanna\nnora', 16);
  await trainer.tensors('anna', true);
  await trainer.tensor(0, { gradient: false });
  await trainer.vocabulary(0, 20);
  await trainer.merges(0, 5);
  await trainer.indexText();
  await trainer.trace('hanna\nnoranna\n');
  await trainer.yardsticks();
  await trainer.scoreByTable(2, [1, 2, 3]);
  await trainer.writeByTable(2, 'an', 12, 1);
  await trainer.at(0.5);
  await trainer.at(99);
  const past = await trainer.at(3);
  const model = recorded('past', past, log);
  await model.sample({ prompt: 'an', maxTokens: 8, temperature: 0 });
  await model.receipt();
  await model.save('weights', '');

  const { json } = await open.receipt();
  const weights = await open.save('weights', 'a note');
  const checkpoint = await open.save('checkpoint', '{"text":"own"}');
  await trainer.inspect({ weights });
  await trainer.inspect({ weights: checkpoint });
  await trainer.inspect({ weights: new Uint8Array([1, 2, 3]) });
  await trainer.measure(weights, 'gguf');
  await trainer.convert(weights, 'gguf');
  const other = await library.createTrainer({ place: 'direct', past: 0 });
  await other.prepare(null, { files: { weights: checkpointOf('gpt2') }, purpose: 'generate' });
  const gguf = await other.convert(await other.save('weights', ''), 'gguf');
  other.close();
  const files = await trainer.translate(gguf);
  await trainer.inspect(files);
  await trainer.translate(new Uint8Array([1, 2, 3]));
  await trainer.verify(json, new TextEncoder().encode(NAMES));
  await all.verifyReceipt(json, NAMES);
  await all.verifyReceipt(json, [NAMES.slice(1), NAMES]);
  await all.verifyReceipt(json, `${NAMES}ida\n`);
  await all.verifyReceipt(json, NAMES, { maxSteps: 5 });
  await all.verifyReceipt(json.replace(/"lr":[\d.]+/, '"lr":1'), NAMES);
  await all.verifyReceipt('{}', NAMES);
  await all.receiptRuns({ json });

  await trainer.rewind();
  await trainer.step();
  for (const purpose of ['resume', 'train', 'fork', 'generate'] as const) {
    await trainer.prepare(null, { files: { weights: checkpoint }, purpose });
    await trainer.step();
  }
  await trainer.prepare(null, { files: { weights }, purpose: 'train' });
  await trainer.step();
  await trainer.setText('anna\nж\n');
  await trainer.prepare(null, { files: { weights }, purpose: 'train' });
  await trainer.setText('');
  await trainer.prepare(RECIPE);
  await trainer.setText(5 as never);
  open.close();
  await trainer.step();
  await trainer.at(1);
  return log;
}

/** Lists every export of a module with its type, and the members of classes and trainers. */
export async function describePackage(library: Package) {
  const kinds = (object: object): Record<string, string> =>
    Object.fromEntries(Object.entries(object).map(([name, one]) => [name, typeof one]));
  const trainer = await library.createTrainer();
  const methods = new Set<string>();
  for (
    let from: object = trainer;
    from !== Object.prototype;
    from = Object.getPrototypeOf(from) as object
  ) {
    // prettier-ignore
    for (const name of Object.getOwnPropertyNames(from)) {
      const value: unknown = Object.getOwnPropertyDescriptor(from, name)?.value;
      if (typeof value === 'function' && name !== 'constructor') methods.add(name);
    }
  }
  trainer.close();
  const error = new library.GlasshouseError({ code: 'a', message: 'b', values: [1], subject: 'c' });
  return {
    exports: kinds(library),
    // `hold` and `flush` serve only the worker that wraps a trainer.
    trainer: [...methods].filter((name) => name !== 'hold' && name !== 'flush').sort(),
    error: { ...kinds(error), name: error.name, message: error.message },
  };
}
