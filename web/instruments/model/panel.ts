/** Models opened from files and saved to them. */
import type { ErrorFacts } from '../../engine/errors.ts';
import { saidSaved } from '../../kit/download.ts';
import { Folds } from '../../kit/folds.ts';
import type { ModelForm } from './save-model.ts';
import { ModelPanel } from './view.ts';
import { canChange } from '../../store/address/lesson.ts';
import { messageOf, placeOf } from '../../store/messages.ts';
import type { OpenedModel } from '../../store/training/model-files.ts';
import { shownTokenizer } from '../../store/training/session.ts';
import type { Session } from '../../store/training/session.ts';
import { panelOf } from '../panel.ts';
import type { CreatePanel } from '../panel.ts';

export const createModel: CreatePanel = (container, context) => {
  const { words, state, actions, session, lesson, goTo } = context;
  const { t } = words;
  const view = new ModelPanel(container, {
    words,
    folds: context.kept(Folds),
    unfolded: context.home === null,
    onOpen: actions.onModel,
    onPurpose: actions.onPurpose,
    onClose: actions.onClose,
    onSave: actions.onSave,
    onOption: (option) => {
      goTo({ option });
    },
  });
  const say = (error: ErrorFacts | null | undefined): string =>
    error ? messageOf(error, words) : '';

  function factsOf({ facts }: OpenedModel): string {
    const plan = session()?.current?.plan ?? session()?.plan ?? null;
    const parameters = plan?.parameters ?? NaN;
    const size = { parameters, vocab: plan?.vocab ?? NaN };
    return facts.step === 0
      ? t('model.facts', size)
      : t('model.facts.saved', { ...size, step: facts.step });
  }

  /** What was saved of the run that is shown: of another one it would be no word of this model. */
  function savedText(now: Session | null): string {
    const { saved } = state;
    if (saved === null || saved.run !== now?.run?.number) return '';
    return saidSaved(t('model.saved', { name: saved.name, step: saved.step }), words);
  }

  /** The settings that a refused saving asks for others of, if they can be changed here. */
  function refusedFor(error: ErrorFacts | null | undefined): { name: string; title: string }[] {
    if (!error || !canChange(lesson, 'settings')) return [];
    return placeOf(error).options.map((name) => {
      return { name, title: words.find(`option.${name}`) ?? name };
    });
  }

  const panel = panelOf(view, () => {
    const now = session();
    const model = now?.model ?? null;
    view.update({
      opened: model && {
        name: model.name,
        facts: factsOf(model),
        purpose: model.purpose === 'fork' ? 'train' : model.purpose,
        resumable: model.facts.resumable,
        why: say(model.why) || (now?.leavesModel === true ? t('run.changed.chance') : ''),
      },
      busy: now?.opening ?? false,
      error: say(now?.modelError),
      saveError: say(now?.saveError),
      refusedFor: refusedFor(now?.saveError),
      saved: savedText(now),
      forms: now === null ? [] : formsOf(now),
    });
  });
  return { ...panel, focus: () => view.focusSave() };
};

/** What the run can be saved as. */
function formsOf(session: Session): ModelForm[] {
  if (session.run === null) return [];
  const own: ModelForm[] = session.trains ? ['checkpoint', 'weights'] : ['weights'];
  const tokenizer = shownTokenizer(session);
  // transformers has no tokenizer of characters.
  const named = tokenizer !== '' && tokenizer !== 'char';
  const words: ModelForm[] = named ? ['vocab.json', 'merges.txt', 'tokenizer_config.json'] : [];
  return [...own, 'config.json', 'model.safetensors', ...words];
}
