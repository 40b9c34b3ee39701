/** Files that a reader chooses or drops, under the locks of a lesson: web/store/opened-files.ts. */
import { expect, test, vi } from 'vitest';
import { FREE } from '../web/store/address/lesson.ts';
import { OpenedFiles } from '../web/store/opened-files.ts';
import type { OpenedFilesOptions } from '../web/store/opened-files.ts';

const MODEL = new File(['weights'], 'tiny.safetensors');
const RUN = new File(['run'], 'tiny.glasshouse');

/** Opens files in a lesson with these locks. Returns the opened files and the errors of others. */
function opened(locks: readonly string[], files: readonly File[]) {
  const refuse = vi.fn<OpenedFilesOptions['textController']['refuse']>();
  const [open, openRun] = [vi.fn(), vi.fn()];
  const all = new OpenedFiles({
    session: () => ({ models: { open, forgetFailure: () => undefined } }),
    textController: { forgetFailure: () => undefined, refuse, requests: 0 },
    source: () => 'names',
    lesson: () => ({ ...FREE, lock: new Set(locks) }),
    openRun,
    changed: () => undefined,
    saveAddress: () => undefined,
  } as unknown as OpenedFilesOptions);
  all.openModelOrRun([...files]);
  const reasons = refuse.mock.calls.map(([why]) => `${why.code} ${why.subject}`);
  return { models: open.mock.calls.length, runs: openRun.mock.calls.length, reasons };
}

test.each([
  ['text', 1],
  ['ask', 1],
  ['settings', 0],
  ['model', 0],
])('a model is opened in a lesson that locks %s: %i', (lock, models) => {
  const reasons = models === 1 ? [] : ['file-locked tiny.safetensors'];
  expect(opened([lock], [MODEL])).toEqual({ models, runs: 0, reasons });
});

test.each(['text', 'settings', 'model'])(
  'a saved run, which brings all of these, is not opened in a lesson that locks %s',
  (lock) => {
    const reasons = ['file-locked tiny.glasshouse'];
    expect(opened([lock], [RUN])).toEqual({ models: 0, runs: 0, reasons });
  },
);

test('without a lock both are opened', () => {
  expect(opened([], [MODEL])).toEqual({ models: 1, runs: 0, reasons: [] });
  expect(opened([], [RUN])).toEqual({ models: 0, runs: 1, reasons: [] });
});
