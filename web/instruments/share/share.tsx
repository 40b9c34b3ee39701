/** Builds lessons from the current state, for teachers to paste into course material. */
import { useState } from 'preact/hooks';
import { CopyLink } from '../../kit/copy-link.tsx';
import { docsLang } from '../../i18n/index.ts';
import { linkToPage } from '../../store/address/page-link.ts';
import { panelWith, useInstrument } from '../component.tsx';
import { pageNote } from './carried.ts';
import { keepChoice, recallChoice } from './lesson-choice.ts';
import type { LessonChoice } from './lesson-choice.ts';
import { LessonForm, SnippetForms } from './lesson-form.tsx';
import { Snippet } from './snippet.tsx';

export const createShare = panelWith(Share, 'open');

function Share() {
  const context = useInstrument();
  const { words, state, site } = context;
  const { t } = words;
  const [choice, setChoice] = useState(recallChoice);
  const onChange = (change: Partial<LessonChoice>): void =>
    setChoice((before) => {
      const now = { ...before, ...change };
      keepChoice(now);
      return now;
    });
  const teachersPage =
    site === null ? null : new URL(`docs/${docsLang(words.lang)}/teaching.html`, site).href;
  return (
    <>
      <h3>{t('share.page')}</h3>
      <p class="note">
        <span>{pageNote(context)}</span>
      </p>
      <CopyLink
        words={words}
        look="secondary"
        isOwn={state.source === 'own'}
        version={state.version}
        onLink={() => linkToPage(context)}
      />
      <h3>{t('share.lesson')}</h3>
      <p class="note">
        {t('share.lead')}
        {teachersPage === null ? null : (
          <>
            {' '}
            <a href={teachersPage} target="_blank" rel="noopener">
              {t('share.teachers')}
            </a>
          </>
        )}
      </p>
      <div class="lesson-maker">
        <LessonForm choice={choice} onChange={onChange} />
        <div class="share-result">
          <SnippetForms choice={choice} onChange={onChange} />
          <Snippet choice={choice} />
        </div>
      </div>
    </>
  );
}
