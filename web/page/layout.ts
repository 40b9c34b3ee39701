/** The sections of the panels, by column, initially empty. */
import instruments from 'virtual:instruments';
import { COLUMNS } from '../base/instrument.ts';
import type { Words } from '../i18n/index.ts';
import { el } from '../kit/dom.ts';
import { lockedBox } from '../kit/locked.ts';
import { shows, TAB_SECTION } from '../store/address/lesson.ts';
import type { Lesson } from '../store/address/lesson.ts';
import { TAB_PANELS } from './panels.ts';

export interface Layout {
  readonly main: HTMLElement;
  /** The section of a panel, by id; null if the lesson does not show it. */
  readonly find: (id: string) => HTMLElement | null;
  /** The section of a panel, by id; throws if the lesson does not show it. */
  readonly section: (id: string) => HTMLElement;
  /** Sets the language of the notes on locked panels. */
  readonly speak: (words: Words) => void;
  /** Shows the task of `lesson`, and hides the buttons that the lesson excludes. */
  readonly tell: (lesson: Lesson) => void;
}

/** Fills `main` with the task of a lesson and a section for each panel that it shows. */
export function buildLayout(main: HTMLElement, lesson: Lesson): Layout {
  const sections = new Map<string, HTMLElement>();
  const lockNotes: HTMLElement[] = [];
  const section = (id: string): HTMLElement => {
    const made = el('section', { id, part: `panel ${id}` });
    const locked = lesson.lock.has(id);
    const { note, said, inside } = lockedBox();
    if (locked) {
      lockNotes.push(said);
      made.append(note, inside);
    }
    sections.set(id, locked ? inside : made);
    return made;
  };
  const shown = (id: string): boolean => shows(lesson, id);
  const idsOf = (column: string): string[] =>
    instruments
      .filter(({ place, isHere }) => place === column && isHere)
      .filter(({ id, follows }) => shown(follows ?? id))
      .map(({ id }) => id);
  const columns = COLUMNS.map((name) => ({ name, ids: idsOf(name) })).filter(
    ({ ids }) => ids.length > 0,
  );
  let task: HTMLElement[] = [];
  const tell = (told: Lesson): void => {
    for (const element of task) element.remove();
    task = taskOf(told.task);
    main.prepend(...task);
    // The button for a new seed changes a setting.
    const fixed = told.lock.has('settings') ? ['seed'] : [];
    main.dataset.hide = [...told.hide, ...fixed].join(' ');
  };
  main.replaceChildren(
    ...columns.map(({ name, ids }) =>
      el('div', { class: `column column-${name}` }, ...ids.map(section)),
    ),
  );
  main.dataset.columns = columns.map(({ name }) => name).join(' ');
  tell(lesson);
  if (TAB_PANELS.length > 0 && shown(TAB_SECTION)) main.append(section(TAB_SECTION));
  const runBar = sections.get('run');
  if (runBar !== undefined) tellHeight(runBar, main);
  return {
    main,
    tell,
    speak: ({ t }) => {
      for (const note of lockNotes) note.textContent = t('app.locked');
    },
    find: (id) => sections.get(id) ?? null,
    section: (id) => {
      const found = sections.get(id);
      if (found === undefined) throw new Error(`the page has no panel ${id}`);
      return found;
    },
  };
}

/** Sets `--run-bar`, the height of the run bar in CSS pixels: messages make it higher. */
function tellHeight(runBar: HTMLElement, main: HTMLElement): void {
  const told = new ResizeObserver(() => {
    main.style.setProperty('--run-bar', `${String(runBar.offsetHeight)}px`);
  });
  told.observe(runBar);
}

/** The task as plain text, split into paragraphs at empty lines; empty if there is no task. */
function taskOf(task: string): HTMLElement[] {
  if (task.trim() === '') return [];
  const paragraphs = task.trim().split(/\n\s*\n/);
  return [
    el(
      'div',
      { class: 'task', part: 'task' },
      ...paragraphs.map((paragraph) => el('p', {}, paragraph)),
    ),
  ];
}
