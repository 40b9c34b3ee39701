/** Recordings used by component tests: the current engine reproduces every byte. */
import { expect, it } from 'vitest';
import { answerAll, recordingNames } from './recordings/recorder.ts';

it('has recordings to compare', () => {
  expect(recordingNames()).toContain('names');
});

it.each(recordingNames())('the engine answers as in the recording %s', async (name) => {
  expect(await answerAll(name)).toEqual([]);
});
