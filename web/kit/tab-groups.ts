/**
 * Groups of tabs: large buttons side by side, at most one of them open. All open the same element.
 */
import { el, freshId } from './dom.ts';

export interface TabGroupsOptions {
  readonly groups: readonly {
    readonly id: string;
    readonly title: string;
    readonly about: string;
  }[];
  /** Called to open a group, which closes the others, or to close it. */
  readonly onToggle: (id: string, open: boolean) => void;
}

export interface TabGroups {
  /** Shows which group is open; null if none. Does not call `onToggle`. */
  show(id: string | null): void;
  /** Sets the element that the groups open. */
  controls(behind: HTMLElement): void;
}

/** Creates a row of groups in `container`, all closed. */
export function createTabGroups(
  container: HTMLElement,
  { groups, onToggle }: TabGroupsOptions,
): TabGroups {
  const made = groups.map(({ id, title, about }) => {
    const said = el('span', { class: 'tab-group-about', id: freshId('group') }, about);
    const button = el(
      'button',
      {
        type: 'button',
        class: 'tab-group-button',
        'aria-expanded': 'false',
        'aria-describedby': said.id,
      },
      el('strong', {}, title),
    );
    button.addEventListener('click', () => {
      onToggle(id, button.getAttribute('aria-expanded') !== 'true');
    });
    return { id, button, box: el('div', { class: 'tab-group' }, button, said) };
  });
  container.append(el('div', { class: 'tab-groups' }, ...made.map(({ box }) => box)));
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
