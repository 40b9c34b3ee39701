/** Content locked by a lesson: it can be read but not changed. */
import { el, freshId, icon, ICONS } from './dom.ts';

export interface LockedBox {
  /** The notice above the content, and the element for its text. */
  readonly note: HTMLElement;
  readonly said: HTMLElement;
  readonly inside: HTMLFieldSetElement;
}

export function lockedBox(): LockedBox {
  const said = el('span', { id: freshId('locked') });
  const inside = el('fieldset', { class: 'locked', disabled: true });
  inside.setAttribute('aria-describedby', said.id);
  return { note: el('p', { class: 'note lock-note' }, icon(ICONS.lock), said), said, inside };
}
