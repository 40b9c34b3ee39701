/** Notifies components of changes of their container's size or colours. */
import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';

/** Callbacks of the components in one container. */
export const Resized = createContext<Set<() => void>>(new Set());

export function useResize(resize: () => void): void {
  const all = useContext(Resized);
  const newest = useRef(resize);
  newest.current = resize;
  // `useEffect` would clean up too late, after the component's elements are gone.
  useLayoutEffect(() => {
    const call = (): void => newest.current();
    all.add(call);
    return () => all.delete(call);
  }, [all]);
}
