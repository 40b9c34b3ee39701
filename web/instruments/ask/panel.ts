/** Writing on from a prompt. */
import { sentences } from '../../i18n/index.ts';
import { Folds } from '../../kit/folds.ts';
import { messageOf } from '../../store/messages.ts';
import { panelOf } from '../panel.ts';
import type { CreatePanel } from '../panel.ts';
import { createAskForm } from './view.ts';

export const createAsk: CreatePanel = (container, context) => {
  const { words, state, actions, session, kept, textMarks } = context;
  const view = createAskForm(container, {
    words,
    textMarks,
    folds: kept(Folds),
    request: state.ask,
    onAsk: (request) => session()?.answers.ask(request),
    onAnother: (request) => session()?.answers.another(request),
    onBack: () => {
      const before = session()?.answers.back();
      // The panel shows the fields as they were then, too.
      if (before) actions.onAskChange({ ...state.ask, ...before.request });
    },
    onStop: () => session()?.answers.cancel(),
    onChange: (request) => {
      shown = request;
      actions.onAskChange(request);
    },
  });
  let shown = state.ask;

  function note(): string {
    const answer = session()?.answers.last ?? null;
    const result = answer?.result ?? null;
    if (answer === null || result === null) return '';
    const { t } = words;
    if (result.cancelled) return t('ask.cancelled');
    if (result.ended && result.tokens <= 1 && answer.text === '') return t('ask.empty');
    const stop = result.ended ? 'ask.ended' : result.limitReached ? 'ask.limit' : 'ask.done';
    const key = result.full ? 'ask.full' : stop;
    const { temperature, seed } = answer.request;
    const text = t(key, { step: result.step, tokens: result.tokens, temperature, seed });
    return sentences(
      [
        text,
        result.refills > 0 ? t('ask.refills', { count: result.refills }) : '',
        answer.again === null ? '' : t(`ask.again.${answer.again}`),
      ],
      words,
    );
  }

  return panelOf(view, () => {
    // Writing step by step has the same fields.
    if (shown !== state.ask) {
      shown = state.ask;
      view.setRequest(shown);
    }
    const answer = session()?.answers.last ?? null;
    view.update({
      prompt: answer?.request.prompt ?? '',
      text: answer?.text ?? '',
      busy: answer?.busy ?? false,
      answered: answer !== null && answer.error === null,
      canGoBack: session()?.answers.hasPassed ?? false,
      note: note(),
      error: answer?.error ? messageOf(answer.error, words) : '',
    });
  });
};
