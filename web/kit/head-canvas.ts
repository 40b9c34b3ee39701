/** Draws a head as a tiny picture: one pixel per weight, enlarged by CSS. */
import { headWeights } from '../data/attention-data.ts';
import type { AttentionData, HeadPlace } from '../data/attention-data.ts';
import { colourScale, shade } from './weight-colour.ts';

/** Draws a head. Cells of later tokens, which a row cannot attend to, stay transparent. */
export function drawHead(
  canvas: HTMLCanvasElement,
  data: AttentionData,
  place: HeadPlace,
  isDark: boolean,
): void {
  const size = data.tokens.length;
  if (canvas.width !== size) canvas.width = canvas.height = size;
  const context = canvas.getContext('2d');
  if (context === null) return;
  const weights = headWeights(data, place);
  const scale = colourScale(isDark);
  const image = context.createImageData(size, size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      const cell = row * size + column;
      const at = shade(weights[cell] ?? 0) * 4;
      image.data.set(scale.subarray(at, at + 4), cell * 4);
    }
  }
  context.putImageData(image, 0, 0);
}
