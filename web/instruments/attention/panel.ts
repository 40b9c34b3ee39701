/** The maps of attention on the probe text, in the column and, with more room, in a tab. */
import { headStatistics } from '../../engine/head-statistics.ts';
import type { HeadStatistics } from '../../engine/head-statistics.ts';
import type { Attention } from '../../engine/trainer.ts';
import { AttentionPanel } from './view.ts';
import type { AttentionState } from './large-head.ts';
import { Folds } from '../../kit/folds.ts';
import { shows, TAB_SECTION } from '../../store/address/lesson.ts';
import { messageOf } from '../../store/messages.ts';
import { ClearestHead } from '../../store/training/head-habits.ts';
import { shownFile } from '../../store/training/shown-name.ts';
import { sameTokens } from '../../data/attention-data.ts';
import { seenAt, stepLookedAt } from '../../store/timeline.ts';
import { PROBE_TOKENS, suitedProbe } from '../../store/training/probe-choice.ts';
import type { Session } from '../../store/training/session.ts';
import { untrainedHeads } from '../../store/training/untrained-heads.ts';
import { panelOf } from '../panel.ts';
import { PARTS_TAB, PartsState } from '../parts-state.ts';
import type { CreatePanel } from '../panel.ts';

/** The tab with the enlarged map. */
const ATTENTION_TAB = 'attention-closer';

/** How a head is looked at in the column. */
class ColumnState implements AttentionState {
  shape: AttentionState['shape'] = 'map';
  row = -1;
}

/** The same in the tab. */
class WideState extends ColumnState {}

const measured = new WeakMap<object, readonly HeadStatistics[]>();

/** Every head of a probe in plain statistics, computed once. */
function measure(attention: object): readonly HeadStatistics[] {
  let found = measured.get(attention);
  if (found === undefined) {
    // The views hand back what they were given.
    found = headStatistics(attention as Attention);
    measured.set(attention, found);
  }
  return found;
}

/** Probes with that of the step that is looked at among them. */
function withSeen(kept: readonly Attention[], seen: Attention | null = null): readonly Attention[] {
  const first = kept[0];
  if (seen === null || first === undefined || !sameTokens(first.tokens, seen.tokens)) return kept;
  const others = kept.filter(({ step }) => step !== seen.step);
  return [...others, seen].sort((a, b) => a.step - b.step);
}

const create =
  (wide: boolean): CreatePanel =>
  (container, context) => {
    const { words, state, actions, isDark, session, lesson } = context;
    const view = new AttentionPanel(container, {
      words,
      folds: context.kept(Folds),
      runFile: () => shownFile(session(), context.runs),
      isDark,
      probe: state.probe,
      onProbe: actions.onProbe,
      onHead: actions.onHead,
      measure,
      look: context.kept(wide ? WideState : ColumnState),
      wide,
      onWeight: context.offers(PARTS_TAB)
        ? (head, cell) => {
            context.kept(PartsState).askWeight(head, cell);
            actions.onTab(PARTS_TAB);
            context.goTo(TAB_SECTION, 0);
          }
        : null,
      onRead: actions.onWeightRead,
      onOther: shows(lesson, wide ? 'attention' : TAB_SECTION)
        ? (at) => {
            // There the same row is read.
            context.kept(wide ? ColumnState : WideState).row = context.kept(
              wide ? WideState : ColumnState,
            ).row;
            if (!wide) actions.onTab(ATTENTION_TAB);
            context.goTo(wide ? 'attention' : TAB_SECTION, at);
          }
        : null,
    });
    /**
     * What a reader can go back to: not where the run learns another text than the one that is
     * shown, or none.
     */
    function suitedNow(now: Session | null): string {
      if (now?.pending().includes('text') === true || now?.model?.purpose === 'generate') return '';
      const suited = suitedProbe(state);
      return suited === state.probe ? '' : suited;
    }

    let probe = state.probe;
    const panel = panelOf(view, () => {
      // Another text brings a probe text of its own.
      if (probe !== state.probe) {
        probe = state.probe;
        view.setProbe(probe);
      }
      const now = session();
      const run = now?.run ?? null;
      const attention = run?.attention ?? null;
      // A run begun anew has nothing to look back at yet.
      const lookBack = stepLookedAt(state.lookedAt, run);
      const error = run?.attentionError ?? null;
      // An empty field is no mistake worth a red line.
      const silent = error === null || error.code === 'empty';
      view.update({
        head:
          state.head ??
          (run === null || attention === null
            ? { layer: 0, head: 0 }
            : context.kept(ClearestHead).find(run.number, attention, measure(attention))),
        lookBack,
        run: run?.number ?? -1,
        attention,
        history: withSeen(run?.attentions.entries ?? [], seenAt(now, lookBack)?.attention),
        untrained:
          now === null || run === null
            ? 'awaited'
            : untrainedHeads(now, run, () => {
                panel.update();
              }),
        omitted: attention?.omitted ?? 0,
        fits: (now?.current?.info.context ?? 0) > PROBE_TOKENS,
        suited: suitedNow(now),
        error: silent ? '' : messageOf(error, words),
      });
    });
    return {
      ...panel,
      focus: (_, at = 0) => {
        view.enter(at);
      },
    };
  };

export const createAttention = create(false);
export const createAttentionWide = create(true);
