const BEGIN = /^\s*<(?:!doctype\s+html|html[\s>])/i;

/** Whether a text is the source of a web page; its beginning tells. */
export function isWebPage(text: string): boolean {
  return BEGIN.test(text);
}
