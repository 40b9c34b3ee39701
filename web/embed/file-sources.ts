/** The engine and the sample texts as files beside the module: for the element and the package. */
import { createTrainer } from '../engine/create.ts';
import type { Sources } from '../app/sources.ts';
import { samplesBelow } from '../app/text-source.ts';
import { SAMPLE_TEXTS } from '../app/texts.ts';
import { WORKERS } from './file-worker.ts';
import { siteAround } from './site-around.ts';

export function sources(): Sources {
  return {
    startEngine: () =>
      createTrainer(new URL(/* @vite-ignore */ './glasshouse.wasm', import.meta.url), WORKERS),
    readSample: samplesBelow(new URL(/* @vite-ignore */ './', import.meta.url)),
    samples: SAMPLE_TEXTS,
    site: siteAround(import.meta.url),
  };
}
