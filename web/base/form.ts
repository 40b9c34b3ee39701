/**
 * What this form of the page has. Here is the whole page; the build gives each form for other pages
 * a list of its own (vite.embed.config.ts), and leaves out the code of what is not on it.
 */

/** The site's own tabs (the model piece by piece, kept runs, sharing), formulas' font, threads. */
export const SITE: boolean = true;
/** Texts in links. */
export const LINKS: boolean = true;
/** Runs and opened texts are kept in this browser. */
export const KEPT: boolean = true;
export const TOUR: boolean = true;
/** Advice on a text and after a run. */
export const ADVICE: boolean = true;
/** The encoding of a text is guessed; without it the reader chooses. */
export const DETECTOR: boolean = true;
/** The engine's module for questions: looking texts up, saving models for other programs. */
export const TRACES: boolean = true;
