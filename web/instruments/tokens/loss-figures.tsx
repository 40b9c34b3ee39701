/** Mean loss of all tokens, in several units. */
import type { ComponentChildren } from 'preact';
import { LARGEST_LOSS, LEAST_PROBABILITY } from '../../data/loss-data.ts';
import { bitsPerCharacterOf } from '../../data/token-data.ts';
import type { ScoredToken } from '../../data/token-data.ts';
import type { Analysis } from '../../engine/trainer.ts';
import type { AllWords } from '../../i18n/index.ts';
import { TermButton } from '../../kit/term-button.tsx';
import { useWords } from '../component.tsx';

export function LossFigures({ analysis }: { readonly analysis: Analysis }) {
  const { t, number, short } = useWords();
  const { tokens, meanLoss, scored } = analysis;
  return (
    <dl class="token-facts">
      <Figure label={<TermButton id="loss" text={t('tokens.mean')} />}>
        {t('tokens.nats', { value: number(meanLoss, 3) })}
      </Figure>
      <Figure label={<TermButton id="bits_per_character" text={t('tokens.bits')} />}>
        {number(bitsPerCharacterOf(tokens), 2)}
      </Figure>
      <Figure label={<TermButton id="perplexity" text={t('tokens.perplexity')} />}>
        {short(Math.exp(meanLoss))}
      </Figure>
      <Figure label={t('tokens.scored')}>{number(scored)}</Figure>
    </dl>
  );
}

function Figure({ label, children }: { label: ComponentChildren; children: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Note that the loss of a very improbable token is capped; empty if none is. */
export function cappedText(tokens: readonly ScoredToken[], { t, number }: AllWords): string {
  const isCapped = ({ score }: ScoredToken): boolean =>
    score !== null && score.probability < LEAST_PROBABILITY;
  return tokens.some(isCapped) ? t('tokens.capped', { loss: number(LARGEST_LOSS, 2) }) : '';
}
