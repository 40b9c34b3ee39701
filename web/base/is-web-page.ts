const BEGIN = /^\s*<(?:!doctype\s+html|html[\s>])/i;
const ERROR =
  /^\s*(?:(?:<\?xml[^>]*>\s*)?<error[\s>]|\{\s*"(?:error|message|detail|code|status)|404: not|not found|entry not)/i;
const POINTER = /^version https:\/\/git-lfs\./;

/** Whether a text begins like HTML source. */
export function isWebPage(text: string): boolean {
  return BEGIN.test(text);
}

/**
 * Whether a file begins like a response that a web server sends in place of the file: an HTML page,
 * an error message, or a Git LFS pointer.
 */
export function isServerAnswer(text: string): boolean {
  return isWebPage(text) || ERROR.test(text) || POINTER.test(text);
}
