/** In pages of other people the engine trains on one thread: few of them are isolated. */
import type { startHelper as site } from '../engine/start-helper.ts';

export const startHelper: typeof site = (_task, refused) => {
  refused();
  return () => undefined;
};
