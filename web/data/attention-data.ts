/** Attention weights for the views, and the labels and names of tokens. */
import { widthTwin } from '../base/width-twin.ts';
import type { Words } from '../i18n/index.ts';

/** A token of the probe text. */
export interface AttentionToken {
  readonly text: string;
  readonly kind: 'text' | 'bytes' | 'bos';
  readonly hex: string;
}

/** Attention of every layer and head on one text. */
export interface AttentionData {
  readonly step: number;
  readonly tokens: readonly AttentionToken[];
  readonly layers: number;
  readonly heads: number;
  /** (layers, heads, tokens, tokens): row = query token, column = key token. */
  readonly weights: Float32Array;
}

/** Whether two texts consist of equal tokens. */
export function sameTokens(a: readonly AttentionToken[], b: readonly AttentionToken[]): boolean {
  return (
    a.length === b.length &&
    a.every((token, index) => {
      const other = b[index];
      return token.text === other?.text && token.kind === other.kind && token.hex === other.hex;
    })
  );
}

/** Layer and head, both from 0. */
export interface HeadPlace {
  readonly layer: number;
  readonly head: number;
}

/** Clamps a place to the layers and heads of a model, which may differ from the place's own. */
export function placeWithin(
  { layer, head }: HeadPlace,
  { layers, heads }: Pick<AttentionData, 'layers' | 'heads'>,
): HeadPlace {
  return { layer: Math.min(layer, layers - 1), head: Math.min(head, heads - 1) };
}

/** The (tokens, tokens) weights of one head: a view, not a copy. */
export function headWeights(data: AttentionData, place: HeadPlace): Float32Array {
  const area = data.tokens.length ** 2;
  const start = (place.layer * data.heads + place.head) * area;
  return data.weights.subarray(start, start + area);
}

/** Short label of a token on an axis; spaces and line ends become visible signs. */
export function axisLabel(token: AttentionToken): string {
  if (token.kind === 'bos') return '▸';
  if (token.kind === 'bytes') return token.hex;
  return characterLabel(token.text);
}

/** Makes a text visible; a single invisible character, such as a joiner, becomes its code point. */
export function characterLabel(text: string): string {
  const shown = visible(text);
  return shown === text && UNSEEN.test(text) ? `U+${codeOf(text)}` : shown;
}

/**
 * Replaces control characters by signs or, in brackets, their code points; keeps spaces and line
 * ends.
 */
export function withControlSigns(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, (control) => {
    const label = characterLabel(control);
    return label.length > 1 ? `⟨${label}⟩` : label;
  });
}

/** Name of a token for use in a sentence. */
export function spokenLabel(token: AttentionToken, words: Words): string {
  if (token.kind === 'bos') return words.t('token.bos');
  if (token.kind === 'bytes') return bytesLabel(token.hex, words);
  if (token.text === ' ') return words.t('token.space');
  if (token.text === '\n') return words.t('token.newline');
  return unseenName(token.text, words) ?? words.t('token.text', { text: visible(token.text) });
}

/** Punctuation that also exists in full width and looks almost alike. */
const LOOKALIKE = /[!(),.:;?]/;
/**
 * Names a character with its code point, for use in a sentence, if a character of another width
 * looks alike; null otherwise.
 */
export function widthName(character: string, words: Words): string | null {
  const twin = widthTwin(character);
  const isWide = twin !== '' && twin < character;
  if (!isWide && !LOOKALIKE.test(character)) return null;
  const values = { text: character, code: codeOf(character) };
  return words.t(isWide ? 'token.wide' : 'token.plain', values);
}

/** Names bytes that form no complete character. */
export function bytesLabel(hex: string, { t }: Words): string {
  const bytes = hex.match(/../g) ?? [];
  return t('token.bytes', { count: bytes.length, hex: bytes.join(' ') });
}

/** A single character that shows nothing on screen. */
const UNSEEN = /^(?:[\p{Z}\p{C}\s\ufe00-\ufe0f\u{e0100}-\u{e01ef}])$/u;

function codeOf(text: string): string {
  return (text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

/** Name or code point of a single invisible character; null for any other text. */
function unseenName(text: string, words: Words): string | null {
  if (!UNSEEN.test(text)) return null;
  const code = codeOf(text);
  return words.find(`token.unseen.${code}`, { code }) ?? words.t('token.unseen', { code });
}

function visible(text: string): string {
  return Array.from(text, (character, index) => {
    // A combining mark needs a base character.
    if (index === 0 && /\p{M}/u.test(character)) return `◌${character}`;
    if (character === ' ') return '␣';
    if (character === '\n') return '↵';
    if (character === '\t') return '⇥';
    const code = character.codePointAt(0) ?? 0;
    // U+2400 onwards are pictures of the control characters.
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : character;
  }).join('');
}
