/**
 * Orders test files by their time in the last run, longest first, so that no worker runs alone at
 * the end. Without a last run (a fresh checkout) the largest files come first.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

interface Report {
  readonly files: readonly { readonly file: string; readonly seconds: number }[];
}

/**
 * Seconds of each file of a project in its last run, from tests/stages/vitest.mjs. The projects
 * `node` and `node-alone` share a report.
 */
function lastRun(project: string): ReadonlyMap<string, number> {
  const path = `build/tests/${project.replace(/-alone$/, '')}.json`;
  if (!existsSync(path)) return new Map();
  const { files } = JSON.parse(readFileSync(path, 'utf8')) as Report;
  return new Map(files.map(({ file, seconds }) => [file, seconds]));
}

export class LongestFirst extends BaseSequencer {
  override sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const known = new Map(specs.map(({ project }) => [project.name, lastRun(project.name)]));
    const seconds = ({ project, moduleId }: TestSpecification): number | undefined =>
      known.get(project.name)?.get(relative(process.cwd(), moduleId));
    // New files come first: their time is unknown.
    const cost = (spec: TestSpecification): readonly [number, number] => [
      seconds(spec) ?? Infinity,
      statSync(spec.moduleId).size,
    ];
    const costs = new Map(specs.map((spec) => [spec, cost(spec)]));
    return Promise.resolve(
      [...specs].sort((a, b) => {
        const [[timeA, sizeA], [timeB, sizeB]] = [costs.get(a)!, costs.get(b)!];
        return timeA === timeB ? sizeB - sizeA : timeB - timeA;
      }),
    );
  }
}
