/** A drawing of the page as an SVG file that looks the same without the page's style sheets. */

const PROPERTIES = [
  ...['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity'],
  ...['font-family', 'font-size', 'font-weight', 'display'],
];
/** Attributes that mean something only while the drawing can be worked with. */
const LIVE = ['tabindex', 'role', 'aria-pressed', 'aria-hidden', 'class'];

/** The file's text; `paper` is the colour behind the drawing. */
export function svgFile(drawing: SVGSVGElement, title: string, paper: string): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const shown = [drawing, ...drawing.querySelectorAll<SVGElement>('*')];
  for (const [index, element] of [copy, ...copy.querySelectorAll<SVGElement>('*')].entries()) {
    const original = shown[index];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const property of PROPERTIES) {
      const value = style.getPropertyValue(property);
      if (value !== '') element.setAttribute(property, value);
    }
    for (const name of LIVE) element.removeAttribute(name);
  }
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const name = document.createElementNS(copy.namespaceURI, 'title');
  name.textContent = title;
  const back = document.createElementNS(copy.namespaceURI, 'rect');
  for (const [key, value] of [
    ['width', '100%'],
    ['height', '100%'],
    ['fill', paper],
  ] as const) {
    back.setAttribute(key, value);
  }
  copy.prepend(name, back);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}
