/** Light or dark: as the system says, unless the reader says otherwise. */
import { keep, recall } from './storage.ts';

export type Theme = 'auto' | 'light' | 'dark';

const system = matchMedia('(prefers-color-scheme: dark)');

/** The choice that was made on an earlier visit. */
export function recallTheme(): Theme {
  const kept = recall('always', 'theme');
  return kept === 'light' || kept === 'dark' ? kept : 'auto';
}

/** Applies a choice and keeps it. */
export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'auto') root.removeAttribute('data-theme');
  else root.setAttribute('data-theme', theme);
  keep('always', 'theme', theme === 'auto' ? null : theme);
}

/** Whether the page is dark now. */
export function isDark(): boolean {
  const chosen = document.documentElement.getAttribute('data-theme');
  return chosen === null ? system.matches : chosen === 'dark';
}

/** Calls `listener` when the system changes its mind. */
export function onSystemTheme(listener: () => void): void {
  system.addEventListener('change', listener);
}
