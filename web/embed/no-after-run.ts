/** Stands for `instruments/after-run/panel.ts` in a form that gives no advice after a run. */
import { panelOf } from '../instruments/panel.ts';
import type { Panel } from '../instruments/panel.ts';

const nothing = (): void => undefined;

export const createAfterRun = (): Panel => panelOf({ resize: nothing, destroy: nothing }, nothing);
