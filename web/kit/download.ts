/** Files for the reader. */
import type { Words } from '../i18n/index.ts';

/** Hands a file to the reader, as a download. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken hold of it long before.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}

/**
 * `text`, which says that a file is saved, with what has to be known of that in a sandbox: there
 * the browser drops downloads, and tells nobody, unless the page around allows them.
 */
export function saidSaved(text: string, words: Words): string {
  const isSandboxed = self.origin === 'null' && location.protocol !== 'file:';
  const more = isSandboxed ? words.find('export.sandboxed') : null;
  return more === null || text === '' ? text : `${text} ${more}`;
}
