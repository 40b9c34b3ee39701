/** A unique id that stays the same in all renderings of a component. */
import { useState } from 'preact/hooks';
import { freshId } from './dom.ts';

export function useFreshId(stem: string): string {
  return useState(() => freshId(stem))[0];
}
