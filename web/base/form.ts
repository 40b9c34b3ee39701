/**
 * Features of a form of the page; the whole page has all. For the forms that other pages embed, the
 * build replaces these constants (vite.embed.config.ts) and drops the code of absent features.
 */

/**
 * Parts that need the site: its own tabs (model parts, saved runs, sharing), the formula font,
 * worker threads.
 */
export const SITE: boolean = true;
/** Links may carry texts. */
export const LINKS: boolean = true;
/** Runs and opened texts are saved in this browser. */
export const KEPT: boolean = true;
export const TOUR: boolean = true;
/** Gives advice on a text, and on a finished run. */
export const ADVICE: boolean = true;
/**
 * Detects the encoding of a text that is not UTF-8; otherwise windows-1252 until the reader chooses
 * another.
 */
export const DETECTOR: boolean = true;
/**
 * The larger engine module (build/wasm-questions), which also searches the training text, restores
 * snapshots and exports models to other programs.
 */
export const TRACES: boolean = true;
