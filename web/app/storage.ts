/**
 * Small things kept for the next visit. Storage may be refused altogether (private windows, frames
 * of other sites): then nothing is kept, and nothing else changes.
 */

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

/** Keeps `value` under `key`; null forgets it. */
export function keep(span: Span, key: string, value: string | null): void {
  try {
    if (value === null) area(span).removeItem(`glasshouse.${key}`);
    else area(span).setItem(`glasshouse.${key}`, value);
  } catch {
    // Nothing is kept.
  }
}
