/** Colours of a picture: fixed ones of the light theme, or CSS variables of a host page. */

export interface Palette {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  readonly accent: string;
  readonly amber: string;
  /** Lines of earlier runs. */
  readonly lines: readonly string[];
}

/** The light theme, because saved pictures are placed on white paper. */
export const LIGHT: Palette = {
  paper: '#ffffff',
  ink: '#21261f',
  muted: '#5e6459',
  grid: '#ecebe3',
  accent: '#2c7a3f',
  amber: '#b06a00',
  lines: ['#3b62a8', '#8a4a9e', '#a63d57', '#4f6670'],
};

/** Colours of pictures inside a page: variables of its theme. */
export const THEMED: Palette = {
  paper: 'var(--paper)',
  ink: 'var(--ink)',
  muted: 'var(--muted)',
  grid: 'var(--grid)',
  accent: 'var(--accent)',
  amber: 'var(--amber)',
  lines: ['var(--line-1)', 'var(--line-2)', 'var(--line-3)', 'var(--line-4)'],
};

/** Font stack of saved pictures. */
export const PICTURE_FONT = 'system-ui, "Segoe UI", "PingFang SC", "Noto Sans CJK SC", sans-serif';
