/**
 * Colours of a picture that leaves the page: those of the light theme, or names that a host fills
 * in.
 */

export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  readonly accent: string;
  readonly amber: string;
  /** Of earlier runs. */
  readonly lines: readonly string[];
}

/** The light theme, whatever the page shows: pictures go onto white paper. */
export const LIGHT: Palette = {
  paper: '#ffffff',
  ink: '#21261f',
  muted: '#5e6459',
  grid: '#ecebe3',
  accent: '#2c7a3f',
  amber: '#b06a00',
  lines: ['#3b62a8', '#8a4a9e', '#a63d57', '#4f6670'],
};

/** For pictures that stay in a page: it fills the colours in, and they follow its theme. */
export const THEMED: Palette = {
  paper: 'var(--paper)',
  ink: 'var(--ink)',
  muted: 'var(--muted)',
  grid: 'var(--grid)',
  accent: 'var(--accent)',
  amber: 'var(--amber)',
  lines: ['var(--line-1)', 'var(--line-2)', 'var(--line-3)', 'var(--line-4)'],
};

/** Fonts that a picture asks for wherever it is opened. */
export const PICTURE_FONT = 'system-ui, "Segoe UI", "PingFang SC", "Noto Sans CJK SC", sans-serif';
