/**
 * A button that unfolds its children. Not a `<details>`: a closed one anywhere on the page makes
 * Chromium take seconds to select all of a long text field.
 */
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useFreshId } from './use-id.ts';

export interface FoldProps {
  /** CSS class of the root element. */
  readonly kind: string;
  readonly title: string;
  readonly open: Signal<boolean>;
  /** Called only while the fold is open. */
  readonly children: () => ComponentChildren;
}

export function Fold({ kind, title, open, children }: FoldProps) {
  const id = useFreshId('fold');
  const isOpen = open.value;
  return (
    <div class={kind}>
      <button
        type="button"
        class="fold"
        aria-controls={id}
        aria-expanded={isOpen}
        onClick={() => {
          open.value = !isOpen;
        }}
      >
        {title}
      </button>
      <div id={id} class="fold-body" hidden={!isOpen}>
        {isOpen ? children() : null}
      </div>
    </div>
  );
}
