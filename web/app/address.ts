/**
 * Where an app keeps its settings as a fragment: in the address of its page, or, where the page
 * belongs to somebody else, only in itself.
 */

export interface AddressStore {
  /** The fragment, with its `#`, or an empty string. */
  readonly read: () => string;
  /** `back`: the place that is left is one to come back to. */
  readonly write: (hash: string, back: boolean) => void;
  /** Calls `listener` when somebody else changed the fragment, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** The fragment of this page's address. */
export function pageAddress(): AddressStore {
  return {
    read: () => location.hash,
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

/** A fragment that nobody sees: for an app inside another page. */
export function ownAddress(hash: string): AddressStore {
  let kept = hash;
  return {
    read: () => kept,
    write: (next) => {
      kept = next;
    },
    subscribe: () => () => undefined,
  };
}
