/**
 * How the dice chose: the line from 0 to 1, shared out among the tokens in the order of their ids,
 * and the place where the number fell. What is drawn is also said in a sentence.
 */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';
import { comingLabel, comingName } from '../../data/token-data.ts';
import type { VocabularyToken } from '../../data/token-data.ts';

/** A token with its part of the line. */
export interface DicePart {
  readonly token: VocabularyToken;
  readonly start: number;
  readonly adjusted: number;
}

export interface DiceStripData {
  /** The parts that are named; what lies between them belongs to less likely tokens. */
  readonly parts: readonly DicePart[];
  /** What was chosen last; null before that. */
  readonly chosen: DicePart | null;
  /** Where the number fell; NaN when none was drawn. */
  readonly uniform: number;
  readonly taken: boolean;
  /** What else is to be said of the draw; may be empty. */
  readonly note: string;
}

/** Parts narrower than this have no room for a name. */
const NAMED = 0.035;

/** A share of the line that can be seen to be hatched. */
const HATCHED = 0.01;

/** Appends the strip to `container`; the function it returns shows other data. */
export function createDiceStrip(
  container: HTMLElement,
  words: AllWords,
): (data: DiceStripData) => void {
  const { t, number } = words;
  const line = el('div', { class: 'dice-line', 'aria-hidden': 'true' });
  const pin = el('div', { class: 'dice-pin' });
  const scale = el(
    'div',
    { class: 'dice-scale', 'aria-hidden': 'true' },
    el('span', {}, '0'),
    el('span', {}, '1'),
  );
  const text = el('p', { class: 'summary' });
  const others = el('p', { class: 'note' }, t('write.dice.others'));
  container.append(line, scale, others, text);
  const percent = (share: number): string => `${String(Math.round(share * 1e5) / 1e3)}%`;

  function sentence({ chosen, uniform, taken, note }: DiceStripData): string {
    if (chosen === null) return t('write.dice.wait');
    const name = comingName(chosen.token, words);
    if (taken) return t('write.dice.taken', { name });
    if (Number.isNaN(uniform)) return t('write.dice.greedy', { name });
    // Enough digits for the number to lie between the ends as written.
    const digits = chosen.adjusted < 0.001 ? 6 : 4;
    const fell = t('write.dice.fell', {
      name,
      number: number(uniform, digits),
      start: number(chosen.start, digits),
      end: number(chosen.start + chosen.adjusted, digits),
    });
    return sentences([fell, note], words);
  }

  return (data) => {
    const { chosen, uniform } = data;
    const known = data.parts.some(({ token }) => token.id === chosen?.token.id);
    // What was drawn need not be among the likeliest.
    const all = chosen === null || known ? data.parts : [...data.parts, chosen];
    const parts = all.filter(({ adjusted }) => adjusted > 0).sort((a, b) => a.start - b.start);
    const named = parts.reduce((sum, { adjusted }) => sum + adjusted, 0);
    others.hidden = named > 1 - HATCHED;
    const hit = chosen === null || Number.isNaN(uniform) ? -1 : chosen.token.id;
    const pieces = parts.map(({ token, start, adjusted }) => {
      const label = adjusted >= NAMED ? comingLabel(token) : '';
      const piece = el('span', { class: 'dice-part' }, label);
      piece.classList.toggle('hit', token.id === hit);
      piece.style.left = percent(start);
      piece.style.width = percent(adjusted);
      return piece;
    });
    pin.hidden = Number.isNaN(uniform);
    if (!pin.hidden) pin.style.left = percent(uniform);
    line.replaceChildren(...pieces, pin);
    setText(text, sentence(data));
  };
}
