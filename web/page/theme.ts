/** Light or dark: as the system says, unless the reader says otherwise. */
import { keep, recall } from '../store/storage.ts';

export type Theme = 'auto' | 'light' | 'dark';

const DARK = '(prefers-color-scheme: dark)';

/** The choice that was made on an earlier visit. */
export function recallTheme(): Theme {
  return asTheme(recall('always', 'theme'));
}

/** A theme by its name; any other name is no choice. */
export function asTheme(name: string | null): Theme {
  return name === 'light' || name === 'dark' ? name : 'auto';
}

/** Applies a choice to everything inside `root`. */
export function applyTheme(theme: Theme, root: HTMLElement): void {
  if (theme === 'auto') root.removeAttribute('data-theme');
  else root.setAttribute('data-theme', theme);
}

/** Keeps a choice for the next visit. */
export function keepTheme(theme: Theme): void {
  keep('always', 'theme', theme === 'auto' ? null : theme);
}

/** Whether what is inside `root` is dark now. */
export function isDark(root: HTMLElement): boolean {
  const chosen = root.getAttribute('data-theme');
  return chosen === null ? matchMedia(DARK).matches : chosen === 'dark';
}

/** Calls `listener` when the system changes its mind, until the returned function is called. */
export function onSystemTheme(listener: () => void): () => void {
  const system = matchMedia(DARK);
  system.addEventListener('change', listener);
  return () => {
    system.removeEventListener('change', listener);
  };
}
