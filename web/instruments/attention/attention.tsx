/**
 * Attention on a probe text at the viewed step: the field for the text, a large map of one head,
 * and small maps of all heads. A panel in the column, and an enlarged one in a tab.
 */
import { useRef } from 'preact/hooks';
import { withNumbers } from '../../i18n/index.ts';
import { standAt } from '../../kit/dom.ts';
import { useLoaded } from '../../kit/use-loaded.ts';
import { shows, TAB_SECTION } from '../../store/address/lesson.ts';
import { firstPanelWith, useArrival, useFirstInstrument } from '../component.tsx';
import { ProbeField } from './probe-field.tsx';
import { ColumnView, headName, useShownHead, WideView } from './shown-head.ts';

export const createAttention = firstPanelWith(() => <Attention isWide={false} />);
export const createAttentionWide = firstPanelWith(() => <Attention isWide />);

/** Id of the tab with the enlarged panel. */
const ATTENTION_TAB = 'attention-closer';
/** A step with the longest name, to reserve the height of the title. */
const LONGEST_STEP = 199_500;

function Attention({ isWide }: { readonly isWide: boolean }) {
  const { words, lesson, actions, goTo, kept, container } = useFirstInstrument();
  const { t, number } = words;
  const other = useRef<HTMLButtonElement>(null);
  const shown = useShownHead();
  const { attention, chosen, past, error, lookBack } = shown;
  const heads = useLoaded(() => import('./heads.ts'), attention !== null);
  useArrival((_, at = 0) => {
    // Scrolls after the next frame, which draws the maps above the button and so moves it.
    requestAnimationFrame(() => {
      requestAnimationFrame(() => {
        if (other.current === null) return;
        const end = isWide ? container.querySelector('.map-box .scale-row') : null;
        standAt(other.current, end ?? other.current, at);
        other.current.focus({ preventScroll: true });
      });
    });
  });
  const toOther = shows(lesson, isWide ? 'attention' : TAB_SECTION) ? (
    <button
      ref={other}
      type="button"
      class="link"
      onClick={({ currentTarget }) => {
        const [from, to] = isWide ? [WideView, ColumnView] : [ColumnView, WideView];
        kept(to).row.value = kept(from).row.value;
        const { top } = currentTarget.getBoundingClientRect();
        if (!isWide) actions.onTab(ATTENTION_TAB);
        goTo(isWide ? 'attention' : TAB_SECTION, top);
      }}
    >
      {t(isWide ? 'attention.reduce' : 'attention.enlarge')}
    </button>
  ) : null;
  const head = headName(chosen, words);
  const at = (step: number): string =>
    withNumbers(
      t('attention.head.at', { head, step: t('attention.step', { step: number(step) }) }),
    );
  const grid =
    attention === null || heads === null ? null : (
      <div class="grid-box">
        <heads.HeadGrid attention={attention} chosen={chosen} measures={shown.measures} />
      </div>
    );
  return (
    // The pictures of the previous text stay after an error.
    <div
      class={`${isWide ? 'attention-wide' : 'attention-panel'}${error === '' ? '' : ' of-before'}`}
    >
      {isWide ? null : (
        <>
          <h2>{t('attention.title')}</h2>
          <p class="lead">{t('attention.lead')}</p>
        </>
      )}
      <div class="attention-controls">
        <ProbeField tokens={attention?.tokens ?? null} omitted={shown.omitted} error={error} />
        {attention === null && error === '' ? <p class="muted">{t('attention.empty')}</p> : null}
        {attention !== null && lookBack !== null && attention.step > lookBack ? (
          <p class="note">
            {t('attention.back.from', { step: number(shown.history[0]?.step ?? attention.step) })}
          </p>
        ) : null}
        {isWide ? grid : null}
      </div>
      <div class="attention-large">
        <div class="head-row map-head">
          <h3 data-longest={at(LONGEST_STEP)}>
            <span>{attention === null ? '' : past === null ? withNumbers(head) : at(past)}</span>
          </h3>
          {isWide ? toOther : null}
        </div>
        {attention === null || heads === null ? null : (
          <heads.LargeHead shown={shown} attention={attention} isWide={isWide} enlarge={toOther}>
            {isWide ? null : grid}
          </heads.LargeHead>
        )}
      </div>
    </div>
  );
}
