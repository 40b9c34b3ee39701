/** A copy of a drawing of the page that looks the same without the page's style sheets. */
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

/** Copies `drawing` in the size of its view box; `paper` is the colour behind it. */
export function standaloneDrawing(drawing: SVGSVGElement, paper: string): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const shown = [drawing, ...drawing.querySelectorAll<SVGElement>('*')];
  for (const [index, element] of [copy, ...copy.querySelectorAll<SVGElement>('*')].entries()) {
    const original = shown[index];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const property of PROPERTIES) {
      element.setAttribute(property, style.getPropertyValue(property));
    }
  }
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.prepend(svg('rect', { width: '100%', height: '100%', fill: paper }));
  return copy;
}
