/**
 * One page in a browser of its own, with the same few verbs in every browser engine.
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
 * Chromium is driven by Playwright, Firefox by Puppeteer over WebDriver BiDi, WebKit by its own
 * WebDriver under a virtual screen (see the files beside this one). What only Chromium can do
 * (routes, locators, contexts) is in ../harness.ts and ../driver.ts.
 */

import { eventually } from '../driver.ts';

/** A function that runs in the page. It must not use anything from around it. */
export type InPage<Args extends readonly unknown[], Result> = (
  ...args: Args
) => Result | Promise<Result>;

/** Keys that have names, with the codes that WebDriver knows them by. */
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

/** A name, or what tells it anew each time. */
export type Name = string | (() => Promise<string>);

/** A page alone in its browser, with an empty profile that is gone after `close`. */
export interface DrivenPage {
  /** Opens an address and waits until it has loaded. */
  goto(url: string): Promise<void>;
  /**
   * Runs `body` in the page, waits for its promise if it gives one, and answers what it gave
   * (JSON).
   */
  evaluate<Args extends readonly unknown[], Result>(
    body: InPage<Args, Result>,
    ...args: Args
  ): Promise<Result>;
  /** Waits until `body` gives something true in the page; fails by the test's own time limit. */
  waitFor<Args extends readonly unknown[], Result>(
    body: InPage<Args, Result>,
    ...args: Args
  ): Promise<Result>;
  /**
   * Clicks the one visible element of this role and exact accessible name, once it is there. What
   * is called otherwise from one moment to the next has a function that tells its name of now.
   */
  click(role: Role, name: Name): Promise<void>;
  /** Puts `text` in place of what is written in a field, by its role and name, as if typed. */
  fill(role: Role, name: string, text: string): Promise<void>;
  /** Chooses the option with this text in the combobox of this name. */
  choose(name: string, option: string): Promise<void>;
  /** Puts the focus on an element, by its role and name. */
  focus(role: Role, name: string): Promise<void>;
  /** Presses a key where the focus is: one of those above. */
  press(key: Key): Promise<void>;
  /** Waits until the browser has saved a file whose name ends so, and takes it: its bytes. */
  saved(ending: string): Promise<Buffer>;
  /** The page as it can be seen, as PNG. */
  screenshot(): Promise<Uint8Array>;
  /**
   * Console errors, exceptions and violations of the policy so far. WebKit tells those of the page
   * at hand that came after it had loaded; the others tell all.
   */
  problems(): Promise<readonly string[]>;
  /** Ends the browser. */
  close(): Promise<void>;
}

/** A browser engine that the tests know. */
export interface BrowserEngine {
  readonly name: 'chromium' | 'firefox' | 'webkit';
  /** Why it cannot be used on this machine, or null. */
  readonly missing: string | null;
  launch(): Promise<DrivenPage>;
}

/** Roles that can be looked up, with the elements that may have them. */
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
 * What some browsers call a role instead: WebKit its own controls, all the role that got a new
 * name.
 */
const otherNames: Partial<Record<Role, string>> = {
  combobox: 'button',
  img: 'image',
};

/** The names that browsers have for a role. */
export function namesOfRole(role: Role): readonly string[] {
  const other = otherNames[role];
  return other === undefined ? [role] : [role, other];
}

/**
 * Runs in the page: the elements of a selector that can be seen and have `name` somewhere in what
 * names them. Browsers take long to tell the role and name of everything on a page; they are asked
 * about these.
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
 * Runs in the page: waits until an element stands still where a pointer reaches it, and tells its
 * centre; null when it has gone, or does not come to that within a second. Only what cannot be
 * reached is scrolled to: a note that stays beside a section would move with it. From then on the
 * page notes whether the element has been clicked. A click that misses it, since it moves away just
 * then, does nothing: a person sees where things are, and would not have clicked there.
 */
export async function pointToClick(element: Element): Promise<{ x: number; y: number } | null> {
  // A window that nobody looks at may get no frames.
  const pause = (): Promise<unknown> => new Promise((done) => setTimeout(done, 20));
  const end = performance.now() + 1000;
  // WebDriver points at whole pixels; one that was rounded later could lie outside the window.
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
      // Parts of a drawing do not always come into view by themselves.
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
 * Runs in the page: empty if the click has come, else what became of it; another page knows nothing
 * of it.
 */
export function clickMissed(): string {
  return (globalThis as { clickMissed?: string }).clickMissed ?? '';
}

/** Milliseconds after which what is to be clicked is looked for again, by its name of then. */
export const LOOK = 2000;

/**
 * Clicks where an element is, as a person would: what moves away under the pointer, is covered for
 * a moment or has got another name, is clicked again. `point` is `pointToClick` in the page for
 * what has this name within the time of a look, and `missed` is `clickMissed` there.
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
