/** The settings that suit the text which the reader put in. */
import { ADVICE } from '../../../base/form.ts';
import { createFitLine } from './view.ts';
import type { FitAction } from './view.ts';
import { Folds } from '../../../kit/folds.ts';
import { Treatment } from '../text-check/treatment.ts';
import { fitReasons, fitSummary } from './fit-words.ts';
import { sameButSeed } from '../../../store/text/fitting.ts';
import type { FitNotice } from '../../../store/text/fitting.ts';
import { canChange } from '../../../store/address/lesson.ts';
import { panelOf } from '../../panel.ts';
import type { CreateLaterPanel } from '../../panel.ts';

export const createFitPanel: CreateLaterPanel = (container, context) => {
  const { words, state, actions, session, lesson } = context;
  const view = createFitLine(container, { words, folds: context.kept(Folds) });

  /** What to say, while it is true of the settings. */
  function noticeNow(): FitNotice | null {
    const { fitNotice } = state;
    const now = session();
    if (fitNotice === null || now === null || now.model !== null) return null;
    const isSet = sameButSeed(fitNotice.fit.recipe, now.recipe);
    return isSet === (fitNotice.status !== 'offered') ? fitNotice : null;
  }

  function actionsFor({ fit, status }: FitNotice): FitAction[] {
    const hasStamps = fit.reasons.some(({ code }) => code === 'stamps');
    const isOffered = hasStamps && canChange(lesson, 'text');
    return [...settingsFor(status), ...(isOffered ? removeStamps : [])];
  }

  /** It can be undone in the text check. */
  const removeStamps: readonly FitAction[] = ADVICE
    ? [
        {
          label: words.t('text-check.fix.stamps'),
          act: () => void context.kept(Treatment).apply('stamps', context),
        },
      ]
    : [];

  function settingsFor(status: FitNotice['status']): FitAction[] {
    if (lesson.lock.has('settings')) return [];
    if (status === 'applied') return [{ label: words.t('fit.undo'), act: actions.onFitUndo }];
    if (status === 'same') return [];
    return [
      { label: words.t('fit.use'), act: actions.onFit },
      { label: words.t('fit.keep'), act: actions.onFitKeep },
    ];
  }

  return panelOf(view, () => {
    const notice = noticeNow();
    view.update(
      notice === null
        ? null
        : {
            text: words.t(`fit.${notice.status}`, { what: fitSummary(notice.fit, words) }),
            reasons: fitReasons(notice.fit, words),
            actions: actionsFor(notice),
          },
    );
  });
};
