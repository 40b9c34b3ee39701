const BEGIN = /^\s*<(?:!doctype\s+html|html[\s>])/i;
const ERROR =
  /^\s*(?:(?:<\?xml[^>]*>\s*)?<error[\s>]|\{\s*"(?:error|message|detail|code|status)|404: not|not found|entry not)/i;
const POINTER = /^version https:\/\/git-lfs\./;

/** Whether a text is the source of a web page; its beginning tells. */
export function isWebPage(text: string): boolean {
  return BEGIN.test(text);
}

/**
 * Returns whether a file begins like an answer of a web server: a web page, an error message, or a
 * pointer of Git LFS.
 */
export function isServerAnswer(text: string): boolean {
  return isWebPage(text) || ERROR.test(text) || POINTER.test(text);
}
