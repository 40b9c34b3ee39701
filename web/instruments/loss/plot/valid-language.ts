/**
 * WebKit says that the language is "C" where the system's locale is C.UTF-8, and Intl takes no such
 * language. uPlot asks for it while it loads: this module, loaded before it, puts a valid one
 * there.
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
