/**
 * The colour scale of losses, with ticks at 0 (a certain token), the loss of guessing, and the loss
 * with the strongest colour; or of gains over a table, with 0 in the middle.
 */
import { TRACES } from '../../base/form.ts';
import { gainGradient, strongestLoss } from '../../kit/loss-colour.ts';
import { colourScale, scaleGradient } from '../../kit/weight-colour.ts';
import { useWords } from '../component.tsx';

export interface LossScaleProps {
  /** The loss of guessing. */
  readonly guessing: number;
  /** Whether colours show gains over a table, from minus to plus the loss of guessing. */
  readonly isCompared: boolean;
  readonly isDark: boolean;
}

export function LossScale({ guessing, isCompared, isDark }: LossScaleProps) {
  const { t, number } = useWords();
  const strongest = strongestLoss(guessing);
  const loss = number(guessing, isCompared ? 1 : 2);
  const gradient = TRACES && isCompared ? gainGradient(isDark) : scaleGradient(colourScale(isDark));
  const middle = isCompared ? '50%' : `${String((100 * guessing) / strongest)}%`;
  return (
    <div class="scale-row loss-scale">
      <span>{t(isCompared ? 'tokens.scale.gain' : 'tokens.scale')}</span>
      <div class="scale">
        <div class="scale-bar" style={{ backgroundImage: gradient }} />
        <span class="scale-tick at-start">{isCompared ? `−${loss}` : t('tokens.scale.sure')}</span>
        <span class="scale-tick" style={{ left: middle }}>
          {isCompared ? '0' : t('tokens.scale.guessing', { loss })}
        </span>
        <span class="scale-tick at-end" style={{ left: '100%' }}>
          {isCompared ? `+${loss}` : t('tokens.scale.end', { loss: number(strongest, 1) })}
        </span>
      </div>
    </div>
  );
}
