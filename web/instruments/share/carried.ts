/** Describes what a link or lesson contains, or why no run can start with its settings. */
import { findOption } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords, AnyKey } from '../../i18n/index.ts';
import { readable } from '../../i18n/numbers.ts';
import { messageOf, placeOf } from '../../store/messages.ts';
import { PACKED_LIMIT } from '../../store/text/packed-text.ts';
import { optionText } from '../../store/training/run-name.ts';
import type { LaterContext } from '../panel.ts';

/**
 * Catalogue keys of the link parameters that contain a text, which are listed by title only, and of
 * those that contain a number, which are listed with their value.
 */
const TEXT_PARAMS: Readonly<Record<string, string>> = {
  probe: 'attention.title',
  scored: 'tokens.title',
  prompt: 'ask.title',
};
const NUMBER_PARAMS: Readonly<Record<string, AnyKey>> = {
  temperature: 'ask.temperature',
  topK: 'ask.topK',
  topP: 'ask.topP',
  maxTokens: 'ask.maxTokens',
  askSeed: 'ask.seed',
  pace: 'run.pace',
};

/** Why no run can start with the current settings; empty if one can. */
export function whyBroken({ session, words }: LaterContext): string {
  const wrong = session()?.error ?? null;
  if (wrong === null || placeOf(wrong).options.length === 0) return '';
  return sentences([words.t('share.broken'), messageOf(wrong, words)], words);
}

/** Describes the content of the link to this page. */
export function pageNote(context: LaterContext): string {
  const { words, state, fragment } = context;
  const broken = whyBroken(context);
  if (broken !== '') return broken;
  const most = words.t('share.packed', { count: PACKED_LIMIT });
  const lead = words.t(state.source === 'own' ? 'share.page.own' : 'share.page.lead', { most });
  const list = [...new URLSearchParams(fragment().slice(1))].flatMap(([name, value]) =>
    value === '' ? [] : (textName(name, words) ?? []),
  );
  if (list.length === 0) return lead;
  const also = words.t('share.page.also', { list: list.join(words.t('list.separator')) });
  return sentences([lead, also], words);
}

/** Lists the settings and texts in a lesson, except its text and the choices of this panel. */
export function alsoIn(params: URLSearchParams, { session, words }: LaterContext): string {
  const { table, recipe } = session() ?? {};
  const list = [...params].flatMap(([name, value]) => {
    if (name === 'preset') return [value];
    if (table !== undefined && recipe !== undefined && findOption(table, name) !== undefined) {
      return [optionText(table, recipe, name, words)];
    }
    const text = textName(name, words);
    if (text !== null) return [text];
    const number = NUMBER_PARAMS[name];
    return number === undefined
      ? []
      : [words.t('runs.value', { option: words.t(number), value: readable(value) })];
  });
  if (list.length === 0) return '';
  return words.t('share.also', { list: list.join(words.t('list.separator')) });
}

/** Title of the text that this parameter contains; null for other parameters. */
function textName(name: string, { t, find }: AllWords): string | null {
  const title = find(TEXT_PARAMS[name] ?? '');
  return title === null ? null : t('share.also.text', { name: title });
}
