/** Where the page begins. */
import { pageAddress } from '../store/address/address-store.ts';
import { chooseLang, loadCatalogue } from '../i18n/index.ts';
import type { AddressStore } from '../store/address/address-store.ts';
import { createApp } from './app.ts';
import type { AppOptions } from './app.ts';
import { fillHeader } from './header.ts';
import { keepForOffline } from './offline-site.ts';
import { showPlace } from './place-note.ts';
import { hasSimd } from './simd.ts';
import { sources } from './sources.ts';
import { readAddress } from '../store/address/page-settings.ts';
import { applyTheme, recallTheme } from './theme.ts';

const root = document.documentElement;
// Once more: the script that does it before all else may not have come.
applyTheme(recallTheme(), root);
const part = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no part ${id}`);
  return found;
};

/** A text that the address holds or names, if it does; the code for that comes only then. */
async function takeSent(
  address: AddressStore,
): Promise<Pick<AppOptions, 'text' | 'textName' | 'textError'>> {
  const hash = address.read();
  const holds = (): boolean => /[#&](packed|file)=/.test(address.read());
  window.addEventListener('hashchange', (event) => {
    if (!holds()) return;
    // The app would take the words away before they are read.
    event.stopImmediatePropagation();
    location.reload();
  });
  if (!holds()) return {};
  const { readSent, withoutText } = await import('../store/text/sent-text.ts');
  try {
    const found = await readSent(hash, document.baseURI);
    // From here on it is the reader's own text, which reloads bring back.
    address.write(found.hash, false);
    const { text, textName } = found;
    return text === undefined ? {} : { text, textName };
  } catch (textError) {
    address.write(withoutText(hash), false);
    // After a reload nobody is to take a text that was here before for the one of the link.
    return { text: '', textError };
  }
}

async function begin(): Promise<void> {
  const address = pageAddress();
  const site = sources();
  // The engine and the words set out together.
  const engine = site.startEngine();
  engine.catch(() => undefined);
  await loadCatalogue(chooseLang(readAddress(address.read()).lang, navigator.languages));
  const sent = await takeSent(address);
  createApp(part('main'), {
    ...site,
    ...sent,
    startEngine: () => engine,
    startSecond: site.startEngine,
    address,
    root,
    onReady: keepForOffline,
    // A page on a disk has nothing that others could open.
    ...(location.protocol === 'file:' ? {} : { home: new URL('./', location.href).href }),
    onPlace: showPlace,
    onWords: fillHeader,
  });
}

// It waits in the page to be shown where this script itself does not come.
const noload = part('noload');
noload.classList.remove('late');
if (hasSimd()) {
  begin().catch(() => {
    noload.hidden = false;
  });
} else {
  part('nosimd').hidden = false;
}
