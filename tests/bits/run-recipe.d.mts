import type { BitsRecipe } from './recipes.mjs';

/** What a run came to: its receipt as JSON, and a text that it wrote. */
export interface BitsResult {
  readonly receipt: string;
  readonly sample: string;
}

export interface BitsRun {
  readonly first: BitsResult;
  readonly whole: BitsResult;
  readonly resumed: BitsResult;
}

export function runRecipe(
  instance: { readonly exports: WebAssembly.Exports; readonly memory: WebAssembly.Memory },
  recipe: BitsRecipe,
  text: Uint8Array,
): BitsRun;
