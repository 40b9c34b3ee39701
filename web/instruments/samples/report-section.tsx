/** Report section of texts that the model wrote during training. */
import { withControlSigns } from '../../data/attention-data.ts';
import { Paragraphs } from '../../kit/note.tsx';
import { hasBroken, hasCut, isCut, landmarks } from '../../kit/written.ts';
import { shownTokenizer } from '../../store/training/shown-plan.ts';
import type { MakeSection } from '../panel.ts';

const SAMPLES_OF_A_STEP = 6;

export const samplesSection: MakeSection = ({ session, words }) => {
  const { t, number } = words;
  const now = session();
  const entries = landmarks(now?.run?.samples ?? []);
  const isBroken = shownTokenizer(now) !== 'char' && hasBroken(entries);
  const notes = [
    entries.length === 0 ? t('report.none') : '',
    hasCut(entries) ? t('samples.cut') : '',
    isBroken ? t('samples.broken') : '',
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
                {withControlSigns(text)}
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
