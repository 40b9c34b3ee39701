/** The engine and sample texts inside the module: for forms that are one file. */
import { engine, texts } from 'virtual:inlined';
import { createTrainer } from '../engine/create.ts';
import { failure } from '../engine/errors.ts';
import type { Sources } from '../app/sources.ts';
import { SAMPLE_TEXTS } from '../app/texts.ts';
import { siteAround } from './site-around.ts';

/** Bytes from base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

export function sources(): Sources {
  return {
    startEngine: () => createTrainer(bytesOf(engine)),
    readSample: (file) => {
      const text = texts[file];
      if (text === undefined) {
        return Promise.reject(failure('fetch', `the sample text ${file} is not in this file`));
      }
      return Promise.resolve(new TextEncoder().encode(text));
    },
    samples: SAMPLE_TEXTS.filter(({ file }) => file in texts),
    site: siteAround(import.meta.url),
  };
}
