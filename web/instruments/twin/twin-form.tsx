/**
 * The form of a twin: the setting that differs, and its value. Suggests a value other than that of
 * the shown run, and shows errors.
 */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { withChange } from '../../engine/options.ts';
import { setting } from '../../i18n/numbers.ts';
import { NumberText } from '../../kit/number-box.tsx';
import type { NumberTextProps } from '../../kit/number-box.tsx';
import { readNumber } from '../../kit/read-number.ts';
import { useFreshId } from '../../kit/use-id.ts';
import { messageOf } from '../../store/messages.ts';
import { useInstrument } from '../component.tsx';
import { mistakeOf, otherValue, twinOptions } from './twin-options.ts';
import type { TwinOption } from './twin-options.ts';

/** The setting offered first, because its effect is easy to guess. */
const FIRST = 'lr';

/** Input, and the settings of the run for which it was typed. */
interface Draft {
  /** The run's options and values, as JSON. When they change, a suggestion replaces the draft. */
  readonly offered: string;
  readonly text: string;
  /** Whether the input was invalid. */
  readonly isWrong: boolean;
}

/** Value of the last requested twin. */
interface Tried {
  readonly name: string;
  readonly value: number;
  /** Whether a rendering has found the twin in training. */
  began: boolean;
}

export interface TwinFormProps {
  /** Called before the training of a twin begins. */
  readonly onBegin: () => void;
  /** Rendered between the form and its status. */
  readonly children: ComponentChildren;
}

export function TwinForm({ onBegin, children }: TwinFormProps) {
  const { words, session, actions } = useInstrument();
  const { t } = words;
  const [optionId, valueId] = [useFreshId('twin-option'), useFreshId('twin-value')];
  const statusId = useFreshId('twin-status');
  const [chosen, choose] = useState(FIRST);
  const [draft, setDraft] = useState<Draft | null>(null);
  /** Whether the value was edited since a twin was last requested. */
  const [isEdited, setEdited] = useState(false);
  const tried = useRef<Tried | null>(null);

  const now = session();
  const isBusy = now?.run?.state === 'running';
  const options = now === null ? [] : twinOptions(now, words);
  const offered = JSON.stringify(options);
  const one = [chosen, FIRST].flatMap((wish) => options.find(({ name }) => name === wish) ?? [])[0];
  const option = one ?? options[0];
  const stays = staysTried(tried, option, now?.run?.state ?? null);
  const entered = draft?.offered === offered || stays ? draft : null;
  const text = entered?.text ?? (option === undefined ? '' : String(otherValue(option)));
  const value = readNumber(text);

  const whyNot = (number: number): string => {
    if (option === undefined || now === null) return '';
    if (number === option.value) return t('twin.alike', { name: option.title });
    return mistakeOf(option, number, now, words);
  };
  const wrong = entered?.isWrong === true ? whyNot(value) : '';
  const enter = (typed: string): void => {
    if (option === undefined || now === null) return;
    // The run's own value is not an error while the reader edits.
    const isWrong = mistakeOf(option, readNumber(typed), now, words) !== '';
    setEdited(true);
    setDraft({ offered, text: typed, isWrong });
  };
  const submit = (form: HTMLFormElement): void => {
    if (option === undefined || now === null || isBusy) return;
    // Reads the field itself: the last input may not be rendered yet.
    const field = form.elements.namedItem(valueId) as HTMLInputElement | HTMLSelectElement;
    const wanted = readNumber(field.value);
    const isWrong = whyNot(wanted) !== '';
    setDraft({ offered, text: field.value, isWrong });
    if (isWrong) {
      field.focus();
      return;
    }
    tried.current = { name: option.name, value: wanted, began: false };
    setEdited(false);
    onBegin();
    actions.onTwin(withChange(now.table, now.madeRecipe, option.name, wanted));
  };

  const error = now?.twinError ?? now?.error ?? null;
  const isOld = wrong !== '' || isEdited || error === null;
  const mistake = isOld ? wrong : messageOf(error, words);
  // A learning rate of 0 would waste a long training.
  const hint = option?.name === 'lr' && value === 0 ? t('twin.still') : '';
  const field = { id: valueId, text, isInvalid: wrong !== '', describedBy: statusId };
  return (
    <>
      <form
        class="twin-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <label for={optionId}>{t('twin.option')}</label>
        <select
          id={optionId}
          value={option?.name ?? ''}
          onChange={({ currentTarget }) => {
            tried.current = null;
            choose(currentTarget.value);
            setDraft(null);
          }}
        >
          {options.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        <label for={valueId}>{t('twin.value')}</label>
        <span>
          {option === undefined ? null : (
            <ValueField key={option.name} option={option} {...field} onText={enter} />
          )}
        </span>
        <span class="muted">
          {option === undefined ? '' : t('twin.now', { value: valueName(option) })}
        </span>
        <button
          type="submit"
          class="primary"
          disabled={option === undefined}
          // A disabled button would lose the focus, and could not lead to the error.
          aria-disabled={wrong !== '' || isBusy}
        >
          {t('twin.go')}
        </button>
      </form>
      {children}
      <p id={statusId} class={mistake === '' ? 'note' : 'note error'} role="status">
        {mistake !== '' ? mistake : isBusy ? t('twin.busy') : hint}
      </p>
    </>
  );
}

/**
 * Whether the requested value stays in the field: until the twin's training is over. Before it
 * begins, nothing trains either, so `began` distinguishes the two states.
 */
function staysTried(
  tried: { current: Tried | null },
  option: TwinOption | undefined,
  state: string | null,
): boolean {
  const { current } = tried;
  if (option?.name !== current?.name || option?.value !== current?.value) return false;
  if (current === null) return false;
  const isBusy = state === 'running';
  current.began ||= isBusy;
  const isOver = !isBusy && (current.began || state === 'finished' || state === 'diverged');
  if (isOver) tried.current = null;
  return !isOver;
}

/** Name of the option's value in the run. */
function valueName({ choices, value }: TwinOption): string {
  return choices.find((choice) => choice.value === value)?.text ?? setting(value);
}

interface ValueFieldProps extends NumberTextProps {
  readonly option: TwinOption;
}

function ValueField(props: ValueFieldProps) {
  const { id, option, text, onText, isInvalid, describedBy } = props;
  if (option.choices.length === 0) return <NumberText {...props} />;
  const others = option.choices.filter(
    ({ value }) => value !== option.value || String(value) === text,
  );
  return (
    <select
      id={id}
      value={text}
      aria-describedby={describedBy}
      aria-invalid={isInvalid}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
    >
      {others.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.text}
        </option>
      ))}
    </select>
  );
}
