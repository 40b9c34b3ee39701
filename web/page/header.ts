/** Translates the header, which is part of the HTML, and makes its controls work. */
import { chooseLang, docsLang } from '../i18n/index.ts';
import type { Key, Words } from '../i18n/index.ts';
import { recall } from '../store/storage.ts';
import type { Chrome } from './app-options.ts';
import { applyTheme, asTheme, keepTheme, recallTheme } from './theme.ts';
import type { Theme } from './theme.ts';

/** Links to the documentation: ids of the elements, names of the pages. */
const DOCS_LINKS = [
  ['docs-link', 'index'],
  ['teachers-link', 'teaching'],
] as const;

const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

/** Called again for each language. */
export function fillHeader(words: Words, app: Chrome): void {
  const { t } = words;
  document.title = `${t('app.title')} – ${t('app.tagline')}`;
  for (const element of document.querySelectorAll<HTMLElement>('[data-i18n]')) {
    element.textContent = words.find(element.dataset.i18n ?? '') ?? '';
  }
  // A link would replace the settings, which are the fragment of the address.
  document.getElementById('skip')!.onclick = () => {
    document.querySelector<HTMLElement>('#run .primary')?.focus();
  };
  for (const [id, page] of DOCS_LINKS) {
    const link = document.getElementById(id);
    link?.setAttribute('href', `./docs/${docsLang(words.lang)}/${page}.html`);
    // A page on a disk may have no documentation beside it.
    if (link !== null) link.hidden = location.protocol === 'file:';
  }
  const story = document.getElementById('story');
  if (story !== null && app.showStory !== null) {
    story.hidden = false;
    story.onclick = app.showStory;
    // The story leads to the documentation.
    document.getElementById('docs-link')?.setAttribute('hidden', '');
  }
  const tour = document.getElementById('tour');
  if (tour instanceof HTMLButtonElement) {
    tour.disabled = false;
    tour.classList.toggle('fresh', recall('always', 'tour') === null);
    tour.onclick = app.showAround;
  }
  const lang = select('lang');
  lang.setAttribute('aria-label', t('app.language'));
  lang.value = words.lang;
  lang.onchange = () => {
    app.setLang(chooseLang(lang.value, []));
  };
  const theme = select('theme');
  theme.setAttribute('aria-label', t('app.theme'));
  theme.title = t('app.theme');
  for (const [index, name] of THEMES.entries()) {
    const key: Key = `app.theme.${name}`;
    const option = theme.options[index];
    if (option !== undefined) option.textContent = t(key);
  }
  theme.value = recallTheme();
  theme.onchange = () => {
    const chosen = asTheme(theme.value);
    applyTheme(chosen, document.documentElement);
    keepTheme(chosen);
    app.recolour();
  };
}

function select(id: string): HTMLSelectElement {
  const found = document.getElementById(id);
  if (!(found instanceof HTMLSelectElement)) throw new Error(`the page has no choice #${id}`);
  return found;
}
