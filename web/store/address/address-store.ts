/**
 * Storage of an app's settings as a URL fragment: in the address of its page, or in memory if the
 * app is embedded in a page of others.
 */

export interface AddressStore {
  /** The fragment with its `#`, or an empty string. */
  readonly read: () => string;
  /** `back`: adds an entry to the browser's history. */
  readonly write: (hash: string, back: boolean) => void;
  /** Calls `listener` when something else changed the fragment; the returned function ends that. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** The fragment of this page's address. */
export function pageAddress(): AddressStore {
  return {
    read: () => cleanFragment(location.hash),
    write: (hash, back) => {
      try {
        const url = hash === '' ? location.pathname + location.search : hash;
        if (back) history.pushState(null, '', url);
        else history.replaceState(null, '', url);
      } catch {
        // Some frames refuse; the page works without.
      }
    },
    subscribe: (listener) => {
      window.addEventListener('hashchange', listener);
      return () => {
        window.removeEventListener('hashchange', listener);
      };
    },
  };
}

/** Parameters whose value is free text, which may end in punctuation. */
const FREE_TEXT = ['prompt', 'probe', 'scored', 'task', 'name'];
/** Punctuation after a link in a sentence, as browsers encode it in a fragment. */
const MARKS =
  /(?:[.,;:!?)\]}>'"’”»。，、；：！？）」』]|%(?:22|3E|C2%BB)|%E2%80%(?:99|9D)|%E3%80%(?:81|82|8D|8F)|%EF%BC%(?:81|89|8C|9A|9B|9F))+$/i;

/**
 * Repairs a fragment: decodes it once if it was encoded twice, and removes punctuation after the
 * last value unless that is free text.
 */
export function cleanFragment(hash: string): string {
  const decoded = decodedOnce(hash);
  const [name = ''] = decoded.slice(decoded.lastIndexOf('&') + 1).split('=', 1);
  return FREE_TEXT.includes(name.replace('#', '')) ? decoded : decoded.replace(MARKS, '');
}

function decodedOnce(hash: string): string {
  if (hash.includes('=') || !/%3d/i.test(hash)) return hash;
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

/** A fragment in memory, for an app inside another page. */
export interface OwnAddress extends AddressStore {
  /** Sets a parameter from outside; null removes it. The reader's other changes stay. */
  readonly say: (name: string, value: string | null) => void;
}

export function ownAddress(hash: string): OwnAddress {
  let kept = hash;
  const listeners = new Set<() => void>();
  return {
    read: () => kept,
    write: (next) => {
      kept = next;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    say: (name, value) => {
      const params = new URLSearchParams(kept.replace(/^#/, ''));
      if (value === null) params.delete(name);
      else params.set(name, value);
      kept = `#${params.toString()}`;
      for (const listener of listeners) listener();
    },
  };
}
