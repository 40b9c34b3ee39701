/** The theme: light or dark, by the system's setting unless the reader chose one. */
import { keep, recall } from '../store/storage.ts';

export type Theme = 'auto' | 'light' | 'dark';

const DARK = '(prefers-color-scheme: dark)';

/** The theme chosen on an earlier visit; auto if none. */
export function recallTheme(): Theme {
  return asTheme(recall('always', 'theme'));
}

/** A theme by name; auto for any other name. */
export function asTheme(name: string | null): Theme {
  return name === 'light' || name === 'dark' ? name : 'auto';
}

/** Applies a theme to everything inside `root`. */
export function applyTheme(theme: Theme, root: HTMLElement): void {
  if (theme === 'auto') root.removeAttribute('data-theme');
  else root.setAttribute('data-theme', theme);
}

/** Stores the theme for the next visit. */
export function keepTheme(theme: Theme): void {
  keep('always', 'theme', theme === 'auto' ? null : theme);
}

/** Whether the theme of `root` is dark now. */
export function isDark(root: HTMLElement): boolean {
  const chosen = root.getAttribute('data-theme');
  return chosen === null ? matchMedia(DARK).matches : chosen === 'dark';
}

/** Calls `listener` when the system changes its theme, until the returned function is called. */
export function onSystemTheme(listener: () => void): () => void {
  const system = matchMedia(DARK);
  system.addEventListener('change', listener);
  return () => {
    system.removeEventListener('change', listener);
  };
}
