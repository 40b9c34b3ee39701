/** In pages of other people the engine trains on one thread: few of them are isolated. */
import type { StartHelper } from '../engine/help.ts';

export const startHelper: StartHelper = () => () => undefined;
