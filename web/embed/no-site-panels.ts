/** Stands for `page/site-panels.ts` in forms that are one file: they have no such tabs. */
import type { CloserPanel } from '../instruments/panel.ts';

export const MODEL_PANELS: readonly CloserPanel[] = [];
export const SITE_PANELS: readonly CloserPanel[] = [];
