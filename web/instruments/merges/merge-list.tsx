/** The table of merges, one page at a time, with buttons and a field to go to other pages. */
import { useRef, useState } from 'preact/hooks';
import { axisLabel } from '../../data/attention-data.ts';
import type { Merge } from '../../engine/trainer.ts';
import { PlainTable } from '../../kit/data-table.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { useInstrument } from '../component.tsx';
import { MoveButton } from './move-button.tsx';

/** Rows of the table at a time. */
const PAGE = 20;

export function MergeList({ merges }: { readonly merges: readonly Merge[] }) {
  const { t, number } = useInstrument().words;
  const id = useFreshId('rank');
  const rank = useRef<HTMLInputElement>(null);
  const [wanted, go] = useState(0);
  const last = Math.max(0, merges.length - PAGE);
  const first = Math.min(Math.max(0, wanted), last);
  const shown = merges.slice(first, first + PAGE);
  // The vocabulary of an opened model lacks the frequencies of its pairs.
  const isCounted = merges.some(({ occurrences }) => occurrences > 0);
  const place = { from: first + 1, to: first + shown.length, count: merges.length };
  return (
    <div class="merges-list">
      <h3>{t('merges.list')}</h3>
      <div class="merges-moves">
        <MoveButton can={first > 0} other={rank} onMove={() => go(first - PAGE)}>
          {t('merges.earlier')}
        </MoveButton>
        <MoveButton can={first < last} other={rank} onMove={() => go(first + PAGE)}>
          {t('merges.later')}
        </MoveButton>
        <label for={id}>{t('merges.rank.go')}</label>
        <input
          ref={rank}
          id={id}
          class="number"
          inputMode="numeric"
          autocomplete="off"
          onChange={({ currentTarget }) => {
            const typed = Number(currentTarget.value);
            if (Number.isFinite(typed)) go(Math.trunc(typed) - 1);
          }}
        />
      </div>
      <span class="muted" role="status" data-part="merges-place">
        {t('merges.place', place)}
      </span>
      <div class="merges-table" translate={false}>
        <PlainTable
          caption={t('merges.caption')}
          heads={[
            t('merges.rank'),
            t('merges.left'),
            t('merges.right'),
            t('merges.result'),
            ...(isCounted ? [t('merges.occurrences')] : []),
          ]}
          rows={shown.map(({ left, right, result, occurrences }, index) => [
            number(first + 1 + index),
            ...[left, right, result].map(axisLabel),
            ...(isCounted ? [number(occurrences)] : []),
          ])}
        />
      </div>
    </div>
  );
}
