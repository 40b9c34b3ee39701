/** The worker's end of the protocol: a DirectTrainer that answers calls and posts reports. */
import { DirectTrainer } from './direct.ts';
import { factsOf, failure, GlasshouseError } from './errors.ts';
import { help } from './help.ts';
import type { StartHelper } from './help.ts';
import { MOVED_ANSWERS, movedBySnapshot } from './protocol.ts';
import type { CallMessage, Moved, ToPage, ToWorker, Wire } from './protocol.ts';
import { canShareMemory } from './thread-memory.ts';
import type { Snapshot } from './trainer.ts';

/**
 * Owns the engine for the client at the other end of `wire`, who starts its helper threads.
 * `preload` fetches scripts that are needed later; the client requests that when the page is idle.
 */
export function serve(wire: Wire, preload?: () => void): void {
  let trainer: DirectTrainer | null = null;
  let loadError: unknown = failure('state', 'the engine is not loaded yet', [], 'load');
  let unseen = false;

  const post = (message: ToPage, transfer: Transferable[] = []): void => {
    wire.postMessage(message, transfer);
  };

  // The page starts helper threads. In Firefox, a worker that starts workers sometimes waits for
  // ever while the threads of a page that the reader has left still wait for work.
  const start: StartHelper = (task) => {
    post({ kind: 'help', task });
    return () => undefined; // the page ends it
  };

  const postSnapshot = (snapshot: Snapshot): void => {
    unseen = true;
    post({ kind: 'snapshot', snapshot }, movedBySnapshot(snapshot));
  };

  const call = async ({ id, method, args, progress }: CallMessage): Promise<unknown> => {
    if (trainer === null) throw loadError;
    const given = [...args];
    if (progress >= 0) {
      given[progress] = (value: unknown) => {
        post({ kind: 'partial', id, value });
      };
    }
    return trainer.ask(method, given);
  };

  wire.addEventListener('message', (event: MessageEvent) => {
    const message = event.data as ToWorker;
    if (message.kind === 'load') {
      const made = new DirectTrainer(message.module, {
        helpers: { count: message.helpers, start },
      });
      made.ready = () => !unseen;
      made.subscribe(postSnapshot);
      trainer = made;
    } else if (message.kind === 'load-failed') {
      loadError = new GlasshouseError(message.error);
    } else if (message.kind === 'seen') {
      unseen = false;
      trainer?.flush();
    } else if (message.kind === 'preload') {
      preload?.();
    } else if (message.kind === 'help') {
      void help(message.task);
    } else {
      const { id, method } = message;
      call(message).then(
        (value) => {
          post({ kind: 'result', id, value }, (MOVED_ANSWERS as Moved)[method]?.(value));
        },
        (thrown: unknown) => {
          post({ kind: 'failure', id, error: factsOf(thrown) });
        },
      );
    }
  });
  post({ kind: 'hello', sharesMemory: canShareMemory() });
}
