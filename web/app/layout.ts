/** The empty sections that panels live in, column by column. */
import { el } from '../views/dom.ts';
import { CLOSER, COLUMNS } from './panels/index.ts';

export interface Layout {
  readonly main: HTMLElement;
  /** The section of a panel, by its id. */
  readonly section: (id: string) => HTMLElement;
}

/** Fills `main` with a section for each panel. */
export function buildLayout(main: HTMLElement): Layout {
  const sections = new Map<string, HTMLElement>();
  const section = (id: string): HTMLElement => {
    const made = el('section', { id });
    sections.set(id, made);
    return made;
  };
  const columns = Object.entries(COLUMNS).map(([name, panels]) =>
    el('div', { class: `column column-${name}` }, ...Object.keys(panels).map(section)),
  );
  main.replaceChildren(...columns);
  if (CLOSER.length > 0) main.append(section('closer'));
  return {
    main,
    section: (id) => {
      const found = sections.get(id);
      if (found === undefined) throw new Error(`the page has no panel ${id}`);
      return found;
    },
  };
}
