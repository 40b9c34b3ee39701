/**
 * What the first frame needs before anything else is there: the colours that its reader chose, and
 * the words of the header in the reader's language. A script of its own, which the browser waits
 * for: the words of the page come later, and until then the header would stand there in English.
 */
import { chooseLang, LANG_TAGS } from '../i18n/lang.ts';
import { cleanFragment } from '../store/address/address-store.ts';
import { applyTheme, recallTheme } from './theme.ts';

const root = document.documentElement;
applyTheme(recallTheme(), root);

const asked = new URLSearchParams(cleanFragment(location.hash).slice(1)).get('lang');
const lang = chooseLang(asked, navigator.languages);
if (lang !== 'en') {
  root.lang = LANG_TAGS[lang];
  // The build has put them there: see embed/build/first-frame.ts. What is still being read has
  // nothing behind it.
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
