/** The text to learn. */
import { TextPanel } from './view.ts';
import { explainPlan } from './explain-plan.ts';
import { broughtLine, broughtNow, openedFile, suggestedPreset } from './text-lines.ts';
import { isAwaited, messageOf, textProblem, textProblemFor } from '../../store/messages.ts';
import type { ReadingChoice } from '../../store/text/decode.ts';
import { panelOf } from '../panel.ts';
import type { CreatePanel } from '../panel.ts';

export const createText: CreatePanel = (container, context) => {
  const { words, state, actions, samples, session, lesson } = context;
  const view = new TextPanel(container, {
    words,
    samples: samples.map(({ id }) => ({ id, title: words.t(`text.${id}`) })),
    onSample: actions.onSource,
    onType: actions.onType,
    onFile: actions.onFile,
    onEncoding: (encoding) => {
      readAs({ encoding });
    },
    onEnds: () => {
      readAs({ keepsEnds: state.reading?.keepsEnds === false });
    },
    onDrop: actions.onDrop,
    onSuggestion: actions.onSuggestion,
    onBringBack: actions.onBringBack,
    onKeep: () => {
      const from = broughtNow(state, session())?.from;
      if (from !== undefined) actions.onRecipe(from);
    },
  });

  /** Changes a part of the reading; the rest stays as it was found or chosen. */
  function readAs(choice: Partial<ReadingChoice>): void {
    const { reading } = state;
    if (reading !== null) actions.onReadAs({ ...reading, ...choice });
  }

  function keepLabel(): string {
    const from = lesson.lock.has('settings') ? undefined : broughtNow(state, session())?.from;
    return from === undefined ? '' : words.t('text.brought.keep', { preset: from.preset });
  }

  let notes: readonly string[] = [];
  /** The text that they are about. */
  let noted = -1;

  const panel = panelOf(view, () => {
    const { source, shown, readOnly, textError } = state;
    const { givenName } = state.own;
    const now = session();
    const problem = textProblem(textError, now);
    const plan = now?.plan ?? null;
    // An impossible setting says nothing of the text: keep its notes in place.
    const isSetting = plan === null && problem === null && (now?.error ?? null) !== null;
    if (!isSetting || noted !== state.version) {
      notes = explainPlan(state, now, words);
      noted = state.version;
    }
    const isUnkept = source === 'own' && shown !== '' && state.own.isUnkept;
    const unkept = isUnkept ? words.t('text.unkept') : '';
    view.update({
      source,
      own: givenName === '' ? words.t('text.own') : givenName,
      shown,
      readOnly,
      file: openedFile(state, words),
      notes: [unkept, ...notes, broughtLine(state, now, words)].filter(Boolean),
      keep: keepLabel(),
      suggestion: lesson.lock.has('settings') ? '' : suggestedPreset(state, now),
      replaced: source === 'own' && state.own.isInPlaceOfAnother,
      ofRun: state.own.isOfRun,
      error: problem === null ? '' : messageOf(textProblemFor(problem, lesson), words),
      awaited: problem !== null && isAwaited(problem),
    });
  });
  return {
    ...panel,
    focus: () => {
      view.focus();
    },
  };
};
