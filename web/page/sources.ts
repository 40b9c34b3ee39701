/**
 * Loaders of the engine and of the sample texts for the site. The builds of other forms replace
 * this module by embed/file-sources.ts or embed/inline-sources.ts.
 */
import engineUrl from '../../build/wasm/glasshouse.wasm?url';
import questionsUrl from '../../build/wasm-questions/glasshouse.wasm?url';
import threadsUrl from '../../build/wasm-threads/glasshouse.wasm?url';
import { createTrainer } from '../engine/create.ts';
import type { CreatedTrainer } from '../engine/create.ts';
import { ignore } from '../engine/errors.ts';
import { WORKERS } from './open-worker.ts';
import { samplesBelow } from '../store/text/text-source.ts';
import type { SampleReader } from '../store/text/text-source.ts';
import { SAMPLE_TEXTS } from '../store/text/texts.ts';
import type { SampleText } from '../store/text/texts.ts';

export interface Sources {
  /** Starts an engine: on several threads if possible, on one if `threaded` is false. */
  readonly startEngine: (threaded?: boolean) => Promise<CreatedTrainer>;
  /** Starts an engine on one thread, for the purposes listed at `AppOptions.startQuestions`. */
  readonly startQuestions: () => Promise<CreatedTrainer>;
  /** Preloads the module of `startQuestions`. */
  readonly preloadQuestions?: () => void;
  readonly readSample: SampleReader;
  /** Available sample texts. */
  readonly samples: readonly SampleText[];
  /** Address of the site's folder, which contains `docs`; null if unknown. */
  readonly site: string | null;
}

export function sources(): Sources {
  const at = (url: string): URL => new URL(url, location.href);
  return {
    startEngine: (threaded = true) =>
      createTrainer(at(engineUrl), WORKERS, threaded ? at(threadsUrl) : undefined),
    startQuestions: () => createTrainer(at(questionsUrl), WORKERS),
    preloadQuestions: () => {
      fetch(at(questionsUrl))
        .then((answer) => answer.arrayBuffer())
        .catch(ignore);
    },
    readSample: samplesBelow(document.baseURI),
    samples: SAMPLE_TEXTS,
    site: new URL('./', document.baseURI).href,
  };
}
