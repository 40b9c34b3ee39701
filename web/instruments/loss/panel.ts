/** The loss curve of the run, and of earlier ones. */
import { Folds } from '../../kit/folds.ts';
import { LossChart } from './view.ts';
import type { LossState } from '../../data/loss-data.ts';
import { isWorse } from '../../store/training/loss-reading.ts';
import { unheldShown } from '../../store/training/held-out.ts';
import { canChange, TAB_SECTION } from '../../store/address/lesson.ts';
import { lossData } from '../../store/training/loss-data-of.ts';
import { ratesOf } from '../../store/training/rates.ts';
import type { Session } from '../../store/training/session.ts';
import { panelOf } from '../panel.ts';
import type { CreatePanel } from '../panel.ts';

/** The steps that are looked at; null for all. */
class LossPanelState {
  window: LossState['window'] = null;
}

/** A loss of this many times that of guessing is no bad luck: the steps were too large. */
const EXPLODED = 3;

export const createLoss: CreatePanel = (container, context) => {
  const { words, state, actions, session, lesson } = context;
  const looked = context.kept(LossPanelState);
  const view = new LossChart(container, {
    words,
    folds: context.kept(Folds),
    window: looked.window,
    onWindow: (window) => {
      looked.window = window;
    },
    onChoice: actions.onLossChoice,
    onLookAt: actions.onLookAt,
    onShow: (id, shown) => session()?.earlier.show(id, shown),
    onRemove: (id) => session()?.earlier.remove(id),
    onGentler: actions.onGentler,
    onCompare: context.offers('tokens') ? compare : null,
  });
  /** Token by token, the text that training never saw: what the model wrote is one press away. */
  function compare(): void {
    actions.onTab('tokens');
    const show = async (): Promise<void> => {
      const { heldOutPart } = await import('../../store/text/held-out-part.ts');
      const part = heldOutPart(session()?.current ?? null);
      if (part !== '') actions.onScored(part, false);
      context.goTo(TAB_SECTION);
    };
    // Without the network the tab itself says what is missing.
    show().catch(() => {
      context.goTo(TAB_SECTION);
    });
  }

  /**
   * Why the run that is over ended worse than guessing, as far as that can be told and mended here.
   */
  function largeRate(now: Session): ReturnType<typeof ratesOf> {
    const { current } = now;
    if (current?.data.state !== 'finished' || now.pending().length > 0) return null;
    const { history } = current.data;
    const [rates, loss] = [ratesOf(now), history.smoothedLast() ?? NaN];
    if (rates === null || rates.rate <= rates.usual) return null;
    const [random, highest] = [current.plan.randomLoss, history.highest];
    const cameBack = highest > EXPLODED * random && isWorse(loss + 1, random);
    if (!isWorse(loss, random) && !cameBack) return null;
    return canChange(lesson, 'settings') && !lesson.hide.has('rewind') ? rates : null;
  }

  return panelOf(view, () => {
    const now = session();
    const opened = now?.current?.model ?? null;
    view.update({
      ...lossData(now, context.runs, words),
      choice: state.lossChoice,
      marks: context.layers.marks,
      unheld: unheldShown(now, words),
      largeRate: now === null ? null : largeRate(now),
      barred: now !== null && now.error !== null,
      opened: opened === null ? null : { step: opened.facts.step, trains: now?.trains === true },
    });
  });
};
