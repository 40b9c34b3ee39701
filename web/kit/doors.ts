/** Doors: large buttons side by side, of which at most one is open. They share what they open. */
import { el, freshId } from './dom.ts';

export interface DoorsOptions {
  readonly doors: readonly {
    readonly id: string;
    readonly title: string;
    readonly about: string;
  }[];
  /** A door is to be opened, which closes the others, or closed. */
  readonly onToggle: (id: string, open: boolean) => void;
}

export interface Doors {
  /** Shows which door is open; null for none. Does not call `onToggle`. */
  show(id: string | null): void;
  /** What the doors open. */
  controls(behind: HTMLElement): void;
}

/** Creates a row of doors in `container`, all closed. */
export function createDoors(container: HTMLElement, { doors, onToggle }: DoorsOptions): Doors {
  const made = doors.map(({ id, title, about }) => {
    const said = el('span', { class: 'door-about', id: freshId('door') }, about);
    const button = el(
      'button',
      { type: 'button', class: 'door', 'aria-expanded': 'false', 'aria-describedby': said.id },
      el('strong', {}, title),
    );
    button.addEventListener('click', () => {
      onToggle(id, button.getAttribute('aria-expanded') !== 'true');
    });
    return { id, button, box: el('div', { class: 'door-box' }, button, said) };
  });
  container.append(el('div', { class: 'doors' }, ...made.map(({ box }) => box)));
  return {
    show(open) {
      for (const { id, button } of made) button.setAttribute('aria-expanded', String(id === open));
    },
    controls(behind) {
      behind.id ||= freshId('behind');
      for (const { button } of made) button.setAttribute('aria-controls', behind.id);
    },
  };
}
