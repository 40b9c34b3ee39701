/** What a link or a lesson carries, in words, and why it may begin no run. */
import { findOption } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords, AnyKey } from '../../i18n/index.ts';
import { readable } from '../../i18n/numbers.ts';
import { messageOf, placeOf } from '../../store/messages.ts';
import { PACKED_LIMIT } from '../../store/text/packed-text.ts';
import { optionText } from '../../store/training/run-name.ts';
import type { LaterContext } from '../panel.ts';

/** Words of an address by what the page calls them: texts, which are long, and numbers. */
const SAID_TEXTS: Readonly<Record<string, string>> = {
  probe: 'attention.title',
  scored: 'tokens.title',
  prompt: 'ask.title',
};
const SAID_NUMBERS: Readonly<Record<string, AnyKey>> = {
  temperature: 'ask.temperature',
  topK: 'ask.topK',
  topP: 'ask.topP',
  maxTokens: 'ask.maxTokens',
  askSeed: 'ask.seed',
  pace: 'run.pace',
};

/** Why these settings begin no run; empty where they do. */
export function whyBroken({ session, words }: LaterContext): string {
  const wrong = session()?.error ?? null;
  if (wrong === null || placeOf(wrong).options.length === 0) return '';
  return sentences([words.t('share.broken'), messageOf(wrong, words)], words);
}

/** What the link to this page carries. */
export function pageNote(context: LaterContext): string {
  const { words, state, fragment } = context;
  const broken = whyBroken(context);
  if (broken !== '') return broken;
  const most = words.t('share.packed', { count: PACKED_LIMIT });
  const lead = words.t(state.source === 'own' ? 'share.page.own' : 'share.page.lead', { most });
  const list = [...new URLSearchParams(fragment().slice(1))].flatMap(([name, value]) =>
    value === '' ? [] : (saidText(name, words) ?? []),
  );
  if (list.length === 0) return lead;
  const also = words.t('share.page.also', { list: list.join(words.t('list.separator')) });
  return sentences([lead, also], words);
}

/**
 * What the lesson holds beside its text and what is chosen here: it comes from all over the page.
 */
export function alsoIn(params: URLSearchParams, { session, words }: LaterContext): string {
  const { table, recipe } = session() ?? {};
  const list = [...params].flatMap(([name, value]) => {
    if (name === 'preset') return [value];
    if (table !== undefined && recipe !== undefined && findOption(table, name) !== undefined) {
      return [optionText(table, recipe, name, words)];
    }
    const text = saidText(name, words);
    if (text !== null) return [text];
    const number = SAID_NUMBERS[name];
    return number === undefined
      ? []
      : [words.t('runs.value', { option: words.t(number), value: readable(value) })];
  });
  if (list.length === 0) return '';
  return words.t('share.also', { list: list.join(words.t('list.separator')) });
}

/** A text that an address holds, by where it was written; null for other words. */
function saidText(name: string, { t, find }: AllWords): string | null {
  const title = find(SAID_TEXTS[name] ?? '');
  return title === null ? null : t('share.also.text', { name: title });
}
