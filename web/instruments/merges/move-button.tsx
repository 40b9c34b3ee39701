/** A button that moves to another step or page. When disabled, it passes the focus to `other`. */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface MoveButtonProps {
  readonly can: boolean;
  readonly onMove: () => void;
  /** The control that receives the focus when the focused button is disabled. */
  readonly other: RefObject<HTMLElement | null>;
  readonly children: ComponentChildren;
}

export function MoveButton({ can, onMove, other, children }: MoveButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (!can && button.current!.matches(':focus')) other.current?.focus();
  }, [can]);
  return (
    <button ref={button} type="button" class="secondary" disabled={!can} onClick={onMove}>
      {children}
    </button>
  );
}
