/** A line icon, like `icon` of dom.ts: decoration, hidden from screen readers. */
interface IconProps {
  readonly path: string;
  readonly isFilled?: boolean;
}

export function Icon({ path, isFilled = false }: IconProps) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" class="icon">
      <path d={path} class={isFilled ? 'icon-fill' : 'icon-line'} />
    </svg>
  );
}
