export interface BitsRecipe {
  readonly name: string;
  readonly preset: string;
  readonly text: string;
  readonly settings: Readonly<Record<string, number>>;
  readonly half: number;
  readonly change: Readonly<Record<string, number>>;
  readonly prompt: string;
}

export const recipes: readonly BitsRecipe[];
export function longer(factor: number): readonly BitsRecipe[];
export const TEXT_BYTES: number;
export const SAMPLE: {
  readonly tokens: number;
  readonly temperature: number;
  readonly seed: number;
};
