/** Baselines: losses of n-gram tables beside the model's loss, and texts generated from them. */
import { useState } from 'preact/hooks';
import { knownUnit, unitKey } from '../../data/loss-data.ts';
import { tableName } from '../../data/table-name.ts';
import type { Yardsticks } from '../../engine/trainer.ts';
import { TermButton } from '../../kit/term-button.tsx';
import { Tick } from '../../kit/tick.tsx';
import type { TextTrace } from '../../store/training/text-trace.ts';
import { useInstrument } from '../component.tsx';
import { ownLoss } from './own-loss.ts';
import { CopiedState } from './state.ts';

/** Maximum order of a table: the number of previous tokens used. */
const MOST_ORDER = 5;
/** Length of a text generated from a table, in tokens. */
const TABLE_TOKENS = 120;

export interface BaselinesProps {
  readonly yardsticks: Yardsticks;
  readonly trace: TextTrace;
}

export function Baselines({ yardsticks: { heldOut, yardsticks }, trace }: BaselinesProps) {
  const { words, state, session, kept } = useInstrument();
  const { t, number } = words;
  const now = session();
  if (now === null || now.run === null) return null;
  const unit = knownUnit(state.lossChoice.unit, now.tokensPerCharacter);
  const rows = yardsticks.map((table) => ({
    name: tableName(table.order, words),
    term: table.order < 0 ? 'random_guessing' : 'ngram',
    loss: table[unit],
  }));
  // NaN before the model's first loss.
  const own = ownLoss(now, heldOut)?.[unit] ?? NaN;
  if (Number.isFinite(own)) rows.push({ name: t('baseline.model'), term: '', loss: own });
  rows.sort((a, b) => b.loss - a.loss);
  const widest = rows[0]?.loss ?? 1;
  const at = rows.findIndex(({ term }) => term === '');
  const [below, above] = [rows[at - 1]?.name, rows[at + 1]?.name];
  let said = '';
  if (at === 0) said = t('baseline.worst');
  else if (at > 0 && above === undefined) said = t('baseline.best');
  else if (at > 0) said = t('baseline.between', { below: below ?? '', above: above ?? '' });
  return (
    <div class="copied-baselines">
      <h3>{t('baseline.title')}</h3>
      <p class="note">
        {t(heldOut ? 'baseline.held-out' : 'baseline.left-out', { unit: t(unitKey(unit)) })}
      </p>
      <ol class="baselines" data-part="baselines">
        {rows.map(({ name, term, loss }) => (
          <li key={name} aria-current={term === '' ? 'true' : undefined}>
            <span>{term === '' ? name : <TermButton id={term} text={name} />}</span>
            <span
              class="baseline-bar"
              aria-hidden="true"
              style={{ width: `${((100 * loss) / widest).toFixed(2)}%` }}
            />
            <span class="figure">{number(loss, 2)}</span>
          </li>
        ))}
      </ol>
      <p data-part="baselines-said">{said}</p>
      <Tick choice={kept(CopiedState).lines} text={t('baseline.lines')} />
      <TextByTable trace={trace} />
    </div>
  );
}

/** Generates a text from an n-gram table, whose order the reader chooses. */
function TextByTable({ trace }: { readonly trace: TextTrace }) {
  const { words, kept } = useInstrument();
  const { t } = words;
  const [order, choose] = useState(3);
  const [written, show] = useState('');
  const write = async (): Promise<void> => {
    show((await kept(CopiedState).write(trace, order, TABLE_TOKENS)) ?? '');
  };
  return (
    <div class="copied-table">
      <label>
        {t('baseline.table')}{' '}
        <select
          value={String(order)}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        >
          {Array.from({ length: MOST_ORDER + 1 }, (_, value) => (
            <option value={String(value)}>{tableName(value, words)}</option>
          ))}
        </select>
      </label>
      <button type="button" class="secondary" onClick={() => void write()}>
        {t('baseline.write')}
      </button>
      <p class="written" translate={false} dir="auto" role="status" data-part="table-text">
        {written}
      </p>
    </div>
  );
}
