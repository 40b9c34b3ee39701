/** Vitest's global set-up: the answers of all recordings, from the engine where they are stale. */
import { answerAll, isStale, recordingNames } from '../recordings/recorder.ts';

export default async function answers(): Promise<void> {
  if (process.env['RECORD'] === '1') return;
  for (const name of recordingNames()) if (isStale(name)) await answerAll(name);
}
