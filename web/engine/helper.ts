/** Script of a helper thread's worker. */
import { help } from './help.ts';
import type { HelperTask } from './help.ts';

self.addEventListener('message', (event: MessageEvent) => {
  void help(event.data as HelperTask);
});
