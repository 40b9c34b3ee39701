/** The loss of each token of a text, with the weights of now, as long as somebody looks. */
import { findOption, valueOf } from '../../engine/options.ts';
import { asError } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { Analysis } from '../../engine/trainer.ts';
import { Folds } from '../../kit/folds.ts';
import { TokenPlace } from './token-place.ts';
import { TokenLosses } from './view.ts';
import { watchSight } from '../../kit/in-sight.ts';
import { messageOf } from '../../store/messages.ts';
import { heldOutPart } from '../../store/text/held-out-part.ts';
import { Paced } from '../../kit/paced.ts';
import { shownPlan } from '../../store/training/session.ts';
import { SCORED_LENGTH } from '../../store/address/page-settings.ts';
import type { CreateLaterPanel } from '../panel.ts';

/** Tokens that are analysed at most: more would hold training up for too long. */
const MAX_TOKENS = 800;

/**
 * Whether the last line of `part` is the beginning of a line of the text, and none of its lines.
 */
function isBeginning(part: string, text: string): boolean {
  const last = part.slice(part.lastIndexOf('\n') + 1);
  const has = (line: string): boolean => text.startsWith(line) || text.includes(`\n${line}`);
  const whole = text === last || text.endsWith(`\n${last}`) || has(`${last}\n`);
  return last !== '' && !whole && has(last);
}

export const createTokenLossesPanel: CreateLaterPanel = (container, context) => {
  const { words, state, actions, isDark, session } = context;
  const text = (): string => state.scored ?? state.probe;
  const view = new TokenLosses(container, {
    words,
    folds: context.kept(Folds),
    isDark,
    text: text(),
    place: context.kept(TokenPlace),
    // Elsewhere the address is another page's.
    addressed: context.home === null ? 0 : SCORED_LENGTH,
    onText: (text, typed) => {
      actions.onScored(text, typed);
      update();
    },
    sources: [
      { title: words.t('tokens.source.probe'), text: () => state.probe },
      {
        title: words.t('tokens.source.heldOut'),
        text: () => heldOutPart(session()?.current ?? null),
        why: whyNoneHeldOut,
      },
      { title: words.t('tokens.source.written'), text: written },
    ],
  });
  const sight = watchSight(container, update);
  let shown = text();
  let analysis: Analysis | null = null;
  let error: GlasshouseError | null = null;
  /** What the last question was about: run, step and text. */
  let asked = '';

  const paced = new Paced(async () => {
    const now = session();
    if (now === null || !sight.visible()) return;
    const [question, about] = [wanted(), text()];
    if (question === '' || question === asked) return;
    try {
      // A text from the text to learn; what somebody types is whole.
      const isCut = state.scored === null && isBeginning(about, state.shown);
      const answer = await now.trainer.analyse(about, MAX_TOKENS, isCut);
      [analysis, error] = [answer, null];
    } catch (thrown) {
      error = asError(thrown);
      // An empty field is no mistake worth a red line.
      if (error.code === 'empty') analysis = null;
    }
    asked = question;
    show();
    update();
  });

  /** The prompts to choose from; empty without a model. */
  function wanted(): string {
    const run = session()?.run ?? null;
    if (run === null || run.number < 0) return '';
    return `${String(run.number)} ${String(run.step)} ${text()}`;
  }

  /** What stands in the way of showing held-out text; empty when only time does. */
  function whyNoneHeldOut(): string {
    const { current = null, table = null } = session() ?? {};
    if (current === null || table === null || current.data.hasValidation) return '';
    const known = findOption(table, 'validation') !== undefined;
    const share = known ? valueOf(table, current.recipe, 'validation') : 0;
    return words.t(share > 0 ? 'tokens.heldOut.short' : 'tokens.heldOut.none');
  }

  /** The newest text that the model wrote. */
  function written(): string {
    const now = session();
    const answer = now?.answers.last ?? null;
    if (answer !== null && answer.error === null && answer.text !== '') {
      return answer.prompt + answer.text;
    }
    return now?.run?.samples.at(-1)?.texts.join('\n').trim() ?? '';
  }

  function show(): void {
    view.update({
      tokens: analysis?.tokens ?? null,
      step: analysis?.step ?? 0,
      meanLoss: analysis?.meanLoss ?? NaN,
      scored: analysis?.scored ?? 0,
      omitted: analysis?.omitted ?? 0,
      cut: analysis?.cut ?? 0,
      guessing: shownPlan(session())?.randomLoss ?? 1,
      error: error === null || error.code === 'empty' ? '' : messageOf(error, words),
    });
  }

  function update(): void {
    if (shown !== text()) {
      shown = text();
      view.setField(shown);
      paced.hurry();
    }
    if (!sight.visible()) return;
    show();
    if (wanted() !== asked) paced.request();
  }

  return {
    update,
    resize: () => {
      view.resize();
    },
    destroy: () => {
      paced.destroy();
      sight.destroy();
      view.destroy();
    },
  };
};
