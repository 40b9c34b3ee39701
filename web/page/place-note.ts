/** The note at the foot of the page: the thread or threads that train. */
import type { Words } from '../i18n/index.ts';
import type { RunData } from '../store/training/run-data.ts';

/** The text of the note. Empty before the first step of a worker: its threads may still start. */
export function placeText(words: Words, place: 'worker' | 'page', run: RunData | null): string {
  return place === 'page' ? words.t('app.place.page') : threadsText(words, run);
}

/** Writes `text` into the note; an empty note is hidden. */
export function showPlace(text: string): void {
  const note = document.getElementById('place-note');
  if (note === null) return;
  if (note.textContent !== text) note.textContent = text;
  note.hidden = text === '';
}

function threadsText({ t }: Words, run: RunData | null): string {
  if (run === null || run.step === 0) return '';
  return run.threads > 1 ? t('app.place.threads', { threads: run.threads }) : t('app.place.thread');
}
