/** The note at the foot of the page: where training happens, and on how many threads. */
import type { Words } from '../i18n/index.ts';
import type { RunData } from './run-data.ts';

/** Nothing is said of threads before the first step: they come while the page waits to be used. */
export function showPlace(words: Words, place: 'worker' | 'page', run: RunData | null): void {
  const note = document.getElementById('place-note');
  if (note === null) return;
  const text = place === 'page' ? words.t('app.place.page') : threadsText(words, run);
  if (note.textContent !== text) note.textContent = text;
  note.hidden = text === '';
}

function threadsText({ t }: Words, run: RunData | null): string {
  if (run === null || run.step === 0) return '';
  return run.threads > 1 ? t('app.place.threads', { threads: run.threads }) : t('app.place.thread');
}
