/**
 * Sets the reader's theme and the language of the header before the first frame. A blocking script
 * of its own: the catalogue of the page loads later, and until then a Chinese reader would see an
 * English header.
 */
import { chooseLang, languageOf } from '../i18n/lang.ts';
import { cleanFragment } from '../store/address/address-store.ts';
import { applyTheme, recallTheme } from './theme.ts';

const root = document.documentElement;
applyTheme(recallTheme(), root);

const asked = new URLSearchParams(cleanFragment(location.hash).slice(1)).get('lang');
const lang = chooseLang(asked, navigator.languages);
if (lang !== 'en') {
  ({ tag: root.lang, dir: root.dir } = languageOf(lang));
  // The build writes the attributes, such as `data-zh` (embed/build/first-frame.ts). While the
  // document is parsed, an element without a next sibling may be incomplete.
  const translate = (isWhole: boolean): void => {
    const choice = document.querySelector<HTMLSelectElement>('#lang');
    if (choice !== null) choice.value = lang;
    for (const one of document.querySelectorAll<HTMLElement>(`[data-${lang}]`)) {
      if (!isWhole && one.nextSibling === null) continue;
      one.textContent = one.dataset[lang] ?? '';
      one.removeAttribute(`data-${lang}`);
    }
  };
  const parsed = new MutationObserver(() => {
    translate(false);
  });
  parsed.observe(root, { childList: true, subtree: true });
  document.addEventListener('DOMContentLoaded', () => {
    parsed.disconnect();
    translate(true);
  });
}
