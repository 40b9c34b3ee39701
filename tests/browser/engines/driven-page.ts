/**
 * Defines one page in its own browser, with the same commands in every browser engine.
 *
 *     describeInEngines((engine) => {
 *       test('trains', async () => {
 *         const page = await engine.launch();
 *         await page.goto(siteUrl());
 *         await page.click('button', 'Start');
 *         await page.waitFor(() => document.querySelector('#run')?.getAttribute('data-state') === 'running');
 *         expect(await page.problems()).toEqual([]);
 *         await page.close();
 *       });
 *     });
 *
 * Playwright drives Chromium, Puppeteer drives Firefox over WebDriver BiDi, and WebKit's own
 * WebDriver drives WebKit on a virtual screen. Chromium-only features (routes, locators, contexts)
 * are in ../harness.ts and ../driver.ts.
 */

import { eventually } from '../driver.ts';

/** A function that runs in the page. It must not use variables of an enclosing scope. */
export type InPage<Args extends readonly unknown[], Result> = (
  ...args: Args
) => Result | Promise<Result>;

/** Named keys and their WebDriver codes. */
export const keyCodes = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
} as const;

export type Key = keyof typeof keyCodes;

/** An accessible name, or a function that looks up a changing name. */
export type Name = string | (() => Promise<string>);

/** A page alone in its browser, with a temporary profile that `close` deletes. */
export interface DrivenPage {
  /** Opens an address and waits until it has loaded. */
  goto(url: string): Promise<void>;
  /** Runs `body` in the page, awaits its promise if any, and returns the result as JSON. */
  evaluate<Args extends readonly unknown[], Result>(
    body: InPage<Args, Result>,
    ...args: Args
  ): Promise<Result>;
  /** Waits until `body` returns a truthy value in the page. Only the test's own timeout applies. */
  waitFor<Args extends readonly unknown[], Result>(
    body: InPage<Args, Result>,
    ...args: Args
  ): Promise<Result>;
  /**
   * Clicks the one visible element with this role and exact accessible name, once it exists. For
   * names that change often, `name` is a function that returns the current name.
   */
  click(role: Role, name: Name): Promise<void>;
  /** Replaces a field's text as if typed; finds the field by role and name. */
  fill(role: Role, name: string, text: string): Promise<void>;
  /** Selects the option with this text in the named combobox. */
  choose(name: string, option: string): Promise<void>;
  /** Focuses an element, by role and name. */
  focus(role: Role, name: string): Promise<void>;
  /** Presses a key of `keyCodes` on the focused element. */
  press(key: Key): Promise<void>;
  /** Waits for a saved file whose name has this ending; returns its bytes and deletes it. */
  saved(ending: string): Promise<Buffer>;
  /** Captures the visible page as PNG. */
  screenshot(): Promise<Uint8Array>;
  /**
   * Console errors, exceptions and policy violations. WebKit reports only problems of the current
   * page after its load event; the other engines report all.
   */
  problems(): Promise<readonly string[]>;
  /** Closes the browser. */
  close(): Promise<void>;
}

/** A browser engine in which tests can run. */
export interface BrowserEngine {
  readonly name: 'chromium' | 'firefox' | 'webkit';
  /** The reason why the engine is unavailable on this machine, or null. */
  readonly missing: string | null;
  launch(): Promise<DrivenPage>;
}

/** Supported roles, each with a selector for elements that may have the role. */
export const roleSelectors = {
  button: 'button, [role=button], summary, input[type=button], input[type=submit]',
  checkbox: 'input[type=checkbox], [role=checkbox]',
  combobox: 'select, [role=combobox]',
  heading: 'h1, h2, h3, h4, h5, h6, [role=heading]',
  application: '[role=application]',
  img: 'img, svg, canvas, [role=img]',
  link: 'a[href], [role=link]',
  radio: 'input[type=radio], [role=radio]',
  slider: 'input[type=range], [role=slider]',
  tab: '[role=tab]',
  textbox: 'textarea, input:not([type]), input[type=text], input[type=search], [role=textbox]',
} as const;

export type Role = keyof typeof roleSelectors;

/**
 * Alternative names of roles: WebKit's for its own controls, and the old name of a renamed role.
 */
const otherNames: Partial<Record<Role, string>> = {
  combobox: 'button',
  img: 'image',
};

/** Returns all names that browsers use for a role. */
export function namesOfRole(role: Role): readonly string[] {
  const other = otherNames[role];
  return other === undefined ? [role] : [role, other];
}

/**
 * Runs in the page. Returns visible elements of a selector whose naming attributes or texts contain
 * `name`. This narrows the candidates, because browsers compute roles and accessible names slowly.
 */
export function elementsThatMayBe(selector: string, name: string): Element[] {
  const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';
  return Array.from(document.querySelectorAll(selector)).filter((element) => {
    const labels = Array.from((element as HTMLInputElement).labels ?? []);
    const words = [
      ...['aria-label', 'title', 'placeholder'].map((one) => element.getAttribute(one) ?? ''),
      ...(element.getAttribute('aria-labelledby') ?? '').split(' ').map(textOf),
      ...[element, ...labels].map((one) => one.textContent),
    ];
    return (
      element.getClientRects().length > 0 &&
      element.checkVisibility({ visibilityProperty: true }) &&
      words.some((text) => text.replace(/\s+/g, ' ').includes(name))
    );
  });
}

/**
 * Runs in the page. Waits until an element is at rest and a pointer can reach it, then returns its
 * centre; null if it was removed or stays unreachable for a second. Scrolls only if the element is
 * not reachable, because scrolling moves sticky notes along. Also installs listeners that record
 * whether the next click hits the element; a click that misses a moving element is suppressed.
 */
export async function pointToClick(element: Element): Promise<{ x: number; y: number } | null> {
  // Uses timers: hidden windows may get no animation frames.
  const pause = (): Promise<unknown> => new Promise((done) => setTimeout(done, 20));
  const end = performance.now() + 1000;
  // WebDriver takes whole pixels; rounding later could move the point outside the window.
  const centre = (): { x: number; y: number } => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
  };
  const own = [element, ...Array.from((element as HTMLInputElement).labels ?? [])];
  const isReached = (): boolean => {
    const { x, y } = centre();
    const there = document.elementFromPoint(x, y);
    return own.some((one) => one.contains(there));
  };
  let point = centre();
  for (let still = 0; still < 2;) {
    if (!element.isConnected || performance.now() > end) return null;
    if (!isReached()) {
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      // scrollIntoView does not always reach parts of an SVG.
      scrollBy({ top: centre().y - innerHeight / 2, behavior: 'instant' });
    }
    await pause();
    const now = centre();
    still = isReached() && now.x === point.x && now.y === point.y ? still + 1 : 0;
    point = now;
  }
  const noted = globalThis as { clickMissed?: string; onClick?: (event: Event) => void };
  noted.clickMissed = 'no click came';
  if (noted.onClick !== undefined) removeEventListener('click', noted.onClick, { capture: true });
  noted.onClick = (event) => {
    const hit = event.composedPath().some((one) => own.includes(one as Element));
    if (hit) noted.clickMissed = '';
    else {
      const there = (event.target as Element).outerHTML.slice(0, 200);
      noted.clickMissed = `the click came to ${there}, and ${element.outerHTML.slice(0, 200)} is ${element.isConnected ? 'there' : 'gone'}`;
      event.stopImmediatePropagation();
      event.preventDefault();
    }
  };
  addEventListener('click', noted.onClick, { capture: true, once: true });
  return point;
}

/**
 * Runs in the page. Returns an empty string if the click hit or the page has changed, otherwise the
 * reason of the miss.
 */
export function clickMissed(): string {
  return (globalThis as { clickMissed?: string }).clickMissed ?? '';
}

/** Milliseconds after which a click target is looked up again by its current name. */
export const LOOK = 2000;

/**
 * Clicks an element and retries if it moves, is covered or changes its name. `point` runs
 * `pointToClick` in the page for the element with this name, within LOOK milliseconds; `missed`
 * runs `clickMissed`.
 */
export async function clickUntilItComes(how: {
  readonly name: Name;
  readonly point: (name: string) => Promise<{ x: number; y: number } | null>;
  readonly clickAt: (point: { x: number; y: number }) => Promise<void>;
  readonly missed: () => Promise<string>;
}): Promise<void> {
  await eventually(
    async () => {
      const name = typeof how.name === 'string' ? how.name : await how.name();
      const point = await how.point(name).catch(String);
      if (typeof point === 'string') return point;
      if (point === null) return `"${name}" did not stand still where a pointer reaches it`;
      await how.clickAt(point);
      return how.missed();
    },
    (missed) => missed === '',
  );
}
