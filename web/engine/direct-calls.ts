/**
 * Implements each call of Trainer on the engine: one function per call, whose first argument is the
 * state of the direct trainer, followed by the arguments of the call. A function that reads `run`,
 * `inside`, `snapshots` or `index` rejects with `state` without a model.
 */
import { TRACES } from '../base/form.ts';
import { KEEP_BOTH_BYTES } from './engine-state.ts';
import type { EngineState } from './engine-state.ts';
import { failure } from './errors.ts';
import type { Method } from './remote.ts';
import { fileOf, historyOf } from './run.ts';
import { sampleRequest } from './sampling.ts';
import type { Trainer } from './trainer.ts';

type Implementations = {
  readonly [Name in Method]: (
    state: EngineState,
    ...args: Parameters<Trainer[Name]>
  ) => ReturnType<Trainer[Name]> | Awaited<ReturnType<Trainer[Name]>>;
};

/** Default limit of tokens in the attention probe of `probe`. */
const PROBE_TOKENS = 64;

async function formatsOf({ engine }: EngineState) {
  if (!TRACES) throw failure('questions', 'this form of the page has no other formats');
  const { exports } = await engine();
  return [await import('./formats.ts'), exports] as const;
}

const IMPLEMENTATIONS: Implementations = {
  // ---- Texts, plans and runs
  options: ({ maker }) => maker.options(),
  setText: ({ maker, tracing }, text) => {
    // Freed first, because the index reads the previous text.
    tracing.forget();
    return maker.setText(text);
  },
  plan: ({ maker }, recipe, origin) => maker.plan(recipe, origin),
  fit: ({ maker }, version) => maker.fit(version),
  prepare: (state, recipe, origin) => state.inTurn(() => state.prepare(recipe, origin)),
  start: ({ run, loop }, until) => loop.start(run, until),
  pause: ({ run, loop }) => loop.pause(run),
  step: ({ run, loop }) => loop.step(run),
  rewind: (state) => state.rewind(),
  pace: ({ loop }, pace) => loop.pace(pace),
  rest: ({ loop }, milliseconds) => loop.rest(milliseconds),
  set: ({ run, snapshots, reporter }, option, value) => {
    run.model.set(option, value);
    snapshots?.change(run, option, value);
    run.steps = run.model.get('steps');
    if (run.state === 'finished' && run.step < run.steps) run.state = 'paused';
    reporter.publish(true);
  },
  watch: ({ slot, reporter, loop }, watch) => {
    const before = reporter.watch;
    reporter.watch = watch;
    const { run } = slot;
    if (run === null) return;
    if (before.samples === null && watch.samples !== null) loop.writeSample(run);
    if (run.state !== 'running') reporter.probe(true);
    reporter.publish(true);
  },

  // ---- Texts that the model writes
  sample: ({ writing }, request, onText) => writing.sample(request, onText),
  cancelSample: async ({ writing }) => {
    writing.cancel();
    await writing.ended;
  },
  beginGeneration: ({ inside }, request) => inside.generation.begin(sampleRequest(request)),
  nextToken: ({ inside }) => inside.generation.next(null),
  takeToken: ({ inside }, id) => inside.generation.next(id),
  undoToken: ({ inside }) => inside.generation.undo(),
  adjustSampling: ({ inside }, sampling) => inside.generation.adjust(sampling),
  endGeneration: ({ slot }) => slot.run?.inside.generation.end(),

  // ---- Inside a model
  architecture: ({ maker }, recipe, vocab) => maker.architecture(recipe, vocab),
  parameterCounts: async ({ maker }, recipes, vocab) => {
    await maker.options();
    const counts = recipes.map((recipe) =>
      maker.architecture(recipe, vocab).then(
        ({ weights }) => weights,
        () => NaN,
      ),
    );
    return Promise.all(counts);
  },
  probe: ({ inside }, text, maxTokens = PROBE_TOKENS) => inside.attention(text, maxTokens),
  untrainedHeads: ({ inside, maker }, text, maxTokens) =>
    inside.untrainedHeads(text, maxTokens, maker.text, KEEP_BOTH_BYTES),
  analyse: ({ inside }, text, maxTokens, isCut = false) => inside.analyse(text, maxTokens, isCut),
  tensors: ({ inside }, text, gradients) => inside.tensors.list(text, gradients),
  tensor: ({ inside }, index, slice) => inside.tensors.read(index, slice),
  vocabulary: ({ inside }, first, count) => inside.vocabulary(first, count),
  merges: ({ inside }, first, count) => inside.merges(first, count),

  // ---- Questions about the text
  indexText: async ({ index }, onProgress) => (await index).build(onProgress),
  trace: async ({ index }, text) => (await index).trace(text),
  yardsticks: async ({ index }) => (await index).yardsticks(),
  scoreByTable: async ({ index }, order, ids) => (await index).score(order, ids),
  writeByTable: async ({ index }, order, prompt, maxTokens, seed) =>
    (await index).write(order, prompt, maxTokens, seed),

  // ---- The past of the run
  // `inTurn`, so that the first snapshot is kept even if `prepare` follows at once.
  keepMoments: (state, bytes, fileBytes = 0) =>
    state.inTurn(() => state.keepMoments(bytes, fileBytes)),
  giveMoments: ({ run, snapshots }, moments) => snapshots?.restore(run, moments) ?? run.step,
  moments: ({ snapshots }) => snapshots?.steps ?? [],
  wayBack: ({ run, snapshots }, step, have) => {
    const way = snapshots?.wayBack(run, step, have);
    if (way === undefined) throw failure('past', 'no moments are kept', [step, run.step]);
    return way;
  },
  goBack: (state, way, onProgress) => state.goBack(way, onProgress),
  giveUpWay: (state) => state.giveUpWay(),

  // ---- Files and receipts
  inspect: ({ maker }, files) => maker.inspect(files),
  save: ({ run }, form, note = '') => fileOf(run, form, note),
  convert: async (state, weights, form, said) => {
    const [formats, exports] = await formatsOf(state);
    return formats.exportAs(exports, weights, form, said);
  },
  measure: async (state, weights, form) => {
    const [formats, exports] = await formatsOf(state);
    return formats.sizeAs(exports, weights, form);
  },
  translate: async (state, file) => {
    const [formats, exports] = await formatsOf(state);
    return formats.importFile(exports, file);
  },
  checkpoint: ({ run, reporter }, note = '') => {
    const begun = performance.now();
    const file = fileOf(run, 'checkpoint', note);
    const { number, state, step, steps } = run;
    const history = historyOf(run);
    const cost = performance.now() - begun;
    reporter.catchUp();
    return { file, history, run: number, state, step, steps, cost };
  },
  receipt: ({ run: { model } }) => ({ line: model.receiptLine(), json: model.receiptJson() }),
  verify: async (state, json, text, onProgress) => {
    const signal = state.endReplay();
    const { verifyReceipt } = await import('./verify.ts');
    return verifyReceipt(state.source, json, text, { signal, ...(onProgress && { onProgress }) });
  },
  cancelVerify: (state) => {
    state.endReplay();
  },
};

/** Runs the implementation of a call; throws or rejects like it. */
export function answerOf(state: EngineState, name: Method, args: readonly unknown[]): unknown {
  const compute = IMPLEMENTATIONS[name] as (
    state: EngineState,
    ...args: readonly unknown[]
  ) => unknown;
  return compute(state, ...args);
}
