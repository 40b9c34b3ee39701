/**
 * Small things kept for the next visit. Storage may be refused altogether (private windows, frames
 * of other sites): then nothing is kept, and nothing else changes.
 */
import { hexOf } from './sha256.ts';

/** Where to keep it: for this tab, or for all visits. */
export type Span = 'tab' | 'always';

function area(span: Span): Storage {
  // Reading the property itself throws where storage is denied: callers catch it.
  return span === 'tab' ? sessionStorage : localStorage;
}

/** What was kept under `key`, or null. */
export function recall(span: Span, key: string): string | null {
  try {
    return area(span).getItem(`glasshouse.${key}`);
  } catch {
    return null;
  }
}

/** Keeps `value` under `key`; null forgets it. False when that was refused, or there is no room. */
export function keep(span: Span, key: string, value: string | null): boolean {
  try {
    if (value === null) area(span).removeItem(`glasshouse.${key}`);
    else area(span).setItem(`glasshouse.${key}`, value);
    return true;
  } catch {
    return false;
  }
}

/** An id under which something is kept that no other has. */
export function randomId(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(12)));
}

/** The id of this tab, which reloads keep. */
export function tabId(): string {
  const id = recall('tab', 'tab') ?? randomId();
  keep('tab', 'tab', id);
  return id;
}
