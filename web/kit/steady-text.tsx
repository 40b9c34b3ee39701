/**
 * A line whose text changes while the reader points or types. Its height never decreases, so that
 * content below does not move during a press.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface SteadyTextProps {
  readonly class: string;
  readonly id?: string;
  readonly role?: 'status';
  readonly 'data-part'?: string;
  readonly children: string;
}

export function SteadyText({ children, ...attributes }: SteadyTextProps) {
  const line = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const { current } = line;
    if (current === null) return;
    const least = parseFloat(current.style.minHeight) || 0;
    current.style.minHeight = `${String(Math.max(least, current.offsetHeight))}px`;
  }, [children]);
  return (
    <p ref={line} {...attributes}>
      {children}
    </p>
  );
}
