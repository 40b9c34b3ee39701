/** What the attention views draw: plain data, with the little arithmetic that they share. */
import { widthTwin } from '../base/width-twin.ts';
import type { Words } from '../i18n/index.ts';

/** A token of the probe text. */
export interface AttentionToken {
  readonly text: string;
  readonly kind: 'text' | 'bytes' | 'bos';
  readonly hex: string;
}

/** Attention of all layers and heads on one text. */
export interface AttentionData {
  readonly step: number;
  readonly tokens: readonly AttentionToken[];
  readonly layers: number;
  readonly heads: number;
  /** (layers, heads, tokens, tokens): rows look at columns. */
  readonly weights: Float32Array;
}

/** Whether two texts are the same tokens. */
export function sameTokens(a: readonly AttentionToken[], b: readonly AttentionToken[]): boolean {
  return (
    a.length === b.length &&
    a.every((token, index) => {
      const other = b[index];
      return token.text === other?.text && token.kind === other.kind && token.hex === other.hex;
    })
  );
}

/** A head by its place. */
export interface HeadPlace {
  readonly layer: number;
  readonly head: number;
}

/** The same place in a model that may have fewer layers or heads. */
export function placeWithin(
  { layer, head }: HeadPlace,
  { layers, heads }: Pick<AttentionData, 'layers' | 'heads'>,
): HeadPlace {
  return { layer: Math.min(layer, layers - 1), head: Math.min(head, heads - 1) };
}

/** The (tokens, tokens) weights of one head, as a view of the whole. */
export function headWeights(data: AttentionData, place: HeadPlace): Float32Array {
  const area = data.tokens.length ** 2;
  const start = (place.layer * data.heads + place.head) * area;
  return data.weights.subarray(start, start + area);
}

/** A short label of a token for an axis. Blanks and line ends are made visible. */
export function axisLabel(token: AttentionToken): string {
  if (token.kind === 'bos') return '▸';
  if (token.kind === 'bytes') return token.hex;
  return characterLabel(token.text);
}

/**
 * A text so that it can be seen; a single character that cannot, such as a joiner, by its number.
 */
export function characterLabel(text: string): string {
  const shown = visible(text);
  return shown === text && UNSEEN.test(text) ? `U+${codeOf(text)}` : shown;
}

/**
 * A text as it is, but for control characters, which get signs, or their numbers set off from what
 * is beside them: blanks and line ends stay.
 */
export function withControlSigns(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, (control) => {
    const label = characterLabel(control);
    return label.length > 1 ? `⟨${label}⟩` : label;
  });
}

/** The name of a token in a sentence. */
export function spokenLabel(token: AttentionToken, words: Words): string {
  if (token.kind === 'bos') return words.t('token.bos');
  if (token.kind === 'bytes') return bytesLabel(token.hex, words);
  if (token.text === ' ') return words.t('token.space');
  if (token.text === '\n') return words.t('token.newline');
  return unseenName(token.text, words) ?? words.t('token.text', { text: visible(token.text) });
}

/** Punctuation that Chinese has, too, but wide: one is easily taken for the other. */
const LOOKALIKE = /[!(),.:;?]/;
/**
 * The name of a character in a sentence, with its number: which of two that look alike it is cannot
 * be seen. Null where nothing looks like it.
 */
export function widthName(character: string, words: Words): string | null {
  const twin = widthTwin(character);
  const isWide = twin !== '' && twin < character;
  if (!isWide && !LOOKALIKE.test(character)) return null;
  const values = { text: character, code: codeOf(character) };
  return words.t(isWide ? 'token.wide' : 'token.plain', values);
}

/** The name of bytes of which no whole character is known. */
export function bytesLabel(hex: string, { t }: Words): string {
  const bytes = hex.match(/../g) ?? [];
  return t('token.bytes', { count: bytes.length, hex: bytes.join(' ') });
}

/** A single character that leaves no ink. */
const UNSEEN = /^(?:[\p{Z}\p{C}\s\ufe00-\ufe0f\u{e0100}-\u{e01ef}])$/u;

function codeOf(text: string): string {
  return (text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

/** The name or number of a single character that cannot be seen; null for everything else. */
function unseenName(text: string, words: Words): string | null {
  if (!UNSEEN.test(text)) return null;
  const code = codeOf(text);
  return words.find(`token.unseen.${code}`, { code }) ?? words.t('token.unseen', { code });
}

function visible(text: string): string {
  return Array.from(text, (character, index) => {
    // A mark needs something to stand on.
    if (index === 0 && /\p{M}/u.test(character)) return `◌${character}`;
    if (character === ' ') return '␣';
    if (character === '\n') return '↵';
    if (character === '\t') return '⇥';
    const code = character.codePointAt(0) ?? 0;
    // Control characters have pictures of their own in Unicode.
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : character;
  }).join('');
}
