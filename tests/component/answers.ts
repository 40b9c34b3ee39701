/** Vitest's global set-up: renews stale recordings with the engine's answers. */
import { answerAll, isStale, recordingNames } from '../recordings/recorder.ts';

export default async function answers(): Promise<void> {
  if (process.env['RECORD'] === '1') return;
  for (const name of recordingNames()) if (isStale(name)) await answerAll(name);
}
