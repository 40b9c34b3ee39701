/**
 * Options of a run as fields: a label, a control, a help text behind a question mark, an error.
 */
import type { ComponentChildren } from 'preact';
import { useReducer, useRef, useState } from 'preact/hooks';
import type { MaybeIdle } from '../base/idle-option.ts';
import type { Words } from '../i18n/index.ts';
import { nudge } from './nudge.ts';
import type { Fits, Nudgeable } from './nudge.ts';
import { NumberText } from './number-box.tsx';
import { readNumber } from './read-number.ts';
import { TermButton } from './term-button.tsx';
import { useFreshId } from './use-id.ts';

/** An option with the facts that its field needs. */
export interface FormOption extends Nudgeable, MaybeIdle {
  readonly group: string;
  /** Whether the field is shown without a request for all options. */
  readonly basic: boolean;
  /** Glossary entry that explains the option; empty for none. */
  readonly term: string;
}

interface FieldProps {
  readonly words: Words;
  readonly option: FormOption;
  /** Error message; empty if the value is valid. */
  readonly error: string;
  /** Whether another field shows the text of this error. */
  readonly isErrorElsewhere?: boolean;
  /** Whether the value was changed and takes effect only in a new run. */
  readonly isPending?: boolean;
  readonly isHidden?: boolean;
}

export interface OptionNumberProps extends FieldProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onBlur?: () => void;
  readonly fits?: Fits;
}

export interface OptionFieldProps extends FieldProps {
  readonly value: number;
  readonly onValue: (value: number) => void;
  readonly fits: Fits;
}

/** A controlled field for an option: the caller keeps the value. */
export function OptionField(props: OptionFieldProps) {
  const { words, option, error, value, onValue } = props;
  const { name, type } = option;
  if (type === 'int' || type === 'real') return <TypedNumber {...props} />;
  return (
    <Row {...props}>
      {(id, errorId) => {
        const attributes = { id, 'aria-describedby': errorId, 'aria-invalid': error !== '' };
        return type === 'bool' ? (
          <input
            {...attributes}
            type="checkbox"
            class="switch"
            checked={value === 1}
            onChange={({ currentTarget }) => onValue(currentTarget.checked ? 1 : 0)}
          />
        ) : (
          <select
            {...attributes}
            value={String(value)}
            onChange={({ currentTarget }) => onValue(Number(currentTarget.value))}
          >
            {option.choices.map((choice, index) => (
              <option key={choice} value={String(index)}>
                {words.find(`choice.${name}.${choice}`) ?? choice}
              </option>
            ))}
          </select>
        );
      }}
    </Row>
  );
}

/**
 * A number field that shows the typed text ("1e", "5,000", nothing) while it parses to `value`, or
 * until the caller has adopted the typed value or the field loses focus.
 */
function TypedNumber({ value, onValue, ...rest }: OptionFieldProps) {
  const typed = useRef({ text: '', isAwaited: false });
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const { current } = typed;
  const isSame = Object.is(readNumber(current.text), value);
  if (isSame) current.isAwaited = false;
  const own = Number.isNaN(value) ? '' : String(value);
  return (
    <OptionNumber
      {...rest}
      text={isSame || current.isAwaited ? current.text : own}
      onText={(text) => {
        typed.current = { text, isAwaited: true };
        redraw(undefined);
        onValue(readNumber(text));
      }}
      onBlur={() => {
        typed.current.isAwaited = false;
      }}
    />
  );
}

/**
 * A controlled number field (the caller keeps the text), with buttons to the next round value,
 * except for seeds.
 */
export function OptionNumber({ text, onText, onBlur, fits, ...row }: OptionNumberProps) {
  const { words, option, error } = row;
  const { t } = words;
  const title = words.find(`option.${option.name}`) ?? option.name;
  const stepper = (direction: 1 | -1, sign: string) =>
    option.name === 'seed' ? null : (
      <button
        type="button"
        class="nudge"
        // Out of the tab order: the arrow keys in the field do the same.
        tabIndex={-1}
        aria-label={t(direction === 1 ? 'settings.larger' : 'settings.smaller', { name: title })}
        onClick={() => onText(String(nudge(option, readNumber(text), direction, fits)))}
      >
        {sign}
      </button>
    );
  return (
    <Row {...row}>
      {(id, errorId) => (
        <span class="stepper">
          {stepper(-1, '−')}
          <NumberText
            id={id}
            class="number"
            option={option}
            fits={fits}
            isInvalid={error !== ''}
            describedBy={errorId}
            text={text}
            onText={onText}
            onBlur={onBlur}
          />
          {stepper(1, '+')}
        </span>
      )}
    </Row>
  );
}

interface RowProps extends FieldProps {
  /** Renders the control with these ids for itself and its error. */
  readonly children: (id: string, errorId: string) => ComponentChildren;
}

function Row(props: RowProps) {
  const { words, option, error, isErrorElsewhere, isPending, isHidden, children } = props;
  const { t } = words;
  const [id, helpId] = [useFreshId('option'), useFreshId('option-help')];
  const errorId = useFreshId('option-error');
  const [isHelping, setHelping] = useState(false);
  const title = words.find(`option.${option.name}`) ?? option.name;
  const help = words.find(`option.${option.name}.help`);
  return (
    <div
      class={`field field-${option.type}${isPending === true ? ' pending' : ''}`}
      data-option={option.name}
      hidden={isHidden}
    >
      <label for={id}>{title}</label>
      {children(id, errorId)}
      {/* After the field in tab order; the style sheet moves the button beside the label. */}
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
            {help}
            {option.term === '' ? null : ' '}
            {option.term === '' ? null : <TermButton id={option.term} text={t('glossary.more')} />}
          </p>
        </>
      )}
      <p id={errorId} class="note error" hidden={error === '' || isErrorElsewhere}>
        {error}
      </p>
    </div>
  );
}
