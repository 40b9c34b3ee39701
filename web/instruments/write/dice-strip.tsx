/**
 * A draw as a line from 0 to 1, with a part for each token in the order of ids, and a pin at the
 * random number; also as a sentence.
 */
import { comingLabel, comingName } from '../../data/token-data.ts';
import type { Choice, Distribution, Sampling } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { useWords } from '../component.tsx';
import { sameDice } from './written-text.ts';
import type { WrittenToken } from './written-text.ts';

/** Minimum width of a part that shows a name, as a share of the line. */
const NAMED = 0.035;

/** Minimum total share of unlisted tokens for the hatched gaps to be visible. */
const HATCHED = 0.01;

export interface DiceStripProps {
  /** The token written last, drawn or chosen; null before the first. */
  readonly last: WrittenToken | null;
  /** Candidates for the next token; null if the text has ended. */
  readonly coming: Distribution | null;
  readonly dice: Sampling;
}

export function DiceStrip({ last, coming, dice }: DiceStripProps) {
  const words = useWords();
  const { t } = words;
  const uniform = last?.uniform ?? NaN;
  const isDrawn = !Number.isNaN(uniform);
  const parts = partsOf((last?.from ?? coming)?.choices ?? [], last?.choice ?? null);
  const named = parts.reduce((sum, { adjusted }) => sum + adjusted, 0);
  return (
    <div>
      <h3>{t('write.dice')}</h3>
      <div class="dice-line" aria-hidden="true">
        {parts.map(({ token, start, adjusted }) => (
          <span
            key={token.id}
            class={isDrawn && token.id === last?.choice.token.id ? 'dice-part hit' : 'dice-part'}
            style={{ left: percent(start), width: percent(adjusted) }}
          >
            {adjusted >= NAMED ? comingLabel(token) : ''}
          </span>
        ))}
        {isDrawn ? <div class="dice-pin" style={{ left: percent(uniform) }} /> : null}
      </div>
      <div class="dice-scale" aria-hidden="true">
        <span>0</span>
        <span>1</span>
      </div>
      {named > 1 - HATCHED ? null : <p class="note">{t('write.dice.others')}</p>}
      <p class="summary">{last === null ? t('write.dice.wait') : drawText(last, dice, words)}</p>
    </div>
  );
}

const percent = (share: number): string => `${String(Math.round(share * 1e5) / 1e3)}%`;

/** Parts of the listed tokens and the last one, in order; less likely tokens are in the gaps. */
function partsOf(choices: readonly Choice[], chosen: Choice | null): Choice[] {
  const isListed = choices.some(({ token }) => token.id === chosen?.token.id);
  // The last token may be missing in `choices`, which lists the likeliest.
  const all = chosen === null || isListed ? choices : [...choices, chosen];
  return all.filter(({ adjusted }) => adjusted > 0).sort((a, b) => a.start - b.start);
}

function drawText(last: WrittenToken, now: Sampling, words: AllWords): string {
  const { t, number } = words;
  const { choice, uniform, taken, dice } = last;
  const name = comingName(choice.token, words);
  if (taken) return t('write.dice.taken', { name });
  if (Number.isNaN(uniform)) return t('write.dice.greedy', { name });
  // Enough digits to tell the random number from both ends of its part.
  const digits = choice.adjusted < 0.001 ? 6 : 4;
  const fell = t('write.dice.fell', {
    name,
    number: number(uniform, digits),
    start: number(choice.start, digits),
    end: number(choice.start + choice.adjusted, digits),
  });
  return sentences([fell, sameDice(dice, now) ? '' : thenText(dice, words)], words);
}

/** Sentence on the sampling parameters of the last draw, because some have changed since. */
function thenText({ temperature, topK, topP }: Sampling, { t, number, short }: AllWords): string {
  const values = { temperature: short(temperature), k: number(topK), p: short(topP) };
  return t('write.dice.then', values);
}
