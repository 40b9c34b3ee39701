/** What is said of the text: the file that was opened, and the preset that came with it. */
import type { OpenedFile } from './file-line.ts';
import { sameRecipe } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import type { PageState } from '../../store/page-state.ts';
import { ENCODINGS } from '../../store/text/encodings.ts';
import { findSample } from '../../store/text/texts.ts';
import { changedText } from '../../store/training/run-name.ts';
import type { Session } from '../../store/training/session.ts';

export function openedFile(
  { fileName: name, fileSize, reading }: PageState,
  words: Words,
): OpenedFile {
  const line = name === '' ? '' : words.t('text.file', { name, size: words.bytes(fileSize) });
  if (reading === null)
    return { line, encoding: '', encodings: [], notes: '', ends: '', endsAct: '' };
  const { encoding, candidates, leftOver, unreadable, ends, keepsEnds } = reading;
  const { count } = ends;
  const names = ends.names.join(words.t('list.separator'));
  const notes = [
    leftOver === 0 ? '' : words.t('text.leftOver', { count: leftOver }),
    unreadable === 0 ? '' : words.t('text.unreadable', { count: unreadable }),
  ];
  return {
    line,
    encoding,
    notes: sentences(notes, words),
    encodings: [...new Set([...candidates, ...ENCODINGS.keys()])].map((id) => ({
      id,
      name: ENCODINGS.get(id) ?? id,
    })),
    ends: count === 0 ? '' : words.t(keepsEnds ? 'text.ends.kept' : 'text.ends', { count, names }),
    endsAct: words.t(keepsEnds ? 'text.ends.convert' : 'text.ends.undo'),
  };
}

/** The preset that would suit the text better, if any. */
export function suggestedPreset({ source }: PageState, now: Session | null): string {
  const sample = findSample(source);
  // An opened model keeps its settings.
  if (now === null || now.model !== null || sample === undefined) return '';
  const suited = [sample.preset, ...sample.alsoSuits];
  return suited.includes(now.recipe.preset) ? '' : sample.preset;
}

/** What came with the text, as long as it is so. */
export function broughtNow(
  { brought, source }: PageState,
  now: Session | null,
): PageState['brought'] {
  if (brought === null || now === null || brought.source !== source) return null;
  return sameRecipe(brought.recipe, now.recipe) ? brought : null;
}

/** That the preset is another because of the text, or is not for what was changed. */
export function broughtLine(state: PageState, now: Session | null, words: Words): string {
  const brought = broughtNow(state, now);
  if (brought === null || now === null) return '';
  const { recipe, table } = now;
  if (brought.stays === true) {
    return words.t('text.brought.stays', { list: changedText(recipe, table, words) });
  }
  if (brought.before !== undefined) return words.t('text.brought.not', { preset: brought.before });
  const key = state.source === 'own' ? 'text.brought.back' : 'text.brought';
  return words.t(key, { preset: recipe.preset });
}
