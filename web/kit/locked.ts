/** What a lesson has locked: everything in it can be read, and nothing in it can be changed. */
import { el, freshId, icon, ICONS } from './dom.ts';

export interface LockedBox {
  /** What is said above it, and where its text goes. */
  readonly note: HTMLElement;
  readonly said: HTMLElement;
  readonly inside: HTMLFieldSetElement;
}

export function lockedBox(text = ''): LockedBox {
  const said = el('span', { id: freshId('locked') }, text);
  const inside = el('fieldset', { class: 'locked', disabled: true });
  inside.setAttribute('aria-describedby', said.id);
  return { note: el('p', { class: 'note lock-note' }, icon(ICONS.lock), said), said, inside };
}
