/** One standard configuration. */
export interface Sizes {
  readonly preset: string;
  readonly V: number;
  readonly T: number;
  readonly C: number;
  readonly L: number;
  readonly H: number;
  readonly B: number;
}

export const CONFIGS: Readonly<Record<string, Sizes>>;
export function optionsOf(name: string): Record<string, number>;
export function textOf(name: string): Uint8Array;
export function flopsPerToken(name: string, parameters: number): number;
