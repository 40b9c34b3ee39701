import type { Timing } from './slow.d.mts';

export function runProject(
  project: string,
  files: readonly string[],
  options?: {
    readonly level?: string;
    readonly args?: readonly string[];
    readonly quiet?: boolean;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<{
  readonly passed: number;
  readonly failed: number;
  readonly timings: readonly Timing[];
  readonly tests: readonly Timing[];
}>;
