/** A sampling parameter: its label, field, error and help. */
import { NumberText } from '../../kit/number-box.tsx';
import { FIELDS, mistakeText, samplingOption } from '../../kit/sampling-fields.ts';
import type { NumberField } from '../../kit/sampling-fields.ts';
import { TermButton } from '../../kit/term-button.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { useFirstInstrument } from '../component.tsx';
import type { RequestFields } from '../common/request-fields.ts';

/** Fields below the temperature slider. */
export const ROWS = FIELDS.filter(({ name }) => name !== 'temperature');

interface FieldRowProps {
  readonly field: NumberField;
  readonly fields: RequestFields;
}

export function FieldRow({ field, fields }: FieldRowProps) {
  const { words } = useFirstInstrument();
  const { t } = words;
  const { name, label, help, term } = field;
  const [id, helpId, errorId] = [
    useFreshId('ask'),
    useFreshId('ask-help'),
    useFreshId('ask-error'),
  ];
  const isFit = fields.fits(name);
  return (
    <div class="ask-field">
      <label for={id}>{t(label)}</label>
      <NumberText
        id={id}
        option={samplingOption(name)}
        isInvalid={!isFit}
        describedBy={`${errorId} ${helpId}`}
        text={fields.text(name)}
        onText={(text) => fields.type(name, text)}
      />
      <p id={errorId} class="note error" hidden={isFit}>
        {isFit ? '' : mistakeText(field, words)}
      </p>
      <p class="help">
        <span id={helpId}>{t(help)}</span>
        {term === undefined ? null : ' '}
        {term === undefined ? null : <TermButton id={term} text={t('glossary.more')} />}
      </p>
    </div>
  );
}
