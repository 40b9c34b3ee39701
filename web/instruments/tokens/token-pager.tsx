/** Buttons for the pages of a text with more tokens than one page shows. */
import { useWords } from '../component.tsx';
import { pageOf } from './token-place.ts';
import type { TokenPage } from './token-place.ts';

export interface TokenPagerProps extends TokenPage {
  readonly count: number;
  /** Chooses the token at this index. */
  readonly onChoose: (index: number) => void;
}

export function TokenPager({ start, end, count, onChoose }: TokenPagerProps) {
  const { t, number } = useWords();
  if (start === 0 && end === count) return null;
  return (
    <div class="pager">
      <button
        type="button"
        class="secondary small"
        disabled={start === 0}
        onClick={() => onChoose(pageOf(start - 1, count).start)}
      >
        {t('tokens.page.back')}
      </button>
      <span class="stamp">
        {t('tokens.page', { first: number(start + 1), last: number(end), count: number(count) })}
      </span>
      <button
        type="button"
        class="secondary small"
        disabled={end === count}
        onClick={() => onChoose(end)}
      >
        {t('tokens.page.on')}
      </button>
    </div>
  );
}
