/** Entry point of the site's page: loads words and a linked text, and starts the app. */
import { engine, site } from './first-engine.ts';
import { pageAddress } from '../store/address/address-store.ts';
import { chooseLang, loadCatalogue } from '../i18n/index.ts';
import type { AddressStore } from '../store/address/address-store.ts';
import { createApp } from './app.ts';
import type { AppOptions } from './app-options.ts';
import { fillHeader } from './header.ts';
import { keepForOffline } from './offline-site.ts';
import { showPlace } from './place-note.ts';
import { hasSimd } from './simd.ts';
import { firstFragment, readAddress } from '../store/address/page-settings.ts';
import { applyTheme, recallTheme } from './theme.ts';

const root = document.documentElement;
// Repeats first-frame.ts, which may have failed to load.
applyTheme(recallTheme(), root);
const part = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no part ${id}`);
  return found;
};

/** Reads the text that the address contains or links to, and loads the code for it only then. */
async function takeSent(
  address: AddressStore,
): Promise<Pick<AppOptions, 'text' | 'textName' | 'textError'>> {
  const hash = address.read();
  const holds = (): boolean => /[#&](packed|file)=/.test(address.read());
  window.addEventListener('hashchange', (event) => {
    if (!holds()) return;
    // The app would remove the parameters before the text is read.
    event.stopImmediatePropagation();
    location.reload();
  });
  if (!holds()) return {};
  const { readSent, withoutText } = await import('../store/text/sent-text.ts');
  try {
    const found = await readSent(hash, document.baseURI);
    // After a reload, the text is restored as the reader's own.
    address.write(found.hash, false);
    const { text, textName } = found;
    return text === undefined ? {} : { text, textName };
  } catch (textError) {
    address.write(withoutText(hash), false);
    // Empty, so that an earlier text is not mistaken for the linked one.
    return { text: '', textError };
  }
}

async function begin(): Promise<void> {
  const address = pageAddress();
  const asked = readAddress(address.read());
  const lang = chooseLang(asked.lang, navigator.languages);
  const first = firstFragment(asked, lang);
  if (first !== null) address.write(first, false);
  await loadCatalogue(lang);
  const sent = await takeSent(address);
  createApp(part('main'), {
    ...site,
    ...sent,
    startEngine: () => engine,
    startSecond: site.startEngine,
    address,
    root,
    onReady: keepForOffline,
    // A page on a disk has no address to share.
    ...(location.protocol === 'file:' ? {} : { home: new URL('./', location.href).href }),
    onPlace: showPlace,
    onWords: fillHeader,
  });
}

// Styles show this message after some seconds if this script fails to load.
const noload = part('noload');
noload.classList.remove('late');
if (hasSimd()) {
  begin().catch(() => {
    noload.hidden = false;
  });
} else {
  part('nosimd').hidden = false;
}
