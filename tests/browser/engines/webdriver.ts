/**
 * Minimal client for W3C WebDriver (https://www.w3.org/TR/webdriver2/) over HTTP: one session with
 * one window.
 */
import { request } from 'node:http';
import { keyCodes } from './driven-page.ts';

/** The key that identifies element references in WebDriver's JSON. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** An element reference assigned by the driver. */
export type ElementId = string;

/** A session with a browser started by the driver. */
export class WebDriver {
  readonly #port: number;
  readonly #session: string;

  private constructor(port: number, session: string) {
    this.#port = port;
    this.#session = session;
  }

  /** Starts a browser; `capabilities` are required (alwaysMatch). */
  static async create(port: number, capabilities: object): Promise<WebDriver> {
    const body = { capabilities: { alwaysMatch: capabilities } };
    const { sessionId } = (await ask(port, 'POST', '/session', body)) as { sessionId: string };
    const driver = new WebDriver(port, sessionId);
    // The limits exceed any test's own timeout.
    const forever = 3_600_000;
    await driver.#post('/timeouts', { script: forever, pageLoad: forever, implicit: 0 });
    return driver;
  }

  /** Sets the outer size of the window. */
  async resize(width: number, height: number): Promise<void> {
    await this.#post('/window/rect', { x: 0, y: 0, width, height });
  }

  async goto(url: string): Promise<void> {
    await this.#post('/url', { url });
  }

  /** Runs a function's source with JSON arguments; awaits its promise. */
  async evaluate(source: string, args: readonly unknown[]): Promise<unknown> {
    const script = `const args = Array.from(arguments), done = args.pop();
      Promise.resolve().then(() => (${source})(...args))
        .then((value) => done({ value }), (error) => done({ error: error + '\\n' + (error?.stack ?? '') }));`;
    const answer = (await this.#post('/execute/async', { script, args })) as {
      value?: unknown;
      error?: string;
    };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  }

  /** Runs a function with an element as its argument; awaits its promise. */
  evaluateOn<Result>(
    element: ElementId,
    body: (element: Element) => Promise<Result>,
  ): Promise<Result> {
    return this.evaluate(body.toString(), [{ [ELEMENT]: element }]) as Promise<Result>;
  }

  /** Runs the source of a function that returns elements. */
  async elements(source: string, args: readonly unknown[]): Promise<ElementId[]> {
    const script = `return (${source})(...arguments)`;
    const found = (await this.#post('/execute/sync', { script, args })) as Record<string, string>[];
    return found.map((element) => element[ELEMENT]!);
  }

  /** Finds descendants of an element by CSS selector. */
  async elementsBelow(element: ElementId, selector: string): Promise<ElementId[]> {
    const body = { using: 'css selector', value: selector };
    const found = (await this.#post(`/element/${element}/elements`, body)) as Record<
      string,
      string
    >[];
    return found.map((one) => one[ELEMENT]!);
  }

  async text(element: ElementId): Promise<string> {
    return String(await this.#get(`/element/${element}/text`));
  }

  async label(element: ElementId): Promise<string> {
    return String(await this.#get(`/element/${element}/computedlabel`));
  }

  async role(element: ElementId): Promise<string> {
    return String(await this.#get(`/element/${element}/computedrole`));
  }

  async click(element: ElementId): Promise<void> {
    await this.#post(`/element/${element}/click`, {});
  }

  /** Clicks at a point of the viewport, in whole CSS pixels. */
  async clickAt({ x, y }: { x: number; y: number }): Promise<void> {
    const actions = [
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.#post('/actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] });
  }

  async clear(element: ElementId): Promise<void> {
    await this.#post(`/element/${element}/clear`, {});
  }

  async type(element: ElementId, text: string): Promise<void> {
    // WebKit's driver drops line feeds but supports the Enter key.
    await this.#post(`/element/${element}/value`, { text: text.replaceAll('\n', keyCodes.Enter) });
  }

  async focus(element: ElementId): Promise<void> {
    const script = 'arguments[0].focus()';
    await this.#post('/execute/sync', { script, args: [{ [ELEMENT]: element }] });
  }

  /** Presses and releases one key, by WebDriver code. */
  async press(value: string): Promise<void> {
    const actions = [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ];
    await this.#post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  async screenshot(): Promise<Uint8Array> {
    return Buffer.from(String(await this.#get('/screenshot')), 'base64');
  }

  /** Closes the browser. */
  async close(): Promise<void> {
    await ask(this.#port, 'DELETE', `/session/${this.#session}`);
  }

  #get(path: string): Promise<unknown> {
    return ask(this.#port, 'GET', `/session/${this.#session}${path}`);
  }

  #post(path: string, body: object): Promise<unknown> {
    return ask(this.#port, 'POST', `/session/${this.#session}${path}`, body);
  }
}

/** Sends one command. Uses node:http because fetch has a time limit. */
export function ask(port: number, method: string, path: string, body?: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    };
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      let answer = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (answer += piece));
      response.on('end', () => {
        try {
          const { value } = JSON.parse(answer) as { value: unknown };
          const failed = value as { error?: string; message?: string } | null;
          if (response.statusCode === 200) resolve(value);
          else reject(new Error(`${path}: ${failed?.error ?? ''} ${failed?.message ?? ''}`));
        } catch {
          reject(new Error(`${path}: the driver answered ${answer.slice(0, 200)}`));
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}
