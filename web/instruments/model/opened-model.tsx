/** The opened model: its name and facts, and a choice of its purpose. */
import { Segments } from '../../kit/segments.tsx';
import { messageOf } from '../../store/messages.ts';
import type { OpenedModel as Opened } from '../../store/training/model-files.ts';
import { useFirstInstrument } from '../component.tsx';

const PURPOSES = ['resume', 'train', 'generate'] as const;

export function OpenedModel({ model }: { readonly model: Opened }) {
  const { words, session, actions } = useFirstInstrument();
  const { t } = words;
  const now = session();
  const { facts, purpose } = model;
  const plan = now?.current?.plan ?? now?.plan ?? null;
  const size = { parameters: plan?.parameters ?? NaN, vocab: plan?.vocab ?? NaN };
  const chance = now?.leavesModel === true ? t('run.changed.chance') : '';
  const why = model.why ? messageOf(model.why, words) : chance;
  return (
    <div class="opened">
      <div class="head-row">
        <strong data-part="model-name">{model.name}</strong>
        <button type="button" class="link" onClick={actions.onClose}>
          {t('model.close')}
        </button>
      </div>
      <p class="note" data-part="model-facts">
        {facts.step === 0
          ? t('model.facts', size)
          : t('model.facts.saved', { ...size, step: facts.step })}
      </p>
      <fieldset>
        <legend class="visually-hidden">{t('model.purpose')}</legend>
        <Segments
          values={PURPOSES.filter((one) => one !== 'resume' || facts.resumable)}
          value={purpose === 'fork' ? 'train' : purpose}
          textOf={(one) => t(`model.${one}`)}
          onValue={actions.onPurpose}
        />
      </fieldset>
      {why === '' ? null : (
        <p class="note" data-part="model-why">
          {why}
        </p>
      )}
    </div>
  );
}
