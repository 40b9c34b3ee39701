/** Engine and sample texts as files beside the module, for the element and the package. */
import { createTrainer } from '../engine/create.ts';
import type { CreatedTrainer } from '../engine/create.ts';
import type { Sources } from '../page/sources.ts';
import { readSampleFrom } from '../store/text/text-source.ts';
import { SAMPLE_TEXTS } from '../store/text/texts.ts';
import type { SampleId } from '../store/text/texts.ts';
import { beside } from './beside.ts';
import { WORKERS } from './file-worker.ts';
import { siteAround } from './site-around.ts';

// One literal URL per file, because bundlers do not follow folders.
const TEXTS: Readonly<Record<SampleId, URL>> = {
  names: new URL(/* @vite-ignore */ './texts/first-names-en.txt', import.meta.url),
  moby: new URL(/* @vite-ignore */ './texts/moby-dick-en.txt', import.meta.url),
  tang: new URL(/* @vite-ignore */ './texts/tang-quatrains-zh.txt', import.meta.url),
};

export function sources(): Sources {
  const engine = new URL(/* @vite-ignore */ './glasshouse.wasm', import.meta.url);
  const texts = new Map(SAMPLE_TEXTS.map(({ id, file }) => [file, beside(file, TEXTS[id])]));
  const threads = new URL(/* @vite-ignore */ './glasshouse-threads.wasm', import.meta.url);
  const start = (threaded: boolean): Promise<CreatedTrainer> =>
    createTrainer(
      beside('glasshouse.wasm', engine),
      WORKERS,
      threaded ? beside('glasshouse-threads.wasm', threads) : undefined,
    );
  return {
    startEngine: (threaded = true) => start(threaded),
    startQuestions: () => start(false),
    readSample: (file) => readSampleFrom(texts.get(file)!),
    samples: SAMPLE_TEXTS,
    site: siteAround(import.meta.url),
  };
}
