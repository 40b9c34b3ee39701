/**
 * WebKit reports the language "C" for the system locale C.UTF-8, and Intl rejects it. uPlot reads
 * the language while it loads, so this module, loaded earlier, replaces it by a valid one.
 */
function isValid(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length >= 0;
  } catch {
    return false;
  }
}

if (typeof navigator !== 'undefined' && !isValid(navigator.language)) {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
}

export {};
