/** Buttons that save the shown model, one per file format, and the result of the last save. */
import { Fragment } from 'preact';
import type { SaveForm } from '../../engine/trainer.ts';
import type { Key } from '../../i18n/index.ts';
import { saidSaved } from '../../kit/download.ts';
import { canChange } from '../../store/address/lesson.ts';
import { messageOf, placeOf } from '../../store/messages.ts';
import { shownTokenizer } from '../../store/training/shown-plan.ts';
import { useFirstInstrument } from '../component.tsx';

const TOKENIZER_FILES = ['vocab.json', 'merges.txt', 'tokenizer_config.json'] as const;

export function SaveModel() {
  const { words, state, session } = useFirstInstrument();
  const { t } = words;
  const now = session();
  if (now === null || now.run === null) return null;
  const { saveError, run, trains } = now;
  const tokenizer = shownTokenizer(now);
  // The Transformers library has no character tokenizer.
  const hasTokenizer = tokenizer !== '' && tokenizer !== 'char';
  const { saved } = state;
  return (
    <div class="save">
      <h3>{t('model.save')}</h3>
      <Forms
        help="model.save.own"
        forms={[...(trains ? (['checkpoint'] as const) : []), 'weights']}
      />
      <Forms
        help="model.save.shared"
        forms={['config.json', 'model.safetensors', ...(hasTokenizer ? TOKENIZER_FILES : [])]}
      />
      {saveError === null ? null : (
        <p class="note error" role="alert" data-part="save-error">
          {messageOf(saveError, words)}
        </p>
      )}
      <RefusedFor />
      <p class="note" role="status" data-part="saved">
        {/* Hidden if the last save was of another run. */}
        {saved?.run === run.number
          ? saidSaved(t('model.saved', { name: saved.name, step: saved.step }), words)
          : ''}
      </p>
    </div>
  );
}

function Forms({ help, forms }: { readonly help: Key; readonly forms: readonly SaveForm[] }) {
  const { words, actions } = useFirstInstrument();
  const { t } = words;
  return (
    <div class="save-group">
      <p class="help">{t(help)}</p>
      <div class="buttons">
        {forms.map((form) => (
          <button key={form} type="button" class="secondary" onClick={() => actions.onSave(form)}>
            {form === 'checkpoint' || form === 'weights' ? t(`model.save.${form}`) : form}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Links to the settings that prevented a save, if the lesson allows changing them. */
function RefusedFor() {
  const { words, session, lesson, goTo } = useFirstInstrument();
  const error = session()?.saveError ?? null;
  const options = error === null ? [] : placeOf(error).options;
  if (options.length === 0 || !canChange(lesson, 'settings')) return null;
  // Outside of the error message, which screen readers announce as a whole.
  return (
    <p class="note">
      {words.t('model.save.refused')}{' '}
      {options.map((option, at) => (
        <Fragment key={option}>
          {at === 0 ? '' : words.t('list.separator')}
          <button type="button" class="link" onClick={() => goTo({ option })}>
            {words.find(`option.${option}`) ?? option}
          </button>
        </Fragment>
      ))}
    </p>
  );
}
