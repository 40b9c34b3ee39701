/**
 * What page and frame load before anything else is few files. Cut by who shares what with whom,
 * that of the page was 37, each with its own request and a compression of its own.
 */
import type { Plugin, Rolldown } from 'vite';

/** The groups for `output.codeSplitting`, and the plugin that finds what belongs to them. */
export function firstChunks(
  page: string,
  frame: string,
): {
  readonly groups: Rolldown.CodeSplittingGroup[];
  readonly plugin: Plugin;
} {
  const [ofPage, ofFrame, ofDocs] = [new Set<string>(), new Set<string>(), new Set<string>()];
  /** What begins by itself belongs to one of them alone: the other would begin it too. */
  const begins = new Set<string>();
  const plugin: Plugin = {
    name: 'first-chunks',
    apply: 'build',
    buildEnd() {
      const walk = (id: string, found: Set<string>): void => {
        if (found.has(id)) return;
        found.add(id);
        for (const next of this.getModuleInfo(id)?.importedIds ?? []) walk(next, found);
      };
      for (const id of this.getModuleIds()) {
        if (!id.endsWith('.html')) continue;
        for (const one of [id, ...(this.getModuleInfo(id)?.importedIds ?? [])]) begins.add(one);
        if (id === page) walk(id, ofPage);
        else if (id === frame) walk(id, ofFrame);
        else walk(id, ofDocs);
      }
    },
  };
  const isOfPage = (id: string): boolean => ofPage.has(id) && !begins.has(id);
  const groups = [
    // A page of the documentation loads neither.
    { name: 'shared', test: (id: string) => isOfPage(id) && ofDocs.has(id), priority: 2 },
    { name: 'both', test: (id: string) => isOfPage(id) && ofFrame.has(id), priority: 1 },
  ];
  return { groups, plugin };
}
