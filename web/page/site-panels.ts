/**
 * The tabs of the site's own pages alone: what needs the documentation, the store of runs, or the other
 * forms beside it. Forms in one file are built without them.
 */
import { loadEntries } from '../instruments/model/docs-entries.ts';
import type { CloserPanel } from '../instruments/panel.ts';
import { PARTS_TAB } from '../instruments/parts-look.ts';

export const MODEL_PANELS: readonly CloserPanel[] = [
  {
    id: PARTS_TAB,
    title: 'parts.title',
    load: () => import('../instruments/model/panel.ts').then((m) => m.createModelPartsPanel),
    preload: (lang) => Promise.all([loadEntries(lang), document.fonts.load("1em 'Docs Math'")]),
  },
];

export const SITE_PANELS: readonly CloserPanel[] = [
  {
    id: 'runs',
    title: 'runs.title',
    load: () => import('../instruments/runs/panel.ts').then((m) => m.createRuns),
    site: true,
  },
  {
    id: 'share',
    title: 'share.title',
    load: () => import('../instruments/share/panel.ts').then((m) => m.createShare),
    site: true,
  },
];
