/**
 * Client for the page around a frame of Glasshouse:
 *
 *     const frame = connectFrame(document.querySelector('iframe'));
 *     await frame.train(200);
 *     const { json } = await frame.receipt();
 *
 * The frame's address must name the page's origin: `host=https://school.example`.
 */
import type { AskOptions, HostModel, Questions, Remote, Status } from '../store/host/host.ts';

/** A command's answer comes later. */
type Later<Command> = Command extends (...args: infer Args) => infer Answer
  ? (...args: Args) => Promise<Answer>
  : never;
type Commands = { readonly [Name in Exclude<keyof Remote, 'subscribe'>]: Later<Remote[Name]> };

/** A frame as the page around it sees it. Calls wait until the frame has loaded. */
export interface ConnectedFrame extends Commands, Questions {
  /** The model of step `step`, by default the newest. */
  at(step?: number, options?: AskOptions): HostModel;
  /** Calls `listener` whenever the status may have changed; returns a function that ends that. */
  subscribe(listener: (status: Status) => void): () => void;
  /** Stops listening to the frame; calls that are not answered yet reject. */
  close(): void;
}

/** An error of a call; `code` is stable. */
export class FrameError extends Error {
  readonly code: string;

  constructor({ code, message }: { readonly code: string; readonly message: string }) {
    super(message);
    this.name = 'FrameError';
    this.code = code;
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (why: FrameError) => void;
  readonly onProgress: ((value: unknown) => void) | undefined;
}

/** A message of the frame, with the members of any kind. */
interface Heard {
  readonly glasshouse?: unknown;
  readonly id?: unknown;
  readonly result?: unknown;
  readonly progress?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly event?: string;
  readonly status?: Status;
}

/** Connects to a frame. `origin`: that of the frame, by default from its address. */
export function connectFrame(
  frame: HTMLIFrameElement,
  origin = new URL(frame.src, document.baseURI).origin,
): ConnectedFrame {
  const waiting = new Map<number, Waiting>();
  const listeners = new Set<(status: Status) => void>();
  /** Calls from before the frame was heard; null afterwards. */
  let early: object[] | null = [];
  let count = 0;

  const post = (message: object): void => {
    frame.contentWindow?.postMessage({ glasshouse: 1, ...message }, origin);
  };
  const ask = (call: string, given: readonly unknown[], of: AskOptions & { at?: number }) => {
    const args = [...given];
    const last = args.at(-1) as AskOptions | undefined;
    // Functions and signals cannot be sent.
    const { signal = of.signal } = last?.signal instanceof AbortSignal ? last : {};
    if (last?.signal instanceof AbortSignal) args.pop();
    const onProgress = typeof args.at(-1) === 'function' ? args.pop() : undefined;
    const id = ++count;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject, onProgress: onProgress as Waiting['onProgress'] });
      const message = { id, call, args, ...(of.at === undefined ? {} : { at: of.at }) };
      if (early === null) post(message);
      else early.push(message);
      const giveUp = (): void => {
        if (!waiting.delete(id)) return;
        early = early?.filter((one) => one !== message) ?? null;
        post({ id: ++count, call: 'cancel', args: [id] });
        reject(new FrameError({ code: 'cancelled', message: 'the signal was given' }));
      };
      if (signal?.aborted === true) giveUp();
      else signal?.addEventListener('abort', giveUp, { once: true });
    });
  };
  /** Makes each name that `own` lacks a call. */
  const calls = (own: object, of: AskOptions & { at?: number }): object =>
    new Proxy(own, {
      get: (members, name) =>
        name in members || typeof name === 'symbol' || name === 'then'
          ? (Reflect.get(members, name) as unknown)
          : (...args: readonly unknown[]) => ask(name, args, of),
    });

  const hear = ({ source, data }: MessageEvent): void => {
    const heard = data as Heard | null;
    if (source !== frame.contentWindow || heard?.glasshouse !== 1) return;
    // Only now does the frame hear the page.
    for (const message of early ?? []) post(message);
    early = null;
    if (heard.status !== undefined) for (const one of listeners) one(heard.status);
    const id = heard.id as number;
    const one = waiting.get(id);
    if ('progress' in heard) {
      one?.onProgress?.(heard.progress);
      return;
    }
    waiting.delete(id);
    if (heard.error === undefined) one?.resolve(heard.result);
    else one?.reject(new FrameError(heard.error));
  };
  addEventListener('message', hear);
  // Answered if the frame has loaded; else the frame speaks first.
  post({ id: 0, call: 'status' });

  const own = {
    at: (at?: number, options: AskOptions = {}) =>
      calls({}, at === undefined ? options : { ...options, at }),
    subscribe: (listener: (status: Status) => void) => {
      listeners.add(listener);
      const tell = (call: string): void => {
        ask(call, [], {}).catch(() => undefined);
      };
      tell('subscribe');
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) tell('unsubscribe');
      };
    },
    close: () => {
      removeEventListener('message', hear);
      const why = new FrameError({ code: 'worker', message: 'the frame was left' });
      for (const one of waiting.values()) one.reject(why);
      waiting.clear();
    },
  };
  return calls(own, {}) as ConnectedFrame;
}
