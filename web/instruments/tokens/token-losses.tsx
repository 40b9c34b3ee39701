/** Losses of a text's tokens as coloured cells, with details of the chosen token. */
import type { Signal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { TRACES } from '../../base/form.ts';
import { tableName } from '../../data/table-name.ts';
import type { Analysis } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import { hint } from '../../kit/hint.ts';
import { Tick } from '../../kit/tick.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { KeptFold, useWords } from '../component.tsx';
import type { BesideTable } from './beside-table.ts';
import { ChosenToken } from './chosen-token.tsx';
import { cappedText, LossFigures } from './loss-figures.tsx';
import { LossScale } from './loss-scale.tsx';
import { nameTokens } from './named-token.ts';
import { TokenCells } from './token-cells.tsx';
import { TokenPager } from './token-pager.tsx';
import { pageOf } from './token-place.ts';
import type { TokenPlace } from './token-place.ts';
import { TokenTable } from './token-table.tsx';

export interface TokenLossesProps {
  readonly analysis: Analysis;
  /** The n-gram table to compare with; null if the reader does not compare, or it is not ready. */
  readonly table: BesideTable | null;
  /** ln V: the loss of guessing. */
  readonly guessing: number;
  readonly isDark: boolean;
  /** Whether to compare with a table; null if this build of the page or the run has no tables. */
  readonly choice: Signal<boolean> | null;
  readonly place: TokenPlace;
}

export function TokenLosses(props: TokenLossesProps) {
  const { analysis, table, guessing, isDark, choice, place } = props;
  const { tokens, step, meanLoss } = analysis;
  const words = useWords();
  const { t, number } = words;
  const hintId = useFreshId('token-hint');
  const named = useMemo(() => nameTokens(tokens, table?.losses ?? [], words), [tokens, table]);
  const chosen = place.in(tokens);
  const onChoose = (index: number): void => {
    place.chosen.value = index;
  };
  useLayoutEffect(() => onChoose(chosen), [chosen]);
  const { start, end } = pageOf(chosen, tokens.length);
  const capped = cappedText(tokens, words);
  const isCompared = table !== null;
  const marks = tokens.some(({ token }) => token.kind === 'bos') ? t('token.marks') : '';
  return (
    <div class="token-result">
      <div class="token-main">
        <div class="head-row">
          <LossFigures analysis={analysis} />
          <span class="stamp">{t('tokens.step', { step: number(step) })}</span>
        </div>
        {capped === '' ? null : <p class="note">{capped}</p>}
        {TRACES && choice !== null ? <Tick choice={choice} text={t('tokens.compare')} /> : null}
        {TRACES && choice?.value === true ? (
          <p class="note" data-part="beside-table">
            {table === null
              ? t('tokens.compare.wait')
              : t('tokens.beside', {
                  table: tableName(table.order, words),
                  loss: number(table.mean, 3),
                  own: number(meanLoss, 3),
                })}
          </p>
        ) : null}
        <LossScale guessing={guessing} isCompared={isCompared} isDark={isDark} />
        <TokenCells
          tokens={named}
          start={start}
          end={end}
          chosen={chosen}
          guessing={guessing}
          isDark={isDark}
          describedBy={hintId}
          onChoose={onChoose}
        />
        <TokenPager start={start} end={end} count={tokens.length} onChoose={onChoose} />
        <p id={hintId} class="note">
          {sentences(
            [
              hint(words, 'tokens.hint'),
              t(isCompared ? 'tokens.number.gain' : 'tokens.number'),
              marks,
            ],
            words,
          )}
        </p>
        <KeptFold name="tokens.table" kind="data" title={t('tokens.table')}>
          {() => <TokenTable tokens={named.slice(start, end)} />}
        </KeptFold>
      </div>
      <ChosenToken tokens={named} index={chosen} guessing={guessing} />
    </div>
  );
}
