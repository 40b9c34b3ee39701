/**
 * `<glasshouse-gpt>`: the page's panels as an element for any other page, in its own shadow tree.
 * Importing this file without a `window` is safe; `defineGlasshouse` then does nothing.
 *
 * - Attributes, each also a property: `text` (or a child with `slot="text"`) and its `name`,
 *   `sample`, `preset`, `settings` (such as `layers=3&lr=0.01`), `seed`, `probe`, `prompt`, `pace`,
 *   `view`, `show`, `lock`, `hide`, `task`, `autostart`, `stop`, `lang`, `theme`, `fit` (settings
 *   that suit the text). A change of `sample`, `name`, `preset`, `settings`, `seed` or `fit`,
 *   or removing the text, restarts the app. The next run trains on a changed text; with any other
 *   change the run continues.
 * - Events: `glasshouse-ready` once per start of the app, `glasshouse-status` on progress, both
 *   with a Status as detail; `glasshouse-error` with ErrorFacts.
 * - Colours and fonts: `--glasshouse-paper`, `--glasshouse-ink`, `--glasshouse-accent` and every
 *   other variable of the page's theme under the same prefix. Parts: `panel`, the panel's name,
 *   `task`.
 * - Children are shown until the element is defined, and where it cannot work.
 */
import { createApp } from '../page/app.ts';
import { chooseLang, loadCatalogue } from '../i18n/index.ts';
import { findLang } from '../i18n/lang.ts';
import type { Lang } from '../i18n/index.ts';
import type { Chrome } from '../page/app-options.ts';
import { ownAddress } from '../store/address/address-store.ts';
import type { OwnAddress } from '../store/address/address-store.ts';
import { LESSON_ATTRIBUTES } from '../store/address/lesson-attributes.ts';
import { isOn, readLesson } from '../store/address/lesson.ts';
import { el } from '../kit/dom.ts';
import './element-types.ts';
import { callBy, modelBy, QUESTIONS } from '../store/host/host.ts';
import type {
  App,
  AskOptions,
  Asked,
  Host,
  HostModel,
  Questions,
  Status,
} from '../store/host/host.ts';
import { factsOf, failure, ignore } from '../engine/errors.ts';
import { hasSimd } from '../page/simd.ts';
import { sources } from '../page/sources.ts';
import type { Sources } from '../page/sources.ts';
import { fragmentOf } from './lesson-params.ts';
import { FollowedTheme } from './followed-theme.ts';
import { keepKeys } from './own-keys.ts';
import { addStyles } from './shadow-sheet.ts';

/** Attributes of a lesson: a run continues when they change. */
const LESSON_PARTS: ReadonlySet<string> = new Set([
  'show',
  'lock',
  'hide',
  'task',
  'autostart',
  'stop',
]);
/** Attributes of view and pace: a run continues as well. */
const VIEW_ATTRIBUTES: ReadonlySet<string> = new Set(['probe', 'prompt', 'pace', 'view']);

/** Attributes that are also properties; `lang` is a property of every element. */
const PROPERTIES = LESSON_ATTRIBUTES.filter(
  (name) => name !== 'lang' && name !== 'autostart',
) as readonly Exclude<(typeof LESSON_ATTRIBUTES)[number], 'lang' | 'autostart'>[];

/** Null if the attribute is absent. */
type Reflected = Record<(typeof PROPERTIES)[number], string | null>;

/** A plain class where there is no page, so that a server can import this file. */
const Base = ((globalThis as { HTMLElement?: typeof HTMLElement }).HTMLElement ??
  Object) as unknown as new () => HTMLElement & Reflected;

/**
 * The questions of a host as methods. Those with the name of a property (`sample`, `probe`, `fit`)
 * go through `at()` and `ask`.
 */
type Methods = Omit<Questions, keyof Reflected>;
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type -- defined below the class
export interface GlasshouseGpt extends Methods {}

/** Implements Host; commands and questions wait until the element is in a page. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- see the interface
export class GlasshouseGpt extends Base implements Omit<Host, 'status'> {
  static readonly observedAttributes: readonly string[] = ['text', ...LESSON_ATTRIBUTES];

  #app: App | null = null;
  #chrome: Chrome | null = null;
  #address: OwnAddress | null = null;
  /** Observes the text inside the element. */
  #textObserver: MutationObserver | null = null;
  #applyingLesson = false;
  #theme: FollowedTheme | null = null;
  #ownText: string | null = null;
  #ready = false;
  /** The newest start, while its words are loaded; null otherwise. */
  #starting: symbol | null = null;
  /** Actions of the host from before the element was in a page. */
  #waiting: ((app: App) => void)[] = [];
  /** The last reported error, as JSON. */
  #error = '';
  #restarting = false;

  /** The training text: the property if set, else the attribute, else the slotted element. */
  get text(): string | null {
    if (this.#ownText !== null) return this.#ownText;
    const inside = this.querySelector<HTMLElement & { content?: DocumentFragment }>(
      ':scope > [slot=text]',
    );
    // The children of a <template> are in its content.
    return this.getAttribute('text') ?? (inside?.content ?? inside)?.textContent ?? null;
  }

  set text(text: string | null) {
    // Frameworks may assign a value of any type.
    const given = (text as unknown) ?? null;
    this.#ownText = given === null ? null : String(text);
    if (this.#ownText !== null && this.#app !== null) this.#app.setText(this.#ownText);
    else this.#restart();
  }

  /** Whether training starts when the element is scrolled into view. */
  get autostart(): boolean {
    return isOn(this.getAttribute('autostart'));
  }

  set autostart(starts: boolean | string) {
    if (typeof starts === 'string' ? isOn(starts) : starts) this.setAttribute('autostart', '');
    else this.removeAttribute('autostart');
  }

  connectedCallback(): void {
    // A property set before the element was defined hides the accessor of that name.
    for (const name of ['text', 'autostart', ...PROPERTIES] as const) {
      if (!Object.hasOwn(this, name)) continue;
      const value: unknown = this[name];
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
    if (this.#app !== null || this.#starting !== null) return;
    // The parser has not read the children yet.
    if (document.readyState !== 'loading') this.#start();
    else {
      document.addEventListener(
        'DOMContentLoaded',
        () => {
          if (this.isConnected && this.#app === null && this.#starting === null) this.#start();
        },
        { once: true },
      );
    }
  }

  adoptedCallback(): void {
    // A constructed style sheet belongs to one document.
    if (this.#theme !== null && this.shadowRoot !== null) {
      addStyles(this.shadowRoot);
      this.#theme.follow();
    }
  }

  disconnectedCallback(): void {
    // The element may only be moving: then its run continues.
    queueMicrotask(() => {
      if (!this.isConnected) this.#end();
    });
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || this.#app === null) return;
    if (name === 'theme') {
      this.#theme?.show();
    } else if (name === 'lang') {
      this.#chrome?.setLang(this.#lang());
    } else if (name === 'text' && now !== null) {
      this.#ownText = null;
      this.#app.setText(now);
    } else if (LESSON_PARTS.has(name)) {
      this.#applyLesson();
    } else if (VIEW_ATTRIBUTES.has(name)) {
      this.#address?.say(name, now);
      this.#applyLesson();
    } else {
      this.#restart();
    }
  }

  /** Status of the run; null while disconnected. */
  status(): Status | null {
    return this.#app?.status() ?? null;
  }

  losses(): readonly number[] {
    return this.#app?.losses() ?? [];
  }

  start(until?: number): void {
    this.#withApp((app) => {
      app.start(until);
    });
  }

  pause(): void {
    this.#withApp((app) => {
      app.pause();
    });
  }

  step(): void {
    this.#withApp((app) => {
      app.step();
    });
  }

  rewind(): void {
    this.#withApp((app) => {
      app.rewind();
    });
  }

  setText(text: string): void {
    if (typeof (text as unknown) !== 'string') {
      throw failure('host-call', 'setText: text is to be a string', [], 'text');
    }
    this.text = text;
  }

  setPreset(preset: string): void {
    this.#withApp((app) => {
      app.setPreset(preset);
    });
  }

  setOption(name: string, value: number): void {
    this.#withApp((app) => {
      app.setOption(name, value);
    });
  }

  setView(tab: string): void {
    this.#withApp((app) => {
      app.setView(tab);
    });
  }

  ask(name: string, args: readonly unknown[], asked?: Asked): Promise<unknown> {
    return new Promise((resolve) => {
      this.#withApp((app) => {
        resolve(app.ask(name, args, asked));
      });
    });
  }

  /** The model of step `step`, by default the newest; its questions have the library's names. */
  at(step?: number, options: AskOptions = {}): HostModel {
    return modelBy((...asked) => this.ask(...asked), { ...options, at: step });
  }

  subscribe(listener: (status: Status) => void): () => void {
    if (typeof (listener as unknown) !== 'function') {
      throw failure('host-call', 'subscribe: listener is to be a function', [], 'listener');
    }
    const hear = (event: Event): void => {
      listener((event as CustomEvent<Status>).detail);
    };
    this.addEventListener('glasshouse-status', hear);
    return () => {
      this.removeEventListener('glasshouse-status', hear);
    };
  }

  /** Calls `action` with the app: now, or once the element is in a page with its new settings. */
  #withApp(action: (app: App) => void): void {
    if (this.#app === null || this.#restarting) this.#waiting.push(action);
    else action(this.#app);
  }

  /** Language of the element or its surroundings, else of the reader. */
  #lang(): Lang {
    return chooseLang(this.closest('[lang]')?.getAttribute('lang') ?? null, navigator.languages);
  }

  #start(): void {
    const shadow = this.shadowRoot ?? this.#attach();
    // Some documents, such as those of test runners, have no layout.
    if (!hasSimd() || typeof ResizeObserver === 'undefined') {
      // The children are shown instead.
      shadow.replaceChildren(document.createElement('slot'));
      return;
    }
    const { startEngine, ...rest } = sources();
    // Engine and words are fetched at once.
    const engine = startEngine();
    const starting = Symbol('start');
    this.#starting = starting;
    const lang = this.#lang();
    const giveUp = (): void => {
      engine.then(({ trainer }) => {
        trainer.close();
      }, ignore);
    };
    loadCatalogue(lang).then(
      () => {
        const isWanted = starting === this.#starting;
        if (isWanted && lang === this.#lang()) {
          this.#starting = null;
          this.#build(shadow, { ...rest, startEngine: () => engine });
          return;
        }
        giveUp();
        if (isWanted) this.#start();
      },
      (thrown: unknown) => {
        giveUp();
        if (starting !== this.#starting) return;
        this.#starting = null;
        shadow.replaceChildren(document.createElement('slot'));
        this.#send('glasshouse-error', factsOf(thrown));
      },
    );
  }

  /** Shows the app; the words of its language are loaded. */
  #build(shadow: ShadowRoot, from: Sources): void {
    const text = this.text;
    const fragment = this.#fragment();
    const address = ownAddress(fragment);
    const main = el('div', { class: 'app' });
    // The app sets language and direction, whatever those of the surrounding page.
    const root = el('div', { class: 'glasshouse', part: 'root' }, main);
    shadow.replaceChildren(root);
    addStyles(shadow);
    this.#theme = new FollowedTheme(this, root, () => this.#chrome?.recolour());
    this.#app = createApp(main, {
      ...from,
      root,
      address,
      ...(text === null ? {} : { text, textName: this.getAttribute('name') ?? '' }),
      keeps: false,
      lesson: readLesson(new URLSearchParams(fragment.slice(1))),
      onWords: (_words, chrome) => {
        this.#chrome = chrome;
      },
      onUnknownParams: (unknown) => {
        // The address calls the attribute `sample` text.
        const subject = unknown.map((one) => one.replace(/^text=/, 'sample=')).join(', ');
        this.#refuse(subject);
      },
    });
    this.#address = address;
    const said = this.getAttribute('lang');
    if (said !== null && findLang(said) === undefined) this.#refuse(`lang=${said}`);
    this.#app.subscribe((status) => {
      this.#report(status);
    });
    for (const action of this.#waiting.splice(0)) action(this.#app);
    let learned = text;
    this.#textObserver = new MutationObserver(() => {
      const now = this.text;
      if (now === learned || this.#ownText !== null || this.hasAttribute('text')) return;
      learned = now;
      if (now === null) this.#restart();
      else this.#app?.setText(now);
    });
    this.#textObserver.observe(this, { childList: true, characterData: true, subtree: true });
  }

  #attach(): ShadowRoot {
    const shadow = this.attachShadow({ mode: 'open' });
    keepKeys(shadow);
    return shadow;
  }

  /** All attributes as link parameters. */
  #fragment(): string {
    const asked = (name: string): string | null =>
      name === 'lang' ? this.#lang() : this.getAttribute(name);
    return fragmentOf(asked, this.text !== null);
  }

  /** Applies the lesson once, after all attributes that change together have changed. */
  #applyLesson(): void {
    if (this.#applyingLesson) return;
    this.#applyingLesson = true;
    queueMicrotask(() => {
      this.#applyingLesson = false;
      const params = new URLSearchParams(this.#fragment().slice(1));
      this.#chrome?.setLesson(readLesson(params), params);
    });
  }

  /** Tells the host of attributes that mean nothing. */
  #refuse(subject: string): void {
    const why = failure('words', `not known here: ${subject}`, [], subject);
    this.#send('glasshouse-error', factsOf(why));
  }

  #send(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #report(status: Status): void {
    if (!this.#ready && status.state !== 'loading') {
      this.#ready = true;
      this.#send('glasshouse-ready', status);
    }
    // Sends each error once, because every status repeats the error.
    const error = JSON.stringify(status.error);
    if (status.error !== null && error !== this.#error)
      this.#send('glasshouse-error', status.error);
    this.#error = error;
    this.#send('glasshouse-status', status);
  }

  #end(): void {
    this.#starting = null;
    this.#textObserver?.disconnect();
    this.#textObserver = null;
    this.#theme?.end();
    this.#theme = null;
    this.#address = null;
    this.#app?.destroy();
    this.#app = null;
    this.#chrome = null;
    this.#ready = false;
    this.#error = '';
    this.shadowRoot?.replaceChildren();
  }

  /** Restarts the app once, after all attributes that change together have changed. */
  #restart(): void {
    if (this.#restarting || this.#app === null) return;
    this.#restarting = true;
    queueMicrotask(() => {
      this.#restarting = false;
      if (!this.isConnected) return;
      this.#end();
      this.#start();
    });
  }
}

for (const name of PROPERTIES) {
  Object.defineProperty(GlasshouseGpt.prototype, name, {
    configurable: true,
    enumerable: true,
    get(this: GlasshouseGpt) {
      return this.getAttribute(name);
    },
    set(this: GlasshouseGpt, value: string | number | null | undefined) {
      if (value === null || value === undefined) this.removeAttribute(name);
      else this.setAttribute(name, String(value));
    },
  });
}

for (const name of Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[]) {
  if ((PROPERTIES as readonly string[]).includes(name)) continue;
  Object.defineProperty(GlasshouseGpt.prototype, name, {
    configurable: true,
    writable: true,
    value(this: GlasshouseGpt, ...args: readonly unknown[]) {
      return callBy((...asked) => this.ask(...asked), name, args);
    },
  });
}

/**
 * Defines the element and returns its name. If another version has taken the name, this one gets a
 * numbered name.
 */
export function defineGlasshouse(name = 'glasshouse-gpt'): string {
  const registry = (globalThis as { customElements?: CustomElementRegistry }).customElements;
  if (registry === undefined) return name;
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}-${String(number)}`;
    const known = registry.get(free);
    if (known?.prototype instanceof GlasshouseGpt) return free;
    if (known !== undefined) continue;
    // A class can be registered once only, so each name gets a subclass.
    registry.define(free, class extends GlasshouseGpt {});
    return free;
  }
}

/** The name defined by importing this file. */
export const elementName = defineGlasshouse();

/** Creates an element of this version, under whatever name. */
export function createElement(): GlasshouseGpt {
  if (typeof document === 'undefined') {
    throw failure('unexpected', 'createElement() needs a page: there is no document here');
  }
  const element = document.createElement(elementName);
  if (!(element instanceof GlasshouseGpt)) throw new Error(`<${elementName}> is not defined`);
  return element;
}
