/** Notes on the preset: one that suits the text better, or one that the page set for it. */
import { sameRecipe } from '../../engine/options.ts';
import type { Words } from '../../i18n/index.ts';
import type { PageState } from '../../store/page-state.ts';
import { findSample } from '../../store/text/texts.ts';
import { changedText } from '../../store/training/run-name.ts';
import type { Session } from '../../store/training/session.ts';

/** The preset that would suit the text better; empty if none. */
export function suggestedPreset({ source }: PageState, now: Session | null): string {
  const sample = findSample(source);
  // No suggestion for an opened model, whose settings stay.
  if (now === null || now.model !== null || sample === undefined) return '';
  const suited = [sample.preset, ...sample.alsoSuits];
  return suited.includes(now.recipe.preset) ? '' : sample.preset;
}

/** The notice `brought`; null once another text is chosen or the settings are changed. */
export function broughtNow(
  { brought, source }: PageState,
  now: Session | null,
): PageState['brought'] {
  if (brought === null || now === null || brought.source !== source) return null;
  return sameRecipe(brought.recipe, now.recipe) ? brought : null;
}

/**
 * Note that the preset was changed for the text, or kept because the reader changed settings; empty
 * if neither.
 */
export function broughtLine(state: PageState, now: Session | null, words: Words): string {
  const brought = broughtNow(state, now);
  if (brought === null || now === null) return '';
  const { recipe, table } = now;
  if (brought.stays !== undefined) {
    return words.t('text.brought.stays', { list: changedText(brought.stays, table, words) });
  }
  if (brought.before !== undefined) return words.t('text.brought.not', { preset: brought.before });
  const key = state.source === 'own' ? 'text.brought.back' : 'text.brought';
  return words.t(key, { preset: recipe.preset });
}
