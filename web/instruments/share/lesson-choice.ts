/** The teacher's choices for a lesson, and the link parameters that they make. */
import {
  ASKED_FOR,
  FREE,
  PANELS,
  readStop,
  TAB_SECTION,
  writeLesson,
} from '../../store/address/lesson.ts';
import { keep, recall } from '../../store/storage.ts';
import type { LaterContext } from '../panel.ts';
import { SNIPPETS } from './snippets.ts';
import type { SnippetForm } from './snippets.ts';

export interface LessonChoice {
  readonly form: SnippetForm;
  readonly show: readonly string[];
  readonly lock: readonly string[];
  readonly hide: readonly string[];
  readonly task: string;
  /** Name of the text for students; empty for none. */
  readonly name: string;
  readonly autostart: boolean;
  /** The step to stop at; empty for none. */
  readonly stop: string;
  /** Language of the lesson; empty for that of the reader's browser. */
  readonly lang: (typeof LANGS)[number];
  readonly theme: (typeof THEMES)[number];
}

export const LANGS = ['', 'en', 'zh'] as const;
export const THEMES = ['auto', 'light', 'dark'] as const;

/** Initial choices: panels of a short lesson. */
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

/** Saves an unfinished lesson while the reader visits another tab. */
export function keepChoice(choice: LessonChoice): void {
  keep('tab', 'share', JSON.stringify(choice));
}

/** The choices saved for this tab; the initial ones if absent or unreadable. */
export function recallChoice(): LessonChoice {
  try {
    const kept: unknown = JSON.parse(recall('tab', 'share') ?? 'null');
    if (typeof kept !== 'object' || kept === null) return FIRST_CHOICE;
    const isWhole = Object.entries(FIRST_CHOICE).every(([name, value]) => {
      const found = (kept as Record<string, unknown>)[name];
      return typeof found === typeof value && Array.isArray(found) === Array.isArray(value);
    });
    return isWhole ? knownOf(kept as LessonChoice) : FIRST_CHOICE;
  } catch {
    return FIRST_CHOICE;
  }
}

/** Replaces an unknown form, language or theme by the first one. */
function knownOf(choice: LessonChoice): LessonChoice {
  const known = <Name extends string>(names: readonly Name[], name: Name): Name =>
    names.includes(name) ? name : names[0]!;
  return {
    ...choice,
    form: known(SNIPPETS, choice.form),
    lang: known(LANGS, choice.lang),
    theme: known(THEMES, choice.theme),
  };
}

/** Link parameters of the lesson, derived from the parameters of this page. */
export function lessonParams(
  choice: LessonChoice,
  { state, fragment }: LaterContext,
): URLSearchParams {
  const params = new URLSearchParams(fragment().slice(1));
  // The open tab is not part of the lesson.
  params.delete('view');
  params.delete('lang');
  const shown = new Set(choice.show);
  // A text scored in a hidden panel is the teacher's own.
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
