/**
 * The messages between a frame or widget and its host, version 1. Every message is an object with
 * `glasshouse: 1`; messages without that member are ignored.
 *
 * To the frame: `{ glasshouse: 1, id, call, args }`, and `at` for questions to the model of another
 * step. The answer repeats the id: `{ glasshouse: 1, id, result }` or
 * `{ glasshouse: 1, id, error: { code, message } }`. Before it may come any number of
 * `{ glasshouse: 1, id, progress }`. The calls are those of store/host/host.ts, and:
 *
 * | call | args | result |
 * |---|---|---|
 * | `subscribe` `unsubscribe` | | null; subscribers get `{ glasshouse: 1, event: 'status', … }` |
 * | `cancel` | id of a call | null; that call then fails with `cancelled` |
 *
 * From the frame, unasked: `{ glasshouse: 1, event: 'ready' }` once it accepts calls, and
 * `{ glasshouse: 1, event: 'height', height }` in CSS pixels.
 *
 * A frame accepts calls of the surrounding page if the page has the same origin as the frame, or an
 * origin named in the fragment: `host=https://school.example` (several with commas; `host=*` for
 * any).
 */
import { factsOf, failure } from '../engine/errors.ts';
import { wrongOf } from '../engine/interface/check.ts';
import { COMMANDS } from '../store/host/host.ts';
import type { Host, Status } from '../store/host/host.ts';

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

/** Channel of a frame to the surrounding page. */
export function parentWire(): HostWire {
  const { parent } = window;
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

/** A call of a host, with members of any type. */
interface Message {
  readonly glasshouse?: unknown;
  readonly id?: unknown;
  readonly call?: unknown;
  readonly args?: unknown;
  readonly at?: unknown;
}

/** A host whose status may be unknown, as that of an element outside of a page. */
type ServedHost = Omit<Host, 'status'> & { readonly status: () => Status | null };

type Answer = (args: readonly unknown[], origin: string, message: Message) => unknown;

/** Answers calls of allowed hosts. Returns a function that stops answering. */
export function serveHost(
  wire: HostWire,
  host: ServedHost,
  allows: (origin: string) => boolean,
): () => void {
  let subscribed: string | null = null;
  let ready = false;
  /** Calls that are not answered yet, by id. */
  const open = new Map<unknown, AbortController>();
  const send = (rest: object, origin: string): void => {
    wire.send({ glasshouse: PROTOCOL, ...rest }, origin);
  };
  /** Reports once that calls are accepted. */
  const tellReady = (status: Status | null): void => {
    if (ready || (status?.state ?? 'loading') === 'loading') return;
    ready = true;
    send({ event: 'ready' }, '*');
  };
  const stopStatus = host.subscribe((status) => {
    tellReady(status);
    if (subscribed !== null) send({ event: 'status', status }, subscribed);
  });

  const command =
    (name: keyof typeof COMMANDS): Answer =>
    (args) => {
      const wrong = wrongOf(name, COMMANDS[name].args, args);
      const isLong = name === 'setText' && String(args[0]).length > TEXT_LIMIT;
      if (wrong !== null || isLong) throw refused(wrong?.message ?? 'the text is too long', name);
      return (host[name] as (...given: readonly unknown[]) => unknown)(...args) ?? null;
    };
  const calls: Readonly<Record<string, Answer>> = {
    ...Object.fromEntries(
      (Object.keys(COMMANDS) as (keyof typeof COMMANDS)[]).map((name) => [name, command(name)]),
    ),
    losses: () => [...host.losses()],
    subscribe: (_, origin) => {
      subscribed = origin;
      return null;
    },
    unsubscribe: () => {
      subscribed = null;
      return null;
    },
    cancel: ([id]) => {
      open.get(id)?.abort();
      return null;
    },
  };

  /** Asks a question, which `cancel` can end. */
  const ask = async (call: string, message: Message, args: readonly unknown[], origin: string) => {
    const { id, at } = message;
    const abort = new AbortController();
    open.set(id, abort);
    const onProgress = (progress: unknown): void => {
      send({ id, progress }, origin);
    };
    try {
      const asked = { at: at as number | undefined, signal: abort.signal, onProgress };
      return (await host.ask(call, args, asked)) ?? null;
    } finally {
      open.delete(id);
    }
  };

  /** Answers a message; throws if it is no call of this version. */
  const answer = (message: Message, origin: string): unknown => {
    const { glasshouse, call, args = [] } = message;
    if (glasshouse !== PROTOCOL) {
      const said = `this frame speaks version ${String(PROTOCOL)}, not ${String(glasshouse)}`;
      throw failure('host-version', said, [PROTOCOL]);
    }
    if (typeof call !== 'string' || !Array.isArray(args)) {
      throw refused('a call has a name, call, and a list of arguments, args', '');
    }
    const found = Object.hasOwn(calls, call) ? calls[call] : undefined;
    return found === undefined ? ask(call, message, args, origin) : found(args, origin, message);
  };

  const reply = async (message: Message, origin: string): Promise<void> => {
    const { id } = message;
    try {
      send({ id, result: await answer(message, origin) }, origin);
    } catch (thrown) {
      const { code, message: said } = factsOf(thrown);
      send({ id, error: { code, message: said } }, origin);
    }
  };

  const stopListening = wire.listen((data, origin) => {
    if (!isOurs(data) || !allows(origin)) return;
    void reply(data, origin);
  });
  tellReady(host.status());
  return () => {
    for (const one of open.values()) one.abort();
    stopStatus();
    stopListening();
  };
}

function refused(message: string, subject: string): Error {
  return failure('host-call', message, [], subject);
}

/** Whether a message is meant as a call: answers, which may come back from an echo, are not. */
function isOurs(data: unknown): data is Message {
  if (typeof data !== 'object' || data === null || !('glasshouse' in data)) return false;
  return !['event', 'result', 'error', 'progress'].some((name) => name in data);
}
