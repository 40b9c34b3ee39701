export interface Timing {
  readonly name: string;
  readonly seconds: number;
}

export interface Level {
  readonly timings?: readonly Timing[];
  readonly tests?: readonly Timing[];
}

export function outstanding(tests: readonly Timing[]): Timing[];
export function reportSlow(
  levels: Readonly<Record<string, Level>>,
  options?: { readonly judge?: boolean; readonly print?: (line: string) => unknown },
): number;
