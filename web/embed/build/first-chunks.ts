/**
 * Bundles the code that page and frame load first into few chunks. By default the bundler makes 37
 * for the page, each with its own request and compression.
 */
import type { Plugin, Rolldown } from 'vite';

/** Groups for `output.codeSplitting`, and the plugin that collects their modules. */
export function firstChunks(
  page: string,
  frame: string,
): {
  readonly groups: Rolldown.CodeSplittingGroup[];
  readonly plugin: Plugin;
} {
  const [ofPage, ofFrame, ofDocs] = [new Set<string>(), new Set<string>(), new Set<string>()];
  /** Entry modules run on import, so a shared chunk would run them on both pages. */
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
    // A documentation page loads only `shared`.
    { name: 'shared', test: (id: string) => isOfPage(id) && ofDocs.has(id), priority: 2 },
    { name: 'both', test: (id: string) => isOfPage(id) && ofFrame.has(id), priority: 1 },
  ];
  return { groups, plugin };
}
