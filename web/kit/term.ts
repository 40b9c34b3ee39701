/** Detects presses on term buttons (term-button.tsx). */
/** The term of a pressed button, and the button; null for a press elsewhere. */
export function pressedTerm(event: Event): { id: string; button: HTMLElement } | null {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return null;
  const button = target.closest<HTMLElement>('[data-term]');
  const id = button?.dataset['term'];
  return button === null || id === undefined ? null : { id, button };
}
