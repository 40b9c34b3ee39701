/** Earlier runs by name: each can be shown, hidden, or removed. */
import { useRef } from 'preact/hooks';
import { unitFactor, unitKey } from '../../data/loss-data.ts';
import type { LossLine } from '../../data/loss-data.ts';
import { TickBox } from '../../kit/tick.tsx';
import { LineSample } from './earlier-line.tsx';
import type { LossProps } from './losses.ts';
import { Note } from './notes.tsx';

export function EarlierList({ losses }: LossProps) {
  const { t, number } = losses.words;
  const { unit, smoothing } = losses.look.value;
  const list = useRef<HTMLUListElement>(null);
  const lines = losses.lines.value;
  if (lines.length === 0) return null;
  const earlier = losses.session()?.earlier;
  const beside = lines.filter(({ shown }) => shown);
  const hasDots = beside.some(({ history }) => history.validations.length > 0);
  const ends = ({ history, tokensPerCharacter }: LossLine): string => {
    const loss = history.smoothedLast(smoothing) ?? NaN;
    const shown = number(loss * unitFactor({ unit }, tokensPerCharacter.train), 2);
    return t('earlier.end', { loss: shown, step: number(history.length), unit: t(unitKey(unit)) });
  };
  const remove = (id: number, at: number): void => {
    const rows = list.current?.children ?? [];
    // The pressed button disappears: moves the focus to a neighbouring row, or else to the title.
    const near = rows[at + 1] ?? rows[at - 1];
    if (near === undefined) losses.focusTitle();
    else near.querySelector('button')?.focus();
    earlier?.remove(id);
  };
  const note = (part: string, isShown: boolean, key: Parameters<typeof t>[0]) => (
    <Note part={`earlier-${part}`} text={isShown ? t(key) : ''} />
  );
  return (
    <div>
      <ul ref={list} class="earlier" aria-label={t('earlier.title')}>
        {lines.map((line, at) => (
          <li key={line.id}>
            <TickBox isOn={line.shown} onTick={(isOn) => earlier?.show(line.id, isOn)}>
              <LineSample id={line.id} />
              <span>{line.name}</span>
            </TickBox>
            <span class="earlier-end">
              <span class="stamp">{ends(line)}</span>
              <button
                type="button"
                class="link"
                aria-label={t('earlier.remove.named', { name: line.name })}
                onClick={() => remove(line.id, at)}
              >
                {t('earlier.remove')}
              </button>
            </span>
          </li>
        ))}
      </ul>
      {note('dots', hasDots, 'earlier.validation')}
      {note('bits', losses.isForced.value, 'earlier.bits')}
      {note(
        'texts',
        beside.some((line) => line.otherText),
        'earlier.texts',
      )}
      {note(
        'aside',
        lines.some((line) => line.aside),
        'earlier.aside',
      )}
    </div>
  );
}
