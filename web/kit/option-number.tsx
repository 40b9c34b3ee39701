/**
 * A numeric option of a run, as option-field.ts: its label, its field with buttons to the next
 * round value, its help behind a question mark, its error.
 */
import { useState } from 'preact/hooks';
import type { Words } from '../i18n/index.ts';
import { nudge } from './nudge.ts';
import { NumberText } from './number-box.tsx';
import { readNumber } from './number-field.ts';
import type { FormOption } from './option-field.ts';
import { TermButton } from './term-button.tsx';
import { useFreshId } from './use-id.ts';

export interface OptionNumberProps {
  readonly words: Words;
  readonly option: FormOption;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Empty if nothing is wrong. */
  readonly error: string;
}

export function OptionNumber({ words, option, text, onText, error }: OptionNumberProps) {
  const { t } = words;
  const [id, helpId, errorId] = [
    useFreshId('option'),
    useFreshId('option-help'),
    useFreshId('option-error'),
  ];
  const [isHelping, setHelping] = useState(false);
  const title = words.find(`option.${option.name}`) ?? option.name;
  const help = words.find(`option.${option.name}.help`);
  const stepper = (direction: 1 | -1, sign: string) => (
    <button
      type="button"
      class="nudge"
      // Out of the tab order: the arrow keys in the field do the same.
      tabIndex={-1}
      aria-label={t(direction === 1 ? 'settings.larger' : 'settings.smaller', { name: title })}
      onClick={() => onText(String(nudge(option, readNumber(text), direction)))}
    >
      {sign}
    </button>
  );
  return (
    <div class={`field field-${option.type}`} data-option={option.name}>
      <label for={id}>{title}</label>
      <span class="stepper">
        {stepper(-1, '−')}
        <NumberText
          id={id}
          class="number"
          option={option}
          isInvalid={error !== ''}
          describedBy={errorId}
          text={text}
          onText={onText}
        />
        {stepper(1, '+')}
      </span>
      {/* The keys come to the field first; the style sheet puts the question beside its label. */}
      {help === null ? null : (
        <>
          <button
            type="button"
            class="ask-help"
            aria-expanded={isHelping}
            aria-controls={helpId}
            aria-label={t('settings.about', { name: title })}
            onClick={() => setHelping(!isHelping)}
          >
            ?
          </button>
          <p id={helpId} class="help" hidden={!isHelping}>
            {help}{' '}
            {option.term === '' ? null : <TermButton id={option.term} text={t('glossary.more')} />}
          </p>
        </>
      )}
      <p id={errorId} class="note error" hidden={error === ''}>
        {error}
      </p>
    </div>
  );
}
