/**
 * A lesson: a teacher's choices for an app in course material, such as visible panels, locks, the
 * task. The page itself has no lesson.
 */

import instruments from 'virtual:instruments';
import { namesOf } from '../../base/instrument.ts';

export { TAB_SECTION } from '../../base/instrument.ts';

/** Panels that a lesson may hide, and panels whose controls it may lock, in page order. */
export const { show: PANELS, lock: LOCKS } = namesOf(instruments);

/** Panels shown only if a lesson names them; the page has them elsewhere. */
export const ASKED_FOR: ReadonlySet<string> = new Set(
  instruments.filter(({ lesson }) => lesson?.asked === true).map(({ id }) => id),
);

/** Controls of the run bar that a lesson may hide. */
export const CONTROLS = ['step', 'rewind', 'seed', 'pace'] as const;

export interface Lesson {
  /** Names of PANELS; null for all except ASKED_FOR. */
  readonly show: ReadonlySet<string> | null;
  /** Names of LOCKS. */
  readonly lock: ReadonlySet<string>;
  /** Names of CONTROLS. */
  readonly hide: ReadonlySet<string>;
  /** Paragraphs of plain text above the panels; empty for none. */
  readonly task: string;
  /** Starts training when scrolled into view. */
  readonly autostart: boolean;
  /** Step at which training stops and the task appears; null for none. */
  readonly stop: number | null;
}

/** No lesson: everything is visible and unlocked. */
export const FREE: Lesson = {
  show: null,
  lock: new Set(),
  hide: new Set(),
  task: '',
  autostart: false,
  stop: null,
};

/**
 * Whether a lesson shows a panel. Run bar and notices are always visible, or no run could start.
 */
export function shows(lesson: Lesson, panel: string): boolean {
  if (panel === 'run' || panel === 'notice') return true;
  return lesson.show === null ? !ASKED_FOR.has(panel) : lesson.show.has(panel);
}

/** Whether a panel is visible and not locked. */
export function canChange(lesson: Lesson, panel: 'text' | 'settings' | 'model'): boolean {
  return shows(lesson, panel) && !lesson.lock.has(panel);
}

/** Whether two lessons have equal panels and locks. */
export function samePanels(one: Lesson, other: Lesson): boolean {
  const same = (a: ReadonlySet<string> | null, b: ReadonlySet<string> | null): boolean =>
    a === null || b === null ? a === b : [...a].sort().join() === [...b].sort().join();
  return same(one.show, other.show) && same(one.lock, other.lock);
}

/** Maximum length of a task, in characters. */
export const TASK_LIMIT = 2000;

/** Reads a lesson from link parameters. */
export function readLesson(params: URLSearchParams): Lesson {
  const names = (key: string, known: readonly string[]): Set<string> | null => {
    const text = params.get(key);
    if (text === null) return null;
    return new Set(text.split(/[\s,]+/).filter((name) => known.includes(name)));
  };
  return {
    show: names('show', PANELS),
    lock: names('lock', LOCKS) ?? new Set(),
    hide: names('hide', CONTROLS) ?? new Set(),
    task: Array.from(params.get('task') ?? '')
      .slice(0, TASK_LIMIT)
      .join(''),
    autostart: isOn(params.get('autostart')),
    stop: readStop(params.get('stop')),
  };
}

/** The step to stop at; null if absent or invalid. */
export function readStop(value: string | null): number | null {
  const step = Number(value ?? NaN);
  return Number.isInteger(step) && step > 0 ? step : null;
}

/** Whether an attribute or parameter is present and not switched off. */
export function isOn(value: string | null): boolean {
  return value !== null && !['0', 'false', 'off', 'no'].includes(value.trim().toLowerCase());
}

/** Adds a lesson's differences from FREE to link parameters. */
export function writeLesson(lesson: Lesson, params: URLSearchParams): void {
  const list = (names: ReadonlySet<string>): string => [...names].join(',');
  if (lesson.show !== null) params.set('show', list(lesson.show));
  if (lesson.lock.size > 0) params.set('lock', list(lesson.lock));
  if (lesson.hide.size > 0) params.set('hide', list(lesson.hide));
  if (lesson.task !== '') params.set('task', lesson.task);
  if (lesson.autostart) params.set('autostart', '1');
  if (lesson.stop !== null) params.set('stop', String(lesson.stop));
}
