/** The text that is written: its tokens in boxes, and what is said of it in sentences. */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { PromptRequest } from '../../base/sampling-limits.ts';
import { axisLabel, bytesLabel, characterLabel } from '../../data/attention-data.ts';
import { groupBytes } from '../../data/byte-groups.ts';
import { LEAST_PROBABILITY } from '../../data/loss-data.ts';
import { chanceText, comingLabel, comingName, shareText } from '../../data/token-data.ts';
import type { VocabularyToken } from '../../data/token-data.ts';
import { el, table } from '../../kit/dom.ts';
import { lossColour } from '../../kit/loss-colour.ts';
import { colourScale } from '../../kit/weight-colour.ts';
import type { CachePictureData } from './cache-picture.ts';
import type { DicePart } from './dice-strip.ts';

/** A token that may come. */
export interface WriterChoice extends DicePart {
  readonly probability: number;
}

export interface WriterDistribution {
  readonly choices: readonly WriterChoice[];
  readonly rest: {
    readonly count: number;
    readonly probability: number;
    readonly adjusted: number;
  };
  readonly drawable: number;
  readonly entropy: number;
  readonly adjustedEntropy: number;
}

/** The settings that a draw depends on, but for the number that is drawn. */
export type Dice = Pick<PromptRequest, 'temperature' | 'topK' | 'topP'>;

/** A token that was written. */
export interface WrittenToken {
  readonly choice: WriterChoice;
  readonly from: WriterDistribution;
  readonly uniform: number;
  readonly taken: boolean;
  /** What it was drawn with. */
  readonly dice: Dice;
}

export interface WrittenData {
  readonly step: number;
  readonly prompt: readonly VocabularyToken[];
  readonly written: readonly WrittenToken[];
  /** Bytes of an unfinished character at the end. */
  readonly pending: string;
  /** Why the text has ended; empty while it goes on. */
  readonly end: '' | 'ended' | 'full' | 'limit';
  readonly reread: boolean;
  /** The token that was taken back last, until something else is done; null otherwise. */
  readonly undone: WrittenToken | null;
  readonly playing: boolean;
  readonly cache: CachePictureData | null;
  /** ln V: the loss of guessing. */
  readonly guessing: number;
}

// ---- Boxes --------------------------------------------------------------------------------------

/**
 * Every token in a box of its own, those written in the colour of their surprise. `names` are what
 * the tokens are called, those of the prompt first.
 */
export function tokenBoxes(
  data: WrittenData,
  names: readonly string[],
  isDark: boolean,
  words: AllWords,
): HTMLElement[] {
  const { prompt, written, guessing } = data;
  const scale = colourScale(isDark);
  const given = prompt.map((token) => el('span', { class: 'piece given' }, axisLabel(token)));
  const grown = written.map(({ choice, taken }, index) => {
    const box = el('span', { class: 'piece' }, comingLabel(choice.token));
    const loss = -Math.log(Math.max(choice.probability, LEAST_PROBABILITY));
    const { background, ink } = lossColour(scale, loss, guessing);
    box.style.backgroundColor = background;
    box.style.color = ink;
    box.classList.toggle('taken', taken);
    box.title = `${names[prompt.length + index] ?? ''} ${chanceText(choice.probability, words)}`;
    return box;
  });
  const boxes = [...given, ...grown];
  const tokens = tokensOf(data);
  const unseen = unseenTokens(data);
  return groupBytes(tokens).flatMap(({ start, end, text }) => {
    const group = boxes.slice(start, end);
    const first = tokens[start];
    const isCharacter = end - start > 1 || first?.kind === 'bytes';
    return [
      ...(isCharacter ? [bracket(group, text === '' ? '…' : characterLabel(text))] : group),
      ...(start < unseen && end >= unseen ? [el('span', { class: 'context-edge' })] : []),
      ...(first?.text === '\n' ? [el('span', { class: 'line-break' })] : []),
    ];
  });
}

/** The boxes of one character, which is named below them. */
function bracket(boxes: readonly HTMLElement[], name: string): HTMLElement {
  const label = el('span', { class: 'group-name' }, name);
  return el('span', { class: 'byte-group' }, el('span', {}, ...boxes), label);
}

/** All tokens, those of the prompt first. */
export function tokensOf({ prompt, written }: WrittenData): VocabularyToken[] {
  return [...prompt, ...written.map(({ choice }) => choice.token)];
}

/** Tokens at the beginning that have left the context; what ends a text never comes into it. */
function unseenTokens({ prompt, written, cache, end }: WrittenData): number {
  if (cache === null) return 0;
  const unread = end === 'ended' || end === 'full' ? 1 : 0;
  return Math.max(0, prompt.length + written.length - unread - cache.context.length);
}

// ---- Sentences ----------------------------------------------------------------------------------

/** What the boxes and their marks mean. */
export function boxesNote(data: WrittenData, words: AllWords): string {
  const { t } = words;
  const marks = tokensOf(data).some(({ kind }) => kind === 'bos') ? t('token.marks') : '';
  const left = unseenTokens(data) > 0 ? t('write.unseen') : '';
  return sentences([t('write.hint'), marks, left], words);
}

/** What the last bytes are as long as they are no character. */
export function pendingText({ pending }: WrittenData, words: AllWords): string {
  return pending === '' ? '' : words.t('write.pending', { name: bytesLabel(pending, words) });
}

/** What happened last; `name` is that of the last token. */
export function statusText(data: WrittenData, name: string, words: AllWords): string {
  const { t, number } = words;
  // A text that plays is not read out token by token.
  if (data.playing && data.end === '') return '';
  const last = data.written.at(-1);
  const parts: string[] = [];
  if (data.undone !== null) parts.push(undoneText(data.undone, words));
  else if (last !== undefined) parts.push(drawnText(last, name, words));
  parts.push(pendingText(data, words));
  if (data.reread) parts.push(t('write.reread', { step: number(data.step) }));
  if (data.cache?.refilled === true && data.undone === null) parts.push(t('write.refilled'));
  if (data.end !== '') parts.push(t(`write.${data.end}`));
  return sentences(parts, words);
}

/** What was taken back; what was drawn would be drawn again. */
function undoneText({ choice, uniform }: WrittenToken, words: AllWords): string {
  const name = comingName(choice.token, words);
  const again = Number.isNaN(uniform) ? '' : words.t('write.undone.again');
  return sentences([words.t('write.undone', { name }), again], words);
}

function drawnText(last: WrittenToken, name: string, words: AllWords): string {
  const probability = chanceText(last.choice.probability, words);
  const adjusted = shareText(last.choice.adjusted, words);
  // Without dice there is nothing that it was drawn with.
  const isOther = adjusted !== probability && !Number.isNaN(last.uniform);
  const drawn = isOther ? 'write.drawn.other' : 'write.drawn';
  return words.t(last.taken ? 'write.taken' : drawn, { name, probability, adjusted });
}

/** With which settings a token was drawn, where they are others `now`. */
export function thenNote({ dice, uniform }: WrittenToken, now: Dice, words: AllWords): string {
  const { temperature, topK, topP } = dice;
  const same = temperature === now.temperature && topK === now.topK && topP === now.topP;
  if (Number.isNaN(uniform) || same) return '';
  const { t, number, short } = words;
  const values = { temperature: short(temperature), k: number(topK), p: short(topP) };
  return t('write.dice.then', values);
}

/** The written tokens as a table, with the number that each was drawn with. */
export function writtenTable(
  { prompt, written }: WrittenData,
  names: readonly string[],
  words: AllWords,
): HTMLTableElement {
  const { t, number } = words;
  const heads = [t('tokens.col.token'), t('write.col.model'), t('write.col.dice')];
  const rows = written.map(({ choice, uniform }, index) => [
    names[prompt.length + index] ?? '',
    chanceText(choice.probability, words),
    shareText(choice.adjusted, words),
    number(uniform, 4),
  ]);
  return table(t('write.table.caption'), [...heads, t('write.col.number')], rows);
}
