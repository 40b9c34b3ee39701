/**
 * Small values in the browser's storage, for a reload or the next visit. If storage is refused
 * (private windows, frames of other sites), nothing is kept, and nothing else changes.
 */
import { hexOf } from './sha256.ts';

/** Lifetime of a stored value: until the tab is closed, or for all visits. */
export type Span = 'tab' | 'always';

function area(span: Span): Storage {
  // Reading the property throws if storage is denied; callers catch that.
  return span === 'tab' ? sessionStorage : localStorage;
}

/** The value under `key`; null if absent. */
export function recall(span: Span, key: string): string | null {
  try {
    return area(span).getItem(`glasshouse.${key}`);
  } catch {
    return null;
  }
}

/**
 * Stores `value` under `key`; null deletes the entry. Returns false if storage is refused or full.
 */
export function keep(span: Span, key: string, value: string | null): boolean {
  try {
    if (value === null) area(span).removeItem(`glasshouse.${key}`);
    else area(span).setItem(`glasshouse.${key}`, value);
    return true;
  } catch {
    return false;
  }
}

/** A random id. */
export function randomId(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(12)));
}

/** Id of this tab, which survives reloads. */
export function tabId(): string {
  const id = recall('tab', 'tab') ?? randomId();
  keep('tab', 'tab', id);
  return id;
}
