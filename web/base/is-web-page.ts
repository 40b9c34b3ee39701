const BEGIN = /^\s*<(?:!doctype\s+html|html[\s>])/i;
const ERROR =
  /^\s*(?:(?:<\?xml[^>]*>\s*)?<error[\s>]|\{\s*"(?:error|message|detail|code|status)|404: not|not found|entry not)/i;
const POINTER = /^version https:\/\/git-lfs\./;

/** Whether a text is the source of a web page; its beginning tells. */
export function isWebPage(text: string): boolean {
  return BEGIN.test(text);
}

/**
 * Whether a file holds what a web server answered in place of it: a web page, an error, or a
 * pointer of Git LFS. The beginning of the file tells.
 */
export function isServerAnswer(text: string): boolean {
  return isWebPage(text) || ERROR.test(text) || POINTER.test(text);
}
