/**
 * Storage of an app's settings as a URL fragment: in the address of its page, or in memory if the
 * app is embedded in a page of others.
 */

export interface AddressStore {
  /** The fragment with its `#`, or an empty string. */
  readonly read: () => string;
  /** Writes the fragment; `back` adds an entry to the browser's history. */
  readonly write: (hash: string, back: boolean) => void;
  /**
   * Calls `listener` when something else has changed the fragment; returns the function that
   * unsubscribes it.
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
        // Some frames refuse a change of the address; the page works without it.
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
const FREE_TEXT = ['prompt', 'probe', 'scored', 'task', 'name', 'card'];
/** Packed text at the start of a value: letters of base64url, plain or percent-encoded. */
const PACKED = /^(?:[\w-]|%(?:2d|3\d|[46][1-9a-f]|[57][\da]|5f))*/i;
/** One character of a fragment, plain or percent-encoded. */
const CHARACTER = /%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f])+|./gisu;
const LETTER = /^[\p{L}\p{M}\p{N}]/u;

/**
 * Repairs a fragment: decodes it once if it was encoded twice, and removes characters after the
 * last value that belong to the sentence, Markdown or mail around the link.
 */
export function cleanFragment(hash: string): string {
  const decoded = decodedOnce(hash);
  const last = decoded.slice(decoded.lastIndexOf('&') + 1);
  const [name = ''] = last.replace('#', '').split('=', 1);
  const value = last.slice(last.indexOf('=') + 1);
  const before = decoded.slice(0, decoded.length - value.length);
  if (FREE_TEXT.includes(name)) return decoded;
  return before + (name === 'packed' ? (PACKED.exec(value)?.[0] ?? '') : withoutMarks(value));
}

/**
 * Cuts a value after its last letter or digit, but keeps the value `*`. A number before an ellipsis
 * may be truncated, so the ellipsis stays and the value is reported as invalid.
 */
function withoutMarks(value: string): string {
  const characters = value.match(CHARACTER) ?? [];
  const plain = characters.map(decodedText);
  let end = plain.length;
  while (end > 0 && !LETTER.test(plain[end - 1]!)) end--;
  if (plain[end] === '…' && /\d/.test(plain[end - 1] ?? '')) return value;
  if (end === 0 && plain[0] === '*') end = 1;
  return characters.slice(0, end).join('');
}

function decodedOnce(hash: string): string {
  return hash.includes('=') || !/%3d/i.test(hash) ? hash : decodedText(hash);
}

/** Decodes a text; returns the text unchanged if decoding fails. */
function decodedText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
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
