/** Copies a drawing so that it looks the same without the page's style sheets, for a file. */
import { svg } from './dom.ts';

const PROPERTIES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'display',
  'text-anchor',
  'dominant-baseline',
];
/** Attributes for interaction, useless in a file. */
const LIVE = ['tabindex', 'role', 'aria-pressed', 'aria-hidden', 'aria-label', 'class'];
/** Many SVG programs do not know transparent colours. */
const CLEAR = 'rgba(0, 0, 0, 0)';

/** A copy of `drawing` in the size of its view box, on a background of colour `paper`. */
export function standaloneDrawing(
  drawing: SVGSVGElement,
  title: string,
  paper: string,
): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const shown = [drawing, ...drawing.querySelectorAll<SVGElement>('*')];
  for (const [index, element] of [copy, ...copy.querySelectorAll<SVGElement>('*')].entries()) {
    const original = shown[index];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const property of PROPERTIES) {
      const value = style.getPropertyValue(property);
      if (value !== '') element.setAttribute(property, value === CLEAR ? 'none' : value);
    }
    for (const name of LIVE) element.removeAttribute(name);
  }
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.prepend(
    svg('title', {}, title),
    svg('rect', { width: '100%', height: '100%', fill: paper }),
  );
  return copy;
}
