/** A line icon, as `icon` of dom.ts: decoration, hidden from screen readers. */
export function Icon({ path }: { readonly path: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" class="icon">
      <path d={path} class="icon-line" />
    </svg>
  );
}
