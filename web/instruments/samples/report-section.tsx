/** Report section of texts that the model wrote during training. */
import { Paragraphs } from '../../kit/note.tsx';
import { hasUnreadable, UNREADABLE_SIGN, withUnreadableSigns } from '../../kit/unreadable.ts';
import { hasCut, isCut, landmarks } from '../../kit/written.ts';
import { shownTokenizer } from '../../store/training/shown-plan.ts';
import type { MakeSection } from '../panel.ts';

const SAMPLES_OF_A_STEP = 6;

export const samplesSection: MakeSection = ({ session, words }) => {
  const { t, number } = words;
  const now = session();
  const entries = landmarks(now?.run?.samples ?? []);
  const isUnreadable =
    shownTokenizer(now) !== 'char' && entries.some(({ texts }) => texts.some(hasUnreadable));
  const notes = [
    entries.length === 0 ? t('report.none') : '',
    hasCut(entries) ? t('samples.cut') : '',
    isUnreadable ? `${UNREADABLE_SIGN} ${t('samples.unreadable')}` : '',
  ];
  const body = (
    <>
      <Paragraphs texts={notes} class="muted" />
      {entries.map((entry) => (
        <>
          <p class="muted">{t('samples.step', { step: number(entry.step) })}</p>
          {entry.texts.slice(0, SAMPLES_OF_A_STEP).map((text, at) =>
            text === '' ? (
              <p class="muted">{t('samples.nothing')}</p>
            ) : (
              <p class="written">
                {withUnreadableSigns(text)}
                {isCut(entry, at) ? <span class="muted">…</span> : null}
              </p>
            ),
          )}
        </>
      ))}
    </>
  );
  return { title: 'report.samples', body };
};
