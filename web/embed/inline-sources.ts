/** Engine and sample texts inside the module, for forms that are one file. */
import { engine, texts } from 'virtual:inlined';
import { createTrainer } from '../engine/create.ts';
import type { CreatedTrainer } from '../engine/create.ts';
import { failure } from '../engine/errors.ts';
import type { Sources } from '../page/sources.ts';
import { samplesBelow } from '../store/text/text-source.ts';
import { SAMPLE_TEXTS } from '../store/text/texts.ts';
import { bytesOfText } from './bytes-as-text.ts';
import { WORKERS } from './inline-worker.ts';
import { siteAround } from './site-around.ts';

/** Folder of this file; null if it came from a disk or as text. */
function folderOf(address: string): URL | null {
  return /^https?:/.test(address) ? new URL('./', address) : null;
}

export function sources(): Sources {
  const beside = folderOf(import.meta.url);
  const start = (): Promise<CreatedTrainer> => createTrainer(bytesOfText(engine), WORKERS);
  return {
    startEngine: start,
    startQuestions: start,
    readSample: (file) => {
      const text = texts[file];
      if (text !== undefined) return Promise.resolve(new TextEncoder().encode(text));
      // Texts too large to embed are beside the file, if it came from a server.
      if (beside !== null) return samplesBelow(beside)(file);
      return Promise.reject(failure('fetch', `the sample text ${file} is not in this file`));
    },
    samples: SAMPLE_TEXTS.filter(({ file }) => beside !== null || file in texts),
    site: siteAround(import.meta.url),
  };
}
