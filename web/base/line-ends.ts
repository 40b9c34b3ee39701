/** CR LF is one line end. */
const ENDS = /\r\n|[\r\u0085\u2028\u2029]/g;

/** Replaces every kind of line end by LF. */
export const withPlainEnds = (text: string): string => text.replaceAll(ENDS, '\n');
