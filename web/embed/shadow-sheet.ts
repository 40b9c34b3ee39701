/** The styles of the element, shared by all elements of a document. */
import css from '../styles/embed.css?inline';

const sheets = new WeakMap<Document, CSSStyleSheet>();

/** One style sheet for all elements of a document; a <style> element if that is not supported. */
export function addStyles(shadow: ShadowRoot): void {
  const { ownerDocument } = shadow;
  try {
    let sheet = sheets.get(ownerDocument);
    if (sheet === undefined) {
      sheet = new ownerDocument.defaultView!.CSSStyleSheet();
      sheet.replaceSync(css);
      sheets.set(ownerDocument, sheet);
    }
    shadow.adoptedStyleSheets = [sheet];
  } catch {
    const style = ownerDocument.createElement('style');
    style.textContent = css;
    shadow.prepend(style);
  }
}
