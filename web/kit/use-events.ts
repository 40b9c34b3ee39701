/** Listens to events outside the elements of a component. */
import { useLayoutEffect, useRef } from 'preact/hooks';

type Handlers = { readonly [Name in keyof WindowEventMap]?: (event: WindowEventMap[Name]) => void };

/**
 * Calls the handlers of the latest rendering. `target` and the event names must not change. With
 * `isCapture`, handlers run before listeners of inner elements.
 */
export function useEvents(target: EventTarget, handlers: Handlers, isCapture = false): void {
  const newest = useRef(handlers);
  newest.current = handlers;
  // `useEffect` would clean up too late, after the component's elements are gone.
  useLayoutEffect(() => {
    const listen = (event: Event): void => {
      (newest.current as Record<string, (event: Event) => void>)[event.type]?.(event);
    };
    const names = Object.keys(handlers);
    for (const name of names) target.addEventListener(name, listen, isCapture);
    return () => {
      for (const name of names) target.removeEventListener(name, listen, isCapture);
    };
  }, []);
}
