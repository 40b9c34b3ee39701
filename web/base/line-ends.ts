/** CR LF is one line end. */
const ENDS = /\r\n|[\r\u0085\u2028\u2029]/g;

/** `text` with lines that end in LF. */
export const withPlainEnds = (text: string): string => text.replaceAll(ENDS, '\n');
