/**
 * The progress bar of the run, with a slider on it that selects an earlier step to show, among the
 * steps that can be shown, and the buttons beside it.
 */
import { useRef } from 'preact/hooks';
import { ICONS } from '../../kit/dom.ts';
import { Icon } from '../../kit/icon.tsx';
import { Slider } from '../../kit/slider.tsx';
import { keptSteps } from '../../store/timeline.ts';
import { useFirstInstrument } from '../component.tsx';
import type { SliderAction } from '../panel.ts';
import type { RunBar } from './run-bar.ts';

export function Timeline({ bar }: { readonly bar: RunBar }) {
  const { words, actions, sliderActions } = useFirstInstrument();
  const { t, number } = words;
  const { now, run, step, steps, lookedAt } = bar;
  const slider = useRef<HTMLInputElement>(null);
  const kept = run === null ? [] : keptSteps(run);
  const firstStep = now?.lookedAt.firstStep ?? null;
  const shown = lookedAt ?? step;
  const backToNow: SliderAction = {
    name: 'now',
    label: t('run.back.now'),
    short: t('run.back.now.short'),
    icon: ICONS.now,
    onPress: () => {
      // The pressed button disappears, so the focus moves to the slider.
      slider.current?.focus({ preventScroll: true });
      actions.onLookAt(null);
    },
  };
  const buttons = [
    ...(lookedAt === null ? [] : [backToNow]),
    ...Object.values(sliderActions.value).flat(),
  ];
  return (
    <div class="timeline">
      <div class="timeline-bar">
        <progress
          max={1}
          value={steps > 0 ? Math.min(1, step / steps) : 0}
          aria-label={t('run.progress')}
        />
        <Slider
          element={slider}
          label={t('run.back')}
          title={t('run.back.help')}
          max={Math.max(1, steps)}
          value={shown}
          valueText={t('run.back.step', { step: number(shown) })}
          disabled={kept.length < 2 && step <= (firstStep ?? Infinity)}
          onValue={actions.onLookAt}
          onKeyDown={(event) => {
            const to = stepByKey(event.key, shown, kept, firstStep, step / PAGES);
            if (to === undefined) return;
            event.preventDefault();
            actions.onLookAt(to);
          }}
        />
      </div>
      {buttons.map((action) => (
        <button
          key={action.name}
          type="button"
          class="slider-action"
          title={action.label}
          aria-label={action.label}
          aria-expanded={action.isExpanded}
          onClick={action.onPress}
        >
          {action.progress ?? <Icon path={action.icon} />}
          <span class="button-text">{action.short}</span>
        </button>
      ))}
    </div>
  );
}

/** Presses of the page keys through a whole run. */
const PAGES = 20;

/**
 * The step selected by a key. From `firstStep` on, arrow keys move by one step; elsewhere they move
 * between kept steps. Page keys move by `page` steps, and never less than arrow keys. Infinity is
 * the newest step; undefined for other keys.
 */
function stepByKey(
  key: string,
  shown: number,
  kept: readonly number[],
  firstStep: number | null,
  page: number,
): number | undefined {
  const first = Math.min(kept[0] ?? Infinity, firstStep ?? Infinity);
  const before = kept.filter((one) => one < shown).at(-1) ?? first;
  const after = kept.find((one) => one > shown) ?? Infinity;
  const back = firstStep !== null && shown > firstStep ? shown - 1 : before;
  const isBefore = firstStep === null || shown < firstStep;
  const on = isBefore ? Math.min(after, firstStep ?? Infinity) : shown + 1;
  const moves: Readonly<Record<string, number>> = {
    ArrowLeft: back,
    ArrowDown: back,
    PageDown: Math.min(back, shown - page),
    Home: first,
    ArrowRight: on,
    ArrowUp: on,
    PageUp: Math.max(on, shown + page),
    End: Infinity,
  };
  return moves[key];
}
