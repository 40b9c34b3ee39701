/**
 * Where an app keeps its settings as a fragment: in the address of its page, or, where the page
 * belongs to somebody else, only in itself.
 */

export interface AddressStore {
  /** The fragment, with its `#`, or an empty string. */
  readonly read: () => string;
  /** `back`: the place that is left is one to come back to. */
  readonly write: (hash: string, back: boolean) => void;
  /**
   * Calls `listener` when somebody else changed the fragment, until the returned function is
   * called.
   */
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
        // Some frames refuse; the page works without an address.
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

/** Words whose value is free text, which may end in a punctuation mark. */
const FREE_TEXT = ['prompt', 'probe', 'scored', 'task', 'name'];
/** Punctuation of a sentence in which a link stands, as browsers write it in a fragment. */
const MARKS =
  /(?:[.,;:!?)\]}>'"’”»。，、；：！？）」』]|%(?:22|3E|C2%BB)|%E2%80%(?:99|9D)|%E3%80%(?:81|82|8D|8F)|%EF%BC%(?:81|89|8C|9A|9B|9F))+$/i;

/**
 * Returns the fragment of a link without damage from its way: characters that were encoded twice
 * are decoded once, and punctuation behind the last value is removed, except from free text.
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

/** A fragment that nobody sees: for an app inside another page. */
export interface OwnAddress extends AddressStore {
  /** Another word from outside; null takes it back. What the reader has changed stays. */
  readonly say: (name: string, value: string | null) => void;
}

/** A fragment of an app's own. */
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
