/**
 * Memorisation, the share of prompts from the text that the model continues word for word: shares
 * at the newest measured step, a checkbox that draws all steps below the loss curve, and a table.
 */
import { DataTable } from '../../kit/data-table.tsx';
import { Tick } from '../../kit/tick.tsx';
import { KeptFold, useInstrument } from '../component.tsx';
import { memorisedOf, memorisedText, percent } from './memorised.ts';
import { CopiedState } from './state.ts';

export function MemorisedPart() {
  const { words, session, kept } = useInstrument();
  const { t, number } = words;
  const data = memorisedOf(session());
  if (data === null || data.points.length === 0) return null;
  const { points, prompts, documents } = data;
  const heads = [t('loss.col.steps'), t('memorised.train')];
  if (prompts.heldOut > 0) heads.push(t('memorised.held-out'));
  const rows = (): string[][] =>
    points.map(({ step, train, heldOut }) =>
      [number(step), percent(train, words), percent(heldOut, words)].slice(0, heads.length),
    );
  return (
    <div class="memorised">
      <h3>{t('memorised.title')}</h3>
      <p data-part="memorised-said">{memorisedText(data, words)}</p>
      <p class="note">
        {t(documents ? 'memorised.lines' : 'memorised.stream', { tokens: prompts.tokens })}
      </p>
      <Tick choice={kept(CopiedState).memorised} text={t('memorised.draw')} />
      <KeptFold name="memorised.table" kind="data" title={t('memorised.table')}>
        {() => (
          <DataTable
            label={t('memorised.table')}
            caption={t('memorised.caption')}
            heads={heads}
            rows={rows()}
          />
        )}
      </KeptFold>
    </div>
  );
}
