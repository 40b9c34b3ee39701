/** Settings that suit the text: a line with buttons; the reasons unfold below. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ADVICE } from '../../../base/form.ts';
import { canChange } from '../../../store/address/lesson.ts';
import { sameButSeed } from '../../../store/text/fitting.ts';
import type { FitNotice } from '../../../store/text/fitting.ts';
import { KeptFold, panelWith, useInstrument } from '../../component.tsx';
import type { LaterContext } from '../../panel.ts';
import { Treatment } from '../text-check/treatment.ts';
import { fitReasons, fitSummary } from './fit-words.ts';

export const createFit = panelWith(FitLine, 'open');

function FitLine() {
  const context = useInstrument();
  const { words } = context;
  const { t } = words;
  const notice = noticeNow(context);
  const reasons = notice === null ? [] : fitReasons(notice.fit, words);
  const actions = notice === null ? [] : actionsFor(notice, context);
  return (
    <>
      {/* The status region exists before its text, otherwise screen readers would skip it. */}
      <p class="fit-text" role="status">
        {notice === null ? '' : t(`fit.${notice.status}`, { what: fitSummary(notice.fit, words) })}
      </p>
      <Actions actions={actions} />
      {reasons.length === 0 ? null : (
        <KeptFold name="fit.why" kind="fit-why" title={t('fit.why')}>
          {() => (
            <ul>
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          )}
        </KeptFold>
      )}
    </>
  );
}

interface Action {
  readonly label: string;
  readonly act: () => void;
}

function Actions({ actions }: { readonly actions: readonly Action[] }) {
  const box = useRef<HTMLDivElement>(null);
  const hadFocus = box.current?.matches(':focus-within') === true;
  useLayoutEffect(() => {
    const { current } = box;
    if (!hadFocus || current!.matches(':focus-within')) return;
    // The pressed button is gone: focuses the next one.
    (
      current!.querySelector('button') ?? current!.nextElementSibling?.querySelector('button')
    )?.focus();
  }, [actions.map(({ label }) => label).join()]);
  return (
    <div ref={box} class="buttons">
      {actions.map(({ label, act }) => (
        <button key={label} type="button" class="link" onClick={act}>
          {label}
        </button>
      ))}
    </div>
  );
}

/** The notice; null once the offered settings are applied, or the applied ones are changed. */
function noticeNow({ state, session }: LaterContext): FitNotice | null {
  const { fitNotice } = state;
  const now = session();
  if (fitNotice === null || now === null || now.model !== null) return null;
  const isSet = sameButSeed(fitNotice.fit.recipe, now.recipe);
  return isSet === (fitNotice.status !== 'offered') ? fitNotice : null;
}

function actionsFor({ fit, status }: FitNotice, context: LaterContext): Action[] {
  const { words, lesson, actions, kept } = context;
  const { t } = words;
  const found: Action[] = [];
  if (!lesson.lock.has('settings') && status === 'applied') {
    found.push({ label: t('fit.undo'), act: actions.onFitUndo });
  }
  if (!lesson.lock.has('settings') && status === 'offered') {
    found.push({ label: t('fit.use'), act: actions.onFit });
    found.push({ label: t('fit.keep'), act: actions.onFitKeep });
  }
  const hasStamps = fit.reasons.some(({ code }) => code === 'stamps');
  if (ADVICE && hasStamps && canChange(lesson, 'text')) {
    // Applied by the text check, so that its Undo reverts the cure.
    const act = () => void kept(Treatment).apply('stamps', context);
    found.push({ label: t('text-check.fix.stamps'), act });
  }
  return found;
}
