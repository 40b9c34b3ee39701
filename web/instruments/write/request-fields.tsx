/**
 * Fields for the prompt and the sampling parameters, in two forms, because the numbers are beside
 * the candidates that they change.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { fitsSampling } from '../../base/sampling-limits.ts';
import type { PromptRequest } from '../../base/sampling-limits.ts';
import { sentences } from '../../i18n/index.ts';
import { asTyped } from '../../kit/dom.ts';
import { LockedPart } from '../../kit/locked-part.tsx';
import { NumberText } from '../../kit/number-box.tsx';
import { readNumber } from '../../kit/read-number.ts';
import { FIELDS, mistakeText, samplingOption } from '../../kit/sampling-fields.ts';
import type { NumberField } from '../../kit/sampling-fields.ts';
import { SteadyText } from '../../kit/steady-text.tsx';
import { TermButton } from '../../kit/term-button.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { useInstrument, useWords } from '../component.tsx';

const NUMBERS = FIELDS.filter(({ name }) => name !== 'maxTokens');

type Texts = Readonly<Partial<Record<'prompt' | NumberField['name'], string>>>;

export interface RequestFields {
  /** Contents of the fields that the reader has edited. */
  readonly texts: Texts;
  /** Error message; empty if all numbers are valid. */
  readonly mistake: string;
  readonly type: (name: keyof Texts, text: string) => void;
}

/**
 * Updates the page's request with valid input, and calls `onMistake` for invalid input. Input stays
 * until the request changes elsewhere.
 */
export function useRequestFields(onMistake: () => void): RequestFields {
  const { words, state, actions } = useInstrument();
  const typed = useSignal<{ readonly request: PromptRequest; readonly texts: Texts } | null>(null);
  const textsNow = (): Texts => {
    const isNow = JSON.stringify(typed.value?.request) === JSON.stringify(state.ask);
    return isNow ? (typed.value?.texts ?? {}) : {};
  };
  const texts = textsNow();
  const mistakes = NUMBERS.filter(({ name }) => !fits(name, texts));
  return {
    texts,
    mistake: sentences(
      mistakes.map((field) => mistakeText(field, words)),
      words,
    ),
    type(name, text) {
      const next = { ...textsNow(), [name]: text };
      if (NUMBERS.every((field) => fits(field.name, next))) {
        const request = withTexts(state.ask, next);
        typed.value = { request, texts: next };
        actions.onAskChange(request);
      } else {
        typed.value = { request: state.ask, texts: next };
        onMistake();
      }
    },
  };
}

function fits(name: NumberField['name'], { [name]: text }: Texts): boolean {
  return text === undefined || fitsSampling(name, readNumber(text));
}

function withTexts(request: PromptRequest, { prompt = request.prompt, ...numbers }: Texts) {
  const values = Object.entries(numbers).map(([name, text]) => [name, readNumber(text)] as const);
  return { ...request, ...Object.fromEntries(values), prompt };
}

interface FormProps {
  readonly fields: RequestFields;
  /** Called when the reader presses Enter in a field while all numbers are valid. */
  readonly onEnter: () => void;
}

interface RequestFormProps extends FormProps {
  /** CSS classes of the form. */
  readonly kind: string;
  readonly children: ComponentChildren;
}

/** The form of some fields, locked if the lesson locks the request. */
function RequestForm({ kind, fields, onEnter, children }: RequestFormProps) {
  const { words, lesson } = useInstrument();
  return (
    <LockedPart text={lesson.lock.has('ask') ? words.t('app.locked') : ''}>
      <form
        class={kind}
        novalidate
        onSubmit={(event) => {
          event.preventDefault();
          if (fields.mistake === '') onEnter();
        }}
      >
        {children}
      </form>
    </LockedPart>
  );
}

export interface PromptFormProps extends FormProps {
  /** Message of an error of the prompt or the engine; empty for none. */
  readonly mistake: string;
}

export function PromptForm({ mistake, ...props }: PromptFormProps) {
  const { words, state } = useInstrument();
  const { t } = words;
  const { texts, type } = props.fields;
  const [id, noteId] = [useFreshId('write-prompt'), useFreshId('write-note')];
  return (
    <>
      <RequestForm {...props} kind="write-form">
        <div class="write-prompt">
          <label for={id} class="field-label">
            {t('ask.prompt')}
          </label>
          <input
            id={id}
            ref={asTyped}
            type="text"
            placeholder={t('ask.placeholder')}
            aria-describedby={noteId}
            aria-invalid={mistake !== ''}
            value={texts.prompt ?? state.ask.prompt}
            onInput={({ currentTarget }) => type('prompt', currentTarget.value)}
          />
        </div>
      </RequestForm>
      <p id={noteId} class="note error" role="status">
        {mistake}
      </p>
    </>
  );
}

export interface DiceFormProps extends FormProps {
  readonly mistakeId: string;
}

export function DiceForm({ mistakeId, ...props }: DiceFormProps) {
  const { state } = useInstrument();
  const { t } = useWords();
  const { texts, mistake, type } = props.fields;
  return (
    <RequestForm {...props} kind="write-form write-dice">
      {NUMBERS.map(({ name, label, help, term }) => (
        // The field precedes its help in Tab order; CSS puts the label above it.
        <div key={name}>
          <NumberText
            option={samplingOption(name)}
            label={t(label)}
            description={t(help)}
            isInvalid={!fits(name, texts)}
            describedBy={mistakeId}
            text={texts[name] ?? String(state.ask[name])}
            onText={(text) => type(name, text)}
          />
          <span class="field-label" title={t(help)}>
            {term === undefined ? t(label) : <TermButton id={term} text={t(label)} />}
          </span>
        </div>
      ))}
      <SteadyText id={mistakeId} class="note error" role="status">
        {mistake}
      </SteadyText>
    </RequestForm>
  );
}
