/** Stands for `app/advice-after/panel.ts` in a form that gives no advice after a run. */
import { panelOf } from '../app/panels/panel.ts';
import type { Panel } from '../app/panels/panel.ts';

const nothing = (): void => undefined;

export const createAfterRun = (): Panel => panelOf({ resize: nothing, destroy: nothing }, nothing);
