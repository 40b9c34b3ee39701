/**
 * Labels of tokens in a row. Tokens that are part of a character are named by that character, in
 * the same words in every view.
 */
import type { Words } from '../i18n/index.ts';
import { axisLabel, characterLabel, spokenLabel } from '../data/attention-data.ts';
import type { AttentionToken } from '../data/attention-data.ts';
import { groupBytes } from '../data/byte-groups.ts';

/** Names of all `tokens` for sentences; `single` names a token by itself. */
export function spokenLabels<Known extends Words>(
  tokens: readonly AttentionToken[],
  words: Known,
  single: (token: AttentionToken, words: Known) => string = spokenLabel,
): string[] {
  return groupBytes(tokens).flatMap(({ start, end, text }) => {
    const parts = tokens.slice(start, end);
    if (text === '') return parts.map((token) => single(token, words));
    const total = parts.reduce((sum, { hex }) => sum + hex.length / 2, 0);
    let before = 0;
    return parts.map(({ hex }) => {
      const count = hex.length / 2;
      const [first, last] = [before + 1, before + count];
      before = last;
      const place = count === 1 ? String(first) : `${String(first)}–${String(last)}`;
      return words.t('token.part', { count, place, total, text: characterLabel(text), hex });
    });
  });
}

/** Short labels of all `tokens` for lists, such as `唐 E5`. */
export function listLabels(tokens: readonly AttentionToken[]): string[] {
  return groupBytes(tokens).flatMap(({ start, end, text }) =>
    tokens
      .slice(start, end)
      .map((token) =>
        text === '' ? axisLabel(token) : `${characterLabel(text)} ${axisLabel(token)}`,
      ),
  );
}

/** An axis label for the tokens from `start` up to but not including `end`. */
export interface AxisMark {
  readonly label: string;
  readonly start: number;
  readonly end: number;
}

/** A label per token; if `joined`, one per character made of several tokens. */
export function axisMarks(tokens: readonly AttentionToken[], joined: boolean): AxisMark[] {
  const characters = joined ? characterMarks(tokens) : [];
  const single = tokens.map((token, index) => markOf(axisLabel(token), index));
  const left = single.filter(
    (mark) => !characters.some(({ start, end }) => mark.start >= start && mark.start < end),
  );
  return [...characters, ...left].sort((a, b) => a.start - b.start);
}

/** A label per character that consists of several tokens. */
export function characterMarks(tokens: readonly AttentionToken[]): AxisMark[] {
  return groupBytes(tokens)
    .filter(({ text }) => text !== '')
    .map(({ start, end, text }) => ({ start, end, label: characterLabel(text) }));
}

/** The labels that fit if only every n-th token (n = `every`) can have one. */
export function marksThatFit(marks: readonly AxisMark[], every: number): AxisMark[] {
  return marks.filter(({ start, end }) => end - start > 1 || start % every === 0);
}

function markOf(label: string, index: number): AxisMark {
  return { label, start: index, end: index + 1 };
}
