/**
 * Keeps the height of a box while its numbers are briefly missing, so that the content below does
 * not move.
 */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Milliseconds for which the height is kept. */
const HELD = 1500;

/**
 * The height to reserve for `box`, in CSS pixels; null for none. `name`: the shown tensor; null if
 * the model currently lacks it. The height is not kept when another tensor is chosen.
 */
export function useHeldHeight(
  box: RefObject<HTMLElement | null>,
  isThere: boolean,
  name: string | null,
): number | null {
  const last = useRef({ isThere: false, name, height: 0 });
  const [isOver, end] = useState(false);
  const { current } = last;
  if (isThere) last.current = { isThere, name, height: 0 };
  else if (current.isThere) {
    // The box still has the numbers of the last rendering.
    const mayReturn = name === null || name === current.name;
    const height = mayReturn ? (box.current?.offsetHeight ?? 0) : 0;
    last.current = { isThere, name, height };
  }
  useEffect(() => {
    end(false);
    if (isThere) return undefined;
    const timer = setTimeout(() => end(true), HELD);
    return () => clearTimeout(timer);
  }, [isThere]);
  const { height } = last.current;
  return isThere || isOver || height === 0 ? null : height;
}
