/** The button of the term `id` of the glossary, reading `text`, as term.ts makes it. */
export function TermButton({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <button type="button" class="term" data-term={id} aria-haspopup="dialog">
      {text}
    </button>
  );
}
