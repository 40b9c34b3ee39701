/** A piece of an earlier run's line, beside its name. */
import { lineStyle } from '../../data/loss-data.ts';

export function LineSample({ id }: { readonly id: number }) {
  const { dash, colour } = lineStyle(id);
  return (
    <svg class="earlier-line" viewBox="0 0 28 8" aria-hidden="true">
      <path
        style={{ stroke: `var(--line-${String(colour)})` }}
        d="M0 4h28"
        stroke-dasharray={dash.join(' ')}
      />
    </svg>
  );
}
