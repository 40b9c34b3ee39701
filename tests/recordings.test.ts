/** The recordings that component tests run on: every byte is what the engine gives now. */
import { expect, it } from 'vitest';
import { answerAll, recordingNames } from './recordings/recorder.ts';

it('has recordings to compare', () => {
  expect(recordingNames()).toContain('names');
});

it.each(recordingNames())('the engine answers as in the recording %s', async (name) => {
  expect(await answerAll(name)).toEqual([]);
});
