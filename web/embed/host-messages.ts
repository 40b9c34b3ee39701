/**
 * The messages between a frame and the surrounding page, version 1. Every message is an object with
 * `glasshouse: 1`; others are ignored.
 *
 * To the frame: `{ glasshouse: 1, id, call, args }`. The answer repeats the id:
 * `{ glasshouse: 1, id, result }` or `{ glasshouse: 1, id, error: { code, message } }`.
 *
 * | call | args | result |
 * |---|---|---|
 * | `start` `pause` `step` `rewind` | | null |
 * | `setText` | text | null |
 * | `setPreset` | name | null |
 * | `setOption` | name, number | null |
 * | `status` | | a Status: state, step, steps, loss … |
 * | `losses` | | all losses so far, in nats per token |
 * | `subscribe` `unsubscribe` | | null; subscribers get `{ glasshouse: 1, event: 'status', … }` |
 *
 * From the frame, unasked: `{ glasshouse: 1, event: 'ready' }` once it accepts calls, and
 * `{ glasshouse: 1, event: 'height', height }` in CSS pixels.
 *
 * A frame accepts calls of the surrounding page if the page has the same origin as the frame, or an
 * origin named in the fragment: `host=https://school.example` (several with commas; `host=*` for
 * any).
 */
import { factsOf, failure } from '../engine/errors.ts';
import type { Remote, Status } from '../store/remote.ts';

export const PROTOCOL = 1;

/** Maximum length in characters of a text from a host. */
const TEXT_LIMIT = 16e6;

/** Channel to a window, or to a substitute in tests. */
export interface HostWire {
  readonly send: (message: unknown, origin: string) => void;
  /**
   * Calls `listener` with each message of the surrounding page. Returns a function that removes the
   * listener.
   */
  readonly listen: (listener: (data: unknown, origin: string) => void) => () => void;
}

/** Channel to the surrounding page; null outside of frames. */
export function parentWire(): HostWire | null {
  const { parent } = window;
  if (parent === window) return null;
  return {
    send: (message, origin) => {
      // Only '*' addresses a page with an opaque origin.
      parent.postMessage(message, origin === 'null' ? '*' : origin);
    },
    listen: (listener) => {
      const hear = (event: MessageEvent): void => {
        if (event.source === parent) listener(event.data, event.origin);
      };
      window.addEventListener('message', hear);
      return () => {
        window.removeEventListener('message', hear);
      };
    },
  };
}

/** The origin of a URL; other values stay. */
function originOf(host: string): string {
  try {
    return new URL(host).origin;
  } catch {
    return host;
  }
}

/** Whether a host of this origin may send calls. `hosts`: the parameter `host` of the fragment. */
export function isAllowed(origin: string, hosts: string | null, own: string): boolean {
  // People may copy a host from the address bar, with a final slash or a path.
  const named = (hosts ?? '')
    .split(/[\s,]+/)
    .filter((host) => host !== '')
    .map(originOf);
  if (named.includes('*')) return true;
  // Every opaque origin is called "null", so that it identifies nobody.
  return origin !== 'null' && (origin === own || named.includes(origin));
}

/** Answers calls of allowed hosts. Returns a function that stops answering. */
export function serveHost(
  wire: HostWire,
  remote: Remote,
  allows: (origin: string) => boolean,
): () => void {
  let subscribed: string | null = null;
  let ready = false;
  /** Reports once that calls are accepted. */
  const tellReady = ({ state }: Status): void => {
    if (ready || state === 'loading') return;
    ready = true;
    wire.send({ glasshouse: PROTOCOL, event: 'ready' }, '*');
  };
  const stopStatus = remote.subscribe((status) => {
    tellReady(status);
    if (subscribed !== null) {
      wire.send({ glasshouse: PROTOCOL, event: 'status', status }, subscribed);
    }
  });

  const act = (command: 'start' | 'pause' | 'step' | 'rewind'): null => {
    remote[command]();
    return null;
  };

  const calls: Readonly<Record<string, (args: readonly unknown[], origin: string) => unknown>> = {
    start: () => act('start'),
    pause: () => act('pause'),
    step: () => act('step'),
    rewind: () => act('rewind'),
    setText: ([text]) => {
      if (typeof text !== 'string' || text.length > TEXT_LIMIT) throw wrongArgument('setText');
      remote.setText(text);
      return null;
    },
    setPreset: ([name]) => {
      if (typeof name !== 'string') throw wrongArgument('setPreset');
      remote.setPreset(name);
      return null;
    },
    setOption: ([name, value]) => {
      if (typeof name !== 'string' || typeof value !== 'number') throw wrongArgument('setOption');
      remote.setOption(name, value);
      return null;
    },
    status: () => remote.status(),
    losses: () => [...remote.losses()],
    subscribe: (_, origin) => {
      subscribed = origin;
      return null;
    },
    unsubscribe: () => {
      subscribed = null;
      return null;
    },
  };

  const stopListening = wire.listen((data, origin) => {
    if (!isCall(data) || !allows(origin)) return;
    const { id, call, args } = data;
    const answer = (rest: object): void => {
      wire.send({ glasshouse: PROTOCOL, id, ...rest }, origin);
    };
    try {
      const found = Object.hasOwn(calls, call) ? calls[call] : undefined;
      if (found === undefined) throw failure('host-call', `there is no call ${call}`, [], call);
      answer({ result: found(args, origin) });
    } catch (thrown) {
      const { code, message } = factsOf(thrown);
      answer({ error: { code, message } });
    }
  });
  tellReady(remote.status());
  return () => {
    stopStatus();
    stopListening();
  };
}

function wrongArgument(call: string): Error {
  return failure('host-call', `${call} was called with something else than it takes`, [], call);
}

interface Call {
  readonly id: unknown;
  readonly call: string;
  readonly args: readonly unknown[];
}

function isCall(data: unknown): data is Call {
  if (typeof data !== 'object' || data === null) return false;
  const { glasshouse, call, args = [] } = data as Record<string, unknown>;
  if (glasshouse !== PROTOCOL || typeof call !== 'string' || !Array.isArray(args)) return false;
  (data as { args: unknown }).args = args;
  return true;
}
