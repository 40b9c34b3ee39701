/** The theme of an element: by its attribute, else by the surrounding page, else by the system. */
import { applyTheme, asTheme } from '../page/theme.ts';

/** Attributes by which pages switch their theme. */
const THEME_ATTRIBUTES = [
  'class',
  'style',
  'data-theme',
  'data-color-mode',
  'data-bs-theme',
  'data-jp-theme-light',
];

export class FollowedTheme {
  readonly #element: HTMLElement;
  readonly #root: HTMLElement;
  readonly #changed: () => void;
  #observer: MutationObserver | null = null;

  /** `root`: the element inside that has the theme; `changed` is called after it has changed. */
  constructor(element: HTMLElement, root: HTMLElement, changed: () => void) {
    this.#element = element;
    this.#root = root;
    this.#changed = changed;
    this.follow();
  }

  /** Applies the theme now, and again when that of the element's document may have changed. */
  follow(): void {
    this.show();
    this.end();
    this.#observer = new MutationObserver(() => {
      this.show();
    });
    const { documentElement, body } = this.#element.ownerDocument;
    for (const part of [documentElement, body]) {
      this.#observer.observe(part, { attributeFilter: THEME_ATTRIBUTES });
    }
  }

  show(): void {
    const { parentElement, ownerDocument } = this.#element;
    const said = asTheme(this.#element.getAttribute('theme'));
    const { colorScheme } = getComputedStyle(parentElement ?? ownerDocument.documentElement);
    const theme = said === 'auto' ? asTheme(colorScheme) : said;
    if (theme === (this.#root.getAttribute('data-theme') ?? 'auto')) return;
    applyTheme(theme, this.#root);
    this.#changed();
  }

  end(): void {
    this.#observer?.disconnect();
  }
}
