/** An id that is the same for all renderings of a component, and different for each component. */
import { useState } from 'preact/hooks';
import { freshId } from './dom.ts';

export function useFreshId(stem: string): string {
  return useState(() => freshId(stem))[0];
}
