/** The teacher's choices for a lesson, and the link parameters that they make. */
import * as v from 'valibot';
import {
  ASKED_FOR,
  FREE,
  PANELS,
  readStop,
  TAB_SECTION,
  writeLesson,
} from '../../store/address/lesson.ts';
import { LANGS } from '../../i18n/index.ts';
import { keep, recall } from '../../store/storage.ts';
import { readStored } from '../../store/stored.ts';
import type { LaterContext } from '../panel.ts';
import { SNIPPETS } from './snippets.ts';

export const LANG_CHOICES = ['', ...LANGS] as const;
export const THEMES = ['auto', 'light', 'dark'] as const;

const CHOICE = v.object({
  form: v.fallback(v.picklist(SNIPPETS), SNIPPETS[0]),
  show: v.array(v.string()),
  lock: v.array(v.string()),
  hide: v.array(v.string()),
  task: v.string(),
  /** Name of the text for students; empty for none. */
  name: v.string(),
  autostart: v.boolean(),
  /** The step to stop at; empty for none. */
  stop: v.string(),
  /** Language of the lesson; empty for that of the reader's browser. */
  lang: v.fallback(v.picklist(LANG_CHOICES), ''),
  theme: v.fallback(v.picklist(THEMES), 'auto'),
});

export type LessonChoice = Readonly<v.InferOutput<typeof CHOICE>>;

/** The initial choices, with the panels of a short lesson. */
const FIRST_CHOICE: LessonChoice = {
  form: SNIPPETS[0],
  show: PANELS.filter((name) => !ASKED_FOR.has(name) && name !== TAB_SECTION && name !== 'model'),
  lock: [],
  hide: [],
  task: '',
  name: '',
  autostart: false,
  stop: '',
  lang: '',
  theme: 'auto',
};

/** Saves an unfinished lesson, so that it survives a visit to another tab of the page. */
export function keepChoice(choice: LessonChoice): void {
  keep('tab', 'share', JSON.stringify(choice));
}

/** The choices saved for this browser tab; the initial choices if none are readable. */
export function recallChoice(): LessonChoice {
  return readStored(CHOICE, recall('tab', 'share')) ?? FIRST_CHOICE;
}

/** Link parameters of the lesson, derived from the parameters of this page. */
export function lessonParams(
  choice: LessonChoice,
  { state, fragment }: LaterContext,
): URLSearchParams {
  const params = new URLSearchParams(fragment().slice(1));
  // The open tab and the language of this page are not part of the lesson.
  params.delete('view');
  params.delete('lang');
  const shown = new Set(choice.show);
  // The lesson hides the panel with this text, which the teacher typed for themselves.
  if (!shown.has(TAB_SECTION)) params.delete('scored');
  const all = PANELS.every((name) => name === 'run' || shown.has(name) !== ASKED_FOR.has(name));
  writeLesson(
    {
      ...FREE,
      show: all ? null : shown,
      lock: new Set(choice.lock),
      hide: new Set(choice.hide),
      task: choice.task,
      autostart: choice.autostart,
      stop: readStop(choice.stop),
    },
    params,
  );
  if (choice.lang !== '') params.set('lang', choice.lang);
  if (choice.theme !== 'auto') params.set('theme', choice.theme);
  const isNamed = state.source === 'own' && choice.name.trim() !== '';
  if (isNamed) params.set('name', choice.name.trim());
  return params;
}
