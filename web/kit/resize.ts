/** Tells components that their container changed its size or its colours. */
import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';

/** Who is called then. */
export const Resized = createContext<Set<() => void>>(new Set());

export function useResize(resize: () => void): void {
  const all = useContext(Resized);
  const newest = useRef(resize);
  newest.current = resize;
  // Not `useEffect`: its cleanup comes after the component's elements are gone.
  useLayoutEffect(() => {
    const call = (): void => newest.current();
    all.add(call);
    return () => all.delete(call);
  }, [all]);
}
