/**
 * `<glasshouse-gpt>`: the page's panels as an element of any other page, in a shadow tree of its own.
 * Importing this file where there is no `window` is safe; `defineGlasshouse` then does nothing.
 *
 * - Attributes: `text` (one's own; or an element inside with `slot="text"`), `sample`, `preset`,
 *   `settings` (such as `layers=3&lr=0.01`), `seed`, `probe`, `prompt`, `pace`, `show`, `lock`,
 *   `hide`, `task`, `autostart`, `lang`, `theme`.
 * - Events: `glasshouse-ready` once, `glasshouse-status` whenever the run has moved on; the detail of
 *   both is a Status. `glasshouse-error` with an error's facts.
 * - Colours and fonts: `--glasshouse-paper`, `--glasshouse-ink`, `--glasshouse-accent` and every other
 *   variable of the page's theme under the same prefix. Parts: `panel`, the panel's name, `task`.
 * - What stands inside is shown until the element is defined, and where it cannot work.
 */
import { createApp } from '../app/app.ts';
import '../i18n/all.ts';
import { chooseLang } from '../i18n/index.ts';
import type { Lang } from '../i18n/index.ts';
import type { Chrome } from '../app/app.ts';
import { ownAddress } from '../app/address.ts';
import { LESSON_ATTRIBUTES, readLesson } from '../app/lesson.ts';
import type { App, Remote, Status } from '../app/remote.ts';
import { hasSimd } from '../app/simd.ts';
import { sources } from '../app/sources.ts';
import { applyTheme, asTheme } from '../app/theme.ts';
import css from '../styles/embed.css?inline';
import { fragmentOf } from './lesson-words.ts';

/** Only a class in name where there is no page: so that importing this is safe on a server. */
const Base =
  (globalThis as { HTMLElement?: typeof HTMLElement }).HTMLElement ??
  (Object as unknown as typeof HTMLElement);

let sheet: CSSStyleSheet | null = null;

/** One sheet for all elements of the page; an element of style where sheets cannot be shared. */
function addStyles(shadow: ShadowRoot): void {
  try {
    if (sheet === null) {
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
    }
    shadow.adoptedStyleSheets = [sheet];
  } catch {
    const style = document.createElement('style');
    style.textContent = css;
    shadow.prepend(style);
  }
}

/** The element. Its commands are those of Remote; before it is ready they do nothing. */
export class GlasshouseGpt extends Base implements Omit<Remote, 'status'> {
  static readonly observedAttributes: readonly string[] = ['text', ...LESSON_ATTRIBUTES];

  #app: App | null = null;
  #chrome: Chrome | null = null;
  #root: HTMLElement | null = null;
  #ownText: string | null = null;
  #ready = false;
  #restarting = false;

  /** The text to learn: what was set, else the attribute, else the element in the slot. */
  get text(): string | null {
    if (this.#ownText !== null) return this.#ownText;
    const inside = this.querySelector(':scope > [slot=text]');
    return this.getAttribute('text') ?? inside?.textContent ?? null;
  }

  set text(text: string | null) {
    this.#ownText = text;
    if (text !== null && this.#app !== null) this.#app.setText(text);
    else this.#restart();
  }

  connectedCallback(): void {
    // A text that was set before the element was defined hides the property of that name.
    if (Object.hasOwn(this, 'text')) {
      const { text } = this;
      delete (this as { text?: string | null }).text;
      this.#ownText = text;
    }
    if (this.#app !== null) return;
    // What stands inside is not there yet while the page is still being read.
    if (document.readyState !== 'loading') this.#start();
    else {
      document.addEventListener(
        'DOMContentLoaded',
        () => {
          if (this.isConnected && this.#app === null) this.#start();
        },
        { once: true },
      );
    }
  }

  disconnectedCallback(): void {
    // Somebody may only be moving it: a run goes on when it is back at once.
    queueMicrotask(() => {
      if (!this.isConnected) this.#end();
    });
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || this.#app === null) return;
    if (name === 'theme') {
      if (this.#root !== null) applyTheme(asTheme(now), this.#root);
      this.#chrome?.recolour();
    } else if (name === 'lang') {
      this.#chrome?.setLang(this.#lang());
    } else if (name === 'text' && now !== null) {
      this.#ownText = null;
      this.#app.setText(now);
    } else {
      this.#restart();
    }
  }

  /** Where the run is; null while the element is not on a page. */
  status(): Status | null {
    return this.#app?.status() ?? null;
  }

  losses(): readonly number[] {
    return this.#app?.losses() ?? [];
  }

  start(): void {
    this.#app?.start();
  }

  pause(): void {
    this.#app?.pause();
  }

  step(): void {
    this.#app?.step();
  }

  rewind(): void {
    this.#app?.rewind();
  }

  setText(text: string): void {
    this.text = text;
  }

  setPreset(preset: string): void {
    this.#app?.setPreset(preset);
  }

  setOption(name: string, value: number): void {
    this.#app?.setOption(name, value);
  }

  subscribe(listener: (status: Status) => void): () => void {
    const hear = (event: Event): void => {
      listener((event as CustomEvent<Status>).detail);
    };
    this.addEventListener('glasshouse-status', hear);
    return () => {
      this.removeEventListener('glasshouse-status', hear);
    };
  }

  /** Its own language, else that of what is around it, else the reader's. */
  #lang(): Lang {
    return chooseLang(this.closest('[lang]')?.getAttribute('lang') ?? null, navigator.languages);
  }

  #start(): void {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    if (!hasSimd()) {
      // Whatever stands inside is shown instead.
      shadow.replaceChildren(document.createElement('slot'));
      return;
    }
    const text = this.text;
    const asked = (name: string): string | null =>
      name === 'lang' ? this.#lang() : this.getAttribute(name);
    const fragment = fragmentOf(asked, text !== null);
    const root = document.createElement('div');
    root.className = 'glasshouse';
    root.setAttribute('part', 'root');
    const main = document.createElement('div');
    main.className = 'app';
    root.append(main);
    shadow.replaceChildren(root);
    addStyles(shadow);
    applyTheme(asTheme(this.getAttribute('theme')), root);
    this.#root = root;
    this.#app = createApp(main, {
      ...sources(),
      root,
      address: ownAddress(fragment),
      ...(text === null ? {} : { text }),
      keeps: false,
      lesson: readLesson(new URLSearchParams(fragment.slice(1))),
      onWords: (_words, chrome) => {
        this.#chrome = chrome;
      },
    });
    this.#app.subscribe((status) => {
      this.#tell(status);
    });
  }

  #tell(status: Status): void {
    const send = (name: string, detail: unknown): void => {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    };
    if (!this.#ready && status.state !== 'loading') {
      this.#ready = true;
      send('glasshouse-ready', status);
    }
    if (status.error !== null) send('glasshouse-error', status.error);
    send('glasshouse-status', status);
  }

  #end(): void {
    this.#app?.destroy();
    this.#app = null;
    this.#chrome = null;
    this.#root = null;
    this.#ready = false;
    this.shadowRoot?.replaceChildren();
  }

  /** Begins anew, once, after all attributes that change together have changed. */
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

/**
 * Defines the element and returns the name under which it is known. Where another version of it came
 * first, that one keeps the name, and this one gets a name of its own.
 */
export function defineGlasshouse(name = 'glasshouse-gpt'): string {
  const registry = (globalThis as { customElements?: CustomElementRegistry }).customElements;
  if (registry === undefined) return name;
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}-${String(number)}`;
    const known = registry.get(free);
    if (known?.prototype instanceof GlasshouseGpt) return free;
    if (known !== undefined) continue;
    // A class can have one name only: each name gets a class of its own.
    registry.define(free, class extends GlasshouseGpt {});
    return free;
  }
}

/** The name under which importing this file has defined the element. */
export const elementName = defineGlasshouse();

/** A new element of this version, whatever name it has got. */
export function createElement(): GlasshouseGpt {
  const element = document.createElement(elementName);
  if (!(element instanceof GlasshouseGpt)) throw new Error(`<${elementName}> is not defined`);
  return element;
}

declare global {
  interface HTMLElementTagNameMap {
    'glasshouse-gpt': GlasshouseGpt;
  }
  // Also of documents and windows, which hear them too.
  interface GlobalEventHandlersEventMap {
    'glasshouse-ready': CustomEvent<Status>;
    'glasshouse-status': CustomEvent<Status>;
    'glasshouse-error': CustomEvent<{ readonly code: string; readonly message: string }>;
  }
}
