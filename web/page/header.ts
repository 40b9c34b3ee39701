/** The parts of the page that are in its HTML from the start: title, lead, language, colours. */
import type { Key, Lang, Words } from '../i18n/index.ts';
import type { Theme } from './theme.ts';

export interface HeaderOptions {
  readonly theme: Theme;
  /** Whether the tour was taken before. */
  readonly toured: boolean;
  readonly onTour: () => void;
  readonly onLang: (lang: Lang) => void;
  readonly onTheme: (theme: Theme) => void;
}

/** Links to pages of the documentation, by their ids. */
const DOCS_LINKS = [
  ['docs-link', 'index'],
  ['teachers-link', 'teaching'],
] as const;

const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

/** Puts the reader's language into the HTML and makes its two choices work. */
export function fillHeader(words: Words, options: HeaderOptions): void {
  const { t } = words;
  document.title = `${t('app.title')} – ${t('app.tagline')}`;
  for (const element of document.querySelectorAll<HTMLElement>('[data-i18n]')) {
    element.textContent = words.find(element.dataset.i18n ?? '') ?? '';
  }
  // A link would put its target where the address has the settings.
  document.getElementById('skip')!.onclick = () => {
    document.querySelector<HTMLElement>('#run .primary')?.focus();
  };
  for (const [id, page] of DOCS_LINKS) {
    const link = document.getElementById(id);
    link?.setAttribute('href', `./docs/${words.lang}/${page}.html`);
    // A page that lies alone on a disk has no documentation beside it.
    if (link !== null) link.hidden = location.protocol === 'file:';
  }
  const tour = document.getElementById('tour');
  if (tour instanceof HTMLButtonElement) {
    tour.disabled = false;
    tour.classList.toggle('fresh', !options.toured);
    tour.onclick = options.onTour;
  }
  const lang = select('lang');
  lang.setAttribute('aria-label', t('app.language'));
  lang.value = words.lang;
  lang.onchange = () => {
    options.onLang(lang.value === 'zh' ? 'zh' : 'en');
  };
  const theme = select('theme');
  theme.setAttribute('aria-label', t('app.theme'));
  theme.title = t('app.theme');
  for (const [index, name] of THEMES.entries()) {
    const key: Key = `app.theme.${name}`;
    const option = theme.options[index];
    if (option !== undefined) option.textContent = t(key);
  }
  theme.value = options.theme;
  theme.onchange = () => {
    options.onTheme(THEMES.find((name) => name === theme.value) ?? 'auto');
  };
}

function select(id: string): HTMLSelectElement {
  const found = document.getElementById(id);
  if (!(found instanceof HTMLSelectElement)) throw new Error(`the page has no choice #${id}`);
  return found;
}
