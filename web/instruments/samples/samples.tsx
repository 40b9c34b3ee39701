/**
 * Texts written during training: the text of the shown step in a large font; below it the newest
 * text, the first, and about one for each halving of the steps in between, or all on request.
 */
import { useState } from 'preact/hooks';
import { SITE } from '../../base/form.ts';
import { useFreshId } from '../../kit/use-id.ts';
import { hasUnreadable } from '../../kit/unreadable.ts';
import { hasCut, landmarks } from '../../kit/written.ts';
import { shows } from '../../store/address/lesson.ts';
import { shownSample } from '../../store/timeline.ts';
import { shownTokenizer } from '../../store/training/shown-plan.ts';
import { firstPanelWith, useContainerClass, useFirstInstrument } from '../component.tsx';
import { SampleList } from './sample-list.tsx';
import { useSpoken } from './spoken.ts';

export const createSamples = firstPanelWith(Samples);

function Samples() {
  const { words, session, state, lesson, goTo } = useFirstInstrument();
  const { t } = words;
  const listId = useFreshId('samples');
  const [isWhole, setWhole] = useState(false);
  const now = session();
  const entries = now?.run?.samples ?? [];
  const large = shownSample(now, state.lookedAt);
  const few = landmarks(entries);
  const others = (isWhole ? entries : few).filter(({ step }) => step !== large?.step).reverse();
  const rows = large === undefined ? others : [large, ...others];
  const isEmpty = entries.length === 0;
  const spoken = useSpoken(entries.at(-1), now?.run?.state === 'running');
  useContainerClass('stream', now?.current?.info.documents === false);
  return (
    <>
      <div class="head-row">
        <h2>{t('samples.title')}</h2>
        {entries.length > few.length ? (
          <button
            type="button"
            class="link"
            aria-controls={listId}
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {t(isWhole ? 'samples.fewer' : 'samples.all', { count: entries.length })}
          </button>
        ) : null}
        {SITE && shows(lesson, 'card') && !isEmpty ? (
          <button type="button" class="link" aria-haspopup="dialog" onClick={() => goTo('card')}>
            {t('samples.share')}
          </button>
        ) : null}
      </div>
      {isEmpty ? <p class="muted samples-empty">{t('samples.empty')}</p> : null}
      <SampleList id={listId} rows={rows} run={entries[0]} isWhole={isWhole} />
      {isWhole && entries.length > 1 ? <p class="note">{t('samples.lead')}</p> : null}
      {isWhole && hasCut(rows) ? <p class="note">{t('samples.cut')}</p> : null}
      {/* If tokens are characters, the unreadable ones are those of the text. */}
      {shownTokenizer(now) !== 'char' && rows.some(({ texts }) => texts.some(hasUnreadable)) ? (
        <p class="note">
          <span class="unreadable" aria-hidden="true" /> {t('samples.unreadable')}
        </p>
      ) : null}
      <p class="visually-hidden" role="status">
        {spoken}
      </p>
    </>
  );
}
