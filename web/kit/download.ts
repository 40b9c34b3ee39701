/** Offers files to the reader as downloads. */
import { sentences } from '../i18n/index.ts';
import type { Words } from '../i18n/index.ts';

/** Starts the download of a file. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the file by then.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}

/**
 * Appends a warning to `text`, the report of a saved file, if a sandbox may forbid downloads: the
 * browser then drops them without an error. Empty text stays empty.
 */
export function saidSaved(text: string, words: Words): string {
  const more = text === '' || isFreeToDownload() ? '' : words.t('export.sandboxed');
  return sentences([text, more], words);
}

/**
 * Whether no sandbox can forbid downloads. The attributes of a frame are readable from inside only
 * if the page around it has the same origin, and sandboxes apply to all frames within them; so any
 * frame in a page of another origin counts as sandboxed.
 */
function isFreeToDownload(): boolean {
  // Only a sandbox makes this origin opaque, except for local files.
  if (self.origin === 'null' && location.protocol !== 'file:') return false;
  for (let view: Window = self; view !== view.parent; view = view.parent) {
    const frame = view.frameElement;
    const flags = frame?.getAttribute('sandbox')?.toLowerCase().split(/\s+/);
    if (frame === null || flags?.includes('allow-downloads') === false) return false;
  }
  return true;
}
