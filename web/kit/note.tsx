/** A line of small print; not rendered while its text is empty. */
export interface NoteProps {
  /** The `data-part` attribute. */
  readonly part?: string;
  readonly children: string;
}

export function Note({ part, children }: NoteProps) {
  if (children === '') return null;
  return (
    <p class="note" data-part={part}>
      {children}
    </p>
  );
}

/** A paragraph for each text that is not empty. */
export function Paragraphs(props: { readonly texts: readonly string[]; readonly class?: string }) {
  return props.texts.filter((text) => text !== '').map((text) => <p class={props.class}>{text}</p>);
}
