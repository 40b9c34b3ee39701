/** Offers files to the reader as downloads. */
import type { Words } from '../i18n/index.ts';

/** Starts the download of a file. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has opened the URL long before.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}

/**
 * Appends a warning to `text`, the report of a saved file, if the page is sandboxed: the browser
 * then drops downloads without an error, unless the host page allows them. Empty text stays empty.
 */
export function saidSaved(text: string, words: Words): string {
  const isSandboxed = self.origin === 'null' && location.protocol !== 'file:';
  const more = isSandboxed ? words.find('export.sandboxed') : null;
  return more === null || text === '' ? text : `${text} ${more}`;
}
