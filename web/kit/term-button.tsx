/** A button with `text` that opens the glossary entry `id`; see term.ts. */
export function TermButton({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <button type="button" class="term" data-term={id} aria-haspopup="dialog">
      {text}
    </button>
  );
}
