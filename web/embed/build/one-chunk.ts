/**
 * What the page loads before anything else is one file. Cut by who shares what with the frame, the
 * panels and the documentation, it was 36, each with its own request and a compression of its own.
 */
import type { Plugin, Rolldown } from 'vite';

/** The groups for `output.codeSplitting`, and the plugin that finds what belongs to them. */
export function oneChunk(page: string): {
  readonly groups: Rolldown.CodeSplittingGroup[];
  readonly plugin: Plugin;
} {
  const [ofPage, ofDocs] = [new Set<string>(), new Set<string>()];
  const plugin: Plugin = {
    name: 'one-chunk',
    apply: 'build',
    buildEnd() {
      const walk = (id: string, found: Set<string>): void => {
        if (found.has(id)) return;
        found.add(id);
        for (const next of this.getModuleInfo(id)?.importedIds ?? []) walk(next, found);
      };
      for (const id of this.getModuleIds()) {
        if (id === page) walk(id, ofPage);
        else if (/\/docs\/.*\.html$/.test(id)) walk(id, ofDocs);
      }
    },
  };
  const groups = [
    // A page of the documentation does not load the page.
    { name: 'shared', test: (id: string) => ofPage.has(id) && ofDocs.has(id), priority: 1 },
    { name: 'page', test: (id: string) => ofPage.has(id) },
  ];
  return { groups, plugin };
}
