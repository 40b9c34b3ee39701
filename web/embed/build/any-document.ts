/**
 * Lets components render after their element has moved to another document. Preact passes the
 * parent as the options of `createElementNS`, for its registry of custom elements. That of a shadow
 * root stays with the first document, so that the call throws in another one (Chromium 156).
 */
import type { Plugin } from 'vite';

const PREACT = /[\\/]preact[\\/]dist[\\/]preact\.m?js$/;
const CALL = /(\.createElementNS\(\w+,\w+,\w+\.is\?\w+):\w+\)/;

export function anyDocument(): Plugin {
  return {
    name: 'any-document',
    transform(code, id) {
      if (!PREACT.test(id)) return null;
      if (!CALL.test(code)) throw new Error('Preact creates its elements in another way now');
      return { code: code.replace(CALL, '$1:void 0)'), map: null };
    },
  };
}
