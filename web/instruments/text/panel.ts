/** The text to learn. */
import type { OpenedFile } from './file-line.ts';
import { TextPanel } from './view.ts';
import { sameRecipe } from '../../engine/options.ts';
import { ENCODINGS } from '../../store/text/encodings.ts';
import { explainPlan } from './explain-plan.ts';
import { isAwaited, messageOf, textProblem, textProblemFor } from '../../store/messages.ts';
import { changedText } from '../../store/training/run-name.ts';
import { findSample } from '../../store/text/texts.ts';
import { sentences } from '../../i18n/index.ts';
import type { ReadingChoice } from '../../store/text/decode.ts';
import { panelOf } from '../panel.ts';
import type { PageState } from '../../store/page-state.ts';
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
      const from = broughtNow()?.from;
      if (from !== undefined) actions.onRecipe(from);
    },
  });

  /** Changes a part of the reading; the rest stays as it was found or chosen. */
  function readAs(choice: Partial<ReadingChoice>): void {
    const { reading } = state;
    if (reading !== null) actions.onReadAs({ ...reading, ...choice });
  }

  function openedFile(): OpenedFile {
    const { fileName: name, fileSize, reading } = state;
    const line = name === '' ? '' : words.t('text.file', { name, size: words.bytes(fileSize) });
    if (reading === null)
      return { line, encoding: '', encodings: [], notes: '', ends: '', endsAct: '' };
    const { encoding, candidates, leftOver, unreadable, ends, keepsEnds } = reading;
    const { count } = ends;
    const names = ends.names.join(words.t('list.separator'));
    const notes = [
      leftOver === 0 ? '' : words.t('text.leftOver', { count: leftOver }),
      unreadable === 0 ? '' : words.t('text.unreadable', { count: unreadable }),
    ];
    return {
      ...{ line, encoding, notes: sentences(notes, words) },
      encodings: [...new Set([...candidates, ...ENCODINGS.keys()])].map((id) => ({
        id,
        name: ENCODINGS.get(id) ?? id,
      })),
      ends:
        count === 0 ? '' : words.t(keepsEnds ? 'text.ends.kept' : 'text.ends', { count, names }),
      endsAct: words.t(keepsEnds ? 'text.ends.convert' : 'text.ends.undo'),
    };
  }

  /** The preset that would suit the text better, if any. */
  function suggestion(): string {
    const sample = findSample(state.source);
    const now = session();
    // An opened model keeps its settings.
    if (now === null || now.model !== null || sample === undefined) return '';
    const suited = [sample.preset, ...sample.alsoSuits];
    return suited.includes(now.recipe.preset) ? '' : sample.preset;
  }

  /** What came with the text, as long as it is so. */
  function broughtNow(): PageState['brought'] {
    const { brought, source } = state;
    const now = session();
    if (brought === null || now === null || brought.source !== source) return null;
    return sameRecipe(brought.recipe, now.recipe) ? brought : null;
  }

  /** That the preset is another because of the text, or is not for what was changed. */
  function broughtLine(): string {
    const brought = broughtNow();
    const now = session();
    if (brought === null || now === null) return '';
    const { recipe, table } = now;
    if (brought.stays === true) {
      return words.t('text.brought.stays', { list: changedText(recipe, table, words) });
    }
    if (brought.before !== undefined)
      return words.t('text.brought.not', { preset: brought.before });
    const key = state.source === 'own' ? 'text.brought.back' : 'text.brought';
    return words.t(key, { preset: recipe.preset });
  }

  function keepLabel(): string {
    const from = lesson.lock.has('settings') ? undefined : broughtNow()?.from;
    return from === undefined ? '' : words.t('text.brought.keep', { preset: from.preset });
  }

  let notes: readonly string[] = [];
  /** The text that they are about. */
  let noted = -1;

  const panel = panelOf(view, () => {
    const { source, shown, readOnly, textError } = state;
    const { givenName } = state.own;
    const problem = textProblem(textError, session());
    const plan = session()?.plan ?? null;
    // An impossible setting says nothing of the text: keep its notes in place.
    const isSetting = plan === null && problem === null && (session()?.error ?? null) !== null;
    if (!isSetting || noted !== state.version) {
      notes = explainPlan(state, session(), words);
      noted = state.version;
    }
    const isUnkept = source === 'own' && shown !== '' && state.own.isUnkept;
    view.update({
      source,
      own: givenName === '' ? words.t('text.own') : givenName,
      shown,
      readOnly,
      file: openedFile(),
      notes: [isUnkept ? words.t('text.unkept') : '', ...notes, broughtLine()].filter(Boolean),
      keep: keepLabel(),
      suggestion: suggestion(),
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
