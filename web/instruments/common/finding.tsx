/** The first sentence of a tab, about the reader's own run, perhaps with a press. */

export interface FindingProps {
  readonly text: string;
  readonly show?: { readonly text: string; readonly onPress: () => void };
}

/** Renders nothing if `text` is empty. */
export function Finding({ text, show }: FindingProps) {
  if (text === '') return null;
  return (
    <p class="tab-finding">
      {text}{' '}
      {show === undefined ? null : (
        <button type="button" class="link" onClick={show.onPress}>
          {show.text}
        </button>
      )}
    </p>
  );
}
