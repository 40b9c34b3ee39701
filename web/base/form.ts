/**
 * The features of the whole page. The build replaces them for the forms that other pages embed
 * (vite.embed.config.ts) and drops the code of absent features.
 */

/** The site's own tabs (model parts, saved runs, sharing), the font of formulas, threads. */
export const SITE: boolean = true;
/** Links may carry texts. */
export const LINKS: boolean = true;
/** Runs and opened texts are saved in this browser. */
export const KEPT: boolean = true;
export const TOUR: boolean = true;
/** Advice on a text, and on a finished run. */
export const ADVICE: boolean = true;
/** The encoding of a text is guessed; without this the reader chooses it. */
export const DETECTOR: boolean = true;
/** The engine module for questions: searching the training text, export to other programs. */
export const TRACES: boolean = true;
