/** A field for a text to check: copies the text below with its matches marked, and counts them. */
import { useEffect, useState } from 'preact/hooks';
import type { BaseRate, CopiedRun } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { asTyped } from '../../kit/dom.ts';
import { useFreshId } from '../../kit/use-id.ts';
import type { TextTrace } from '../../store/training/text-trace.ts';
import { useInstrument, Written } from '../component.tsx';
import { chanceOf } from '../../store/training/chance.ts';
import { CopiedState } from './state.ts';

/** Maximum UTF-16 units of a checked text: rendering marks in a longer one blocks the page. */
const CHECKED_LENGTH = 20_000;

export interface CheckedTextProps {
  readonly trace: TextTrace | null;
  /** The base rate; null before the first lookup, or if it cannot be measured. */
  readonly base: BaseRate | null;
}

export function CheckedText({ trace, base }: CheckedTextProps) {
  const { words, kept } = useInstrument();
  const { t } = words;
  const id = useFreshId('check');
  const state = kept(CopiedState);
  const text = state.checked.value;
  const isLong = text.length > CHECKED_LENGTH;
  const asked = text !== '' && !isLong && base !== null ? text : '';
  const [runs, setRuns] = useState<readonly CopiedRun[] | null>(null);
  useEffect(() => {
    let isGone = false;
    if (asked === '' || trace === null) setRuns(null);
    else {
      void state
        .ask(trace, (trainer) => trainer.trace(asked))
        .then((traced) => {
          if (!isGone) setRuns(traced?.runs ?? null);
        });
    }
    return () => {
      isGone = true;
    };
  }, [asked, trace, base]);
  return (
    <>
      <label for={id} class="field-label">
        {t('copied.check')}
      </label>
      <textarea
        id={id}
        ref={asTyped}
        rows={3}
        value={text}
        onInput={({ currentTarget }) => {
          state.checked.value = currentTarget.value;
        }}
      />
      <p class="note" role="status">
        {runs === null || base === null ? '' : verdictOf(runs, base, words)}
      </p>
      {text === '' || base === null ? null : (
        <p class="written" translate={false} dir="auto" data-part="copied-found">
          <Written
            text={isLong ? t('copied.check.long', { most: CHECKED_LENGTH }) : text}
            isMarked={!isLong}
          />
        </p>
      )}
    </>
  );
}

function verdictOf(runs: readonly CopiedRun[], base: BaseRate, words: AllWords): string {
  const { t } = words;
  const chance = runs.filter((run) => chanceOf(run, base) !== null).length;
  const count = runs.length - chance;
  const said = [
    count > 0 ? t('copied.check.some', { count }) : '',
    chance > 0 ? t('copied.check.lines', { count: chance }) : '',
    runs.length === 0 ? t('copied.check.none') : '',
  ];
  return sentences(said, words);
}
