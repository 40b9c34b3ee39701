/**
 * The element as an anywidget for notebooks and books, in one file (https://anywidget.dev/en/afm/).
 * The model's traits are the attributes of the element and `text`. The widget writes those of the
 * following that the model has: `state`, `step`, `steps`, `loss`; when a run stops, `receipt` (its
 * JSON) and `checkpoint` (bytes). Custom messages are calls; see host-messages.ts.
 */
import { ignore } from '../engine/errors.ts';
import { LESSON_ATTRIBUTES } from '../store/address/lesson-attributes.ts';
import type { Status } from '../store/host/host.ts';
import { createElement } from './element.ts';
import { serveHost } from './host-messages.ts';
import { withBuffers } from './with-buffers.ts';

/** The used part of anywidget's model; hosts without a kernel may lack the optional methods. */
export interface WidgetModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes?(): void;
  on?(event: string, listener: (content: unknown) => void): void;
  off?(event: string, listener: (content: unknown) => void): void;
  send?(content: unknown, callbacks: undefined, buffers: ArrayBuffer[]): void;
}

export interface RenderProps {
  readonly model: WidgetModel;
  readonly el: HTMLElement;
}

/** Milliseconds between reports to the kernel, because each is a network message. */
const REPORT_INTERVAL = 500;
const REPORTED = ['state', 'step', 'steps', 'loss'] as const;

/**
 * A trait as an attribute; null if the model lacks the trait or its value is null, false or empty.
 */
function attributeOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '' || value === false) return null;
  if (value === true) return '';
  if (Array.isArray(value)) return value.join(',');
  if (typeof value === 'object') {
    const entries = Object.entries(value as Record<string, unknown>);
    return new URLSearchParams(entries.map(([key, one]) => [key, String(one)])).toString();
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Renders a view; returns a function that removes it. */
function render({ model, el }: RenderProps): () => void {
  const element = createElement();
  const undo: (() => void)[] = [];
  const take = (name: string): void => {
    const value = attributeOf(model.get(name));
    if (value === null) element.removeAttribute(name);
    else element.setAttribute(name, value);
  };
  const on = (event: string, listener: (content: unknown) => void): void => {
    model.on?.(event, listener);
    undo.push(() => {
      try {
        model.off?.(event, listener);
      } catch {
        // MyST's `off` takes the name only; no listener has an effect once the element is removed.
      }
    });
  };
  for (const name of ['text', ...LESSON_ATTRIBUTES]) {
    const follow = (): void => {
      take(name);
    };
    take(name);
    on(`change:${name}`, follow);
  }

  /** Run and step of the receipt that the model has. */
  let told = '';
  /** Writes the results of a run that has stopped, and has made steps since the last time. */
  const hand = async ({ state, step }: Status): Promise<void> => {
    const now = `${String(step)} ${String(element.losses().at(-1))}`;
    if ((state !== 'finished' && state !== 'paused') || step === 0 || told === now) return;
    told = now;
    const has = (name: string): boolean => model.get(name) !== undefined;
    if (!has('receipt') && !has('checkpoint')) return;
    if (has('receipt')) model.set('receipt', (await element.receipt()).json);
    if (has('checkpoint')) {
      const file = await element.save('checkpoint');
      model.set('checkpoint', new DataView(await file.arrayBuffer()));
    }
    model.save_changes?.();
  };

  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = (status: Status): void => {
    const known = REPORTED.filter((name) => model.get(name) !== undefined);
    for (const name of known) model.set(name, status[name]);
    if (known.length > 0) model.save_changes?.();
    hand(status).catch(ignore);
  };
  const hear = ({ detail }: CustomEvent<Status>): void => {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      report(element.status() ?? detail);
    }, REPORT_INTERVAL);
  };
  element.addEventListener('glasshouse-status', hear);
  el.append(element);

  /** Messages keep their order, although files have to be read. */
  let sent: Promise<void> = Promise.resolve();
  const wire = {
    send: (message: unknown) => {
      sent = sent
        .then(() => withBuffers(message))
        .then(({ content, buffers }) => model.send?.(content, undefined, buffers))
        // A message that the kernel refuses does not hold up the next.
        .catch(reportError);
    },
    listen: (listener: (data: unknown, origin: string) => void) => {
      on('msg:custom', (content) => {
        listener(content, 'kernel');
      });
      return ignore;
    },
  };
  undo.push(serveHost(wire, element, () => true));

  return () => {
    clearTimeout(timer);
    for (const each of undo) each();
    element.remove();
  };
}

/** Called once for a model. */
function initialize(): void {
  // The views of a model share nothing: each has its own engine.
}

export default { initialize, render };
