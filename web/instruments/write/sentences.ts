/** Sentences about a written text. */
import { bytesLabel } from '../../data/attention-data.ts';
import { chanceText, comingName, shareText } from '../../data/token-data.ts';
import type { Token } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { endOf } from './written-text.ts';
import type { WrittenText, WrittenToken } from './written-text.ts';

/** All tokens, prompt first. */
export function tokensOf({ now, tokens }: WrittenText): Token[] {
  return [...now.prompt, ...tokens.map(({ choice }) => choice.token)];
}

/**
 * Number of leading tokens that have left the context. The last token of an ended text never enters
 * the context and is not counted.
 */
export function unseenTokens(text: WrittenText): number {
  const { prompt, context } = text.now;
  const end = endOf(text);
  const unread = end === 'ended' || end === 'full' ? 1 : 0;
  return Math.max(0, prompt.length + text.tokens.length - unread - context.length);
}

/** Explains the boxes of tokens and their marks. */
export function boxesNote(text: WrittenText, words: AllWords): string {
  const { t } = words;
  const marks = tokensOf(text).some(({ kind }) => kind === 'bos') ? t('token.marks') : '';
  return sentences([t('write.hint'), marks], words);
}

/** Names trailing bytes that do not yet form a character; otherwise empty. */
export function pendingText({ now: { pending } }: WrittenText, words: AllWords): string {
  return pending === '' ? '' : words.t('write.pending', { name: bytesLabel(pending, words) });
}

/** Describes the last event; `name` is the name of the last token. */
export function statusText(text: WrittenText, name: string, words: AllWords): string {
  const { t, number } = words;
  const { now, undone } = text;
  const last = text.tokens.at(-1);
  const end = endOf(text);
  const parts: string[] = [];
  if (undone !== null) parts.push(undoneText(undone, words));
  else if (last !== undefined) parts.push(drawnText(last, name, words));
  parts.push(pendingText(text, words));
  if (now.reread) parts.push(t('write.reread', { step: number(now.step) }));
  if (now.refilled && undone === null) parts.push(t('write.refilled'));
  if (end !== '') parts.push(t(`write.${end}`));
  return sentences(parts, words);
}

/** Names the removed token; warns that the next draw uses the same random number. */
function undoneText({ choice, uniform }: WrittenToken, words: AllWords): string {
  const name = comingName(choice.token, words);
  const again = Number.isNaN(uniform) ? '' : words.t('write.undone.again');
  return sentences([words.t('write.undone', { name }), again], words);
}

function drawnText(last: WrittenToken, name: string, words: AllWords): string {
  const probability = chanceText(last.choice.probability, words);
  const adjusted = shareText(last.choice.adjusted, words);
  // At temperature 0, no random number is drawn and the adjusted probability is not used.
  const isOther = adjusted !== probability && !Number.isNaN(last.uniform);
  const drawn = isOther ? 'write.drawn.other' : 'write.drawn';
  return words.t(last.taken ? 'write.taken' : drawn, { name, probability, adjusted });
}
