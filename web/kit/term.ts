/** A word that can be explained: a button with a dotted line under it. The app hears its press. */
import { el } from './dom.ts';

/** The button of the term `id` of the glossary, reading `text`. */
export function termButton(id: string, text: string): HTMLButtonElement {
  return el(
    'button',
    { type: 'button', class: 'term', 'data-term': id, 'aria-haspopup': 'dialog' },
    text,
  );
}

/** The term that a press was meant for, with its button; null for a press elsewhere. */
export function pressedTerm(event: Event): { id: string; button: HTMLElement } | null {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return null;
  const button = target.closest<HTMLElement>('[data-term]');
  const id = button?.dataset['term'];
  return button === null || id === undefined ? null : { id, button };
}
