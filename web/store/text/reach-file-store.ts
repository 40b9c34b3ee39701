/** Opens the store of readers' own texts on demand. */
import { KEPT } from '../../base/form.ts';
import { failure } from '../../engine/errors.ts';
import { tabId } from '../storage.ts';
import type { FileStore } from './file-store.ts';

let files: Promise<FileStore> | null = null;

/** The store; after a failure the next call tries again. */
export function fileStore(): Promise<FileStore> {
  files ??= KEPT
    ? import('./file-store.ts').then(({ openFileStore }) => openFileStore(tabId()))
    : Promise.reject(failure('storage-denied', 'no texts are kept here'));
  files.catch(() => {
    files = null;
  });
  return files;
}
