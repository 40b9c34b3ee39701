/** Whether a panel can be seen: what nobody looks at is not computed. */

export interface Sight {
  readonly visible: () => boolean;
  readonly destroy: () => void;
}

/** Watches `element`; `changed` is called whenever it comes into sight or leaves it. */
export function watchSight(element: Element, changed: () => void): Sight {
  let inView = false;
  const observer = new IntersectionObserver((entries) => {
    inView = entries.at(-1)?.isIntersecting ?? false;
    changed();
  });
  observer.observe(element);
  document.addEventListener('visibilitychange', changed);
  return {
    visible: () => inView && !document.hidden,
    destroy: () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', changed);
    },
  };
}
