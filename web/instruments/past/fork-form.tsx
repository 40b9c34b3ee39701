/** The form of a fork: a run that continues from a step of the shown run with other options. */
import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { checkValue, findOption } from '../../engine/options.ts';
import type { OptionTable } from '../../engine/options.ts';
import type { AllWords } from '../../i18n/index.ts';
import { readNumber } from '../../kit/read-number.ts';
import { OptionNumber } from '../../kit/option-field.tsx';
import { TickBox } from '../../kit/tick.tsx';
import { messageOf } from '../../store/messages.ts';
import { useInstrument } from '../component.tsx';
import { FORKED } from './fork-values.ts';
import type { Values } from './fork-values.ts';

/** Input of the open form. */
export interface ForkDraft {
  /** Number of the run that the form was opened for. */
  readonly run: number;
  readonly texts: Readonly<Record<string, string>>;
  /** Whether to train from step 0 instead, on the newest text. */
  readonly isAnew: boolean;
  /** Errors by option name; the key `''` holds an error of the whole form. */
  readonly wrong: Readonly<Record<string, string>>;
}

export interface ForkFormProps {
  /** The step to continue from. */
  readonly step: number;
  /** The values of the run at that step; null until they are known. */
  readonly values: Values | null;
  readonly draft: Signal<ForkDraft | null>;
  readonly onFork: (values: Values, isAnew: boolean) => void;
}

export function ForkForm({ step, values, draft, onFork }: ForkFormProps) {
  const { words, session } = useInstrument();
  const { t, number } = words;
  const form = useRef<HTMLFormElement>(null);
  // The fields show the previous values until those of another step are known.
  const shown = useRef(values);
  shown.current = values ?? shown.current;
  const now = session();
  if (draft.value === null || now === null) return null;
  const { texts, isAnew, wrong } = draft.value;
  const change = (changed: Partial<ForkDraft>): void => {
    if (draft.value !== null) draft.value = { ...draft.value, ...changed };
  };
  // Reads the signal instead of `texts`, because two fields may change before the next rendering.
  const type = (name: string, text: string): void => {
    change({ texts: { ...draft.value?.texts, [name]: text }, wrong: {} });
  };
  const hasOtherText = now.pending().includes('text');
  const submit = (): void => {
    if (values === null) return;
    const read = Object.entries(draft.value?.texts ?? {}).map(
      ([name, text]) => [name, readNumber(text)] as const,
    );
    const typed = { ...values, ...Object.fromEntries(read) };
    const begins = isAnew && hasOtherText;
    const mistakes = mistakesOf(typed, values, begins ? null : step, now.table, words);
    change({ wrong: mistakes });
    if (Object.keys(mistakes).length === 0) onFork(typed, begins);
    else {
      const name = FORKED.find((one) => mistakes[one] !== undefined) ?? FORKED[0];
      form.current?.querySelector<HTMLElement>(`[data-option=${name}] input`)?.focus();
    }
  };
  return (
    <form
      ref={form}
      class="past-fork"
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p class="past-with">{t('past.fork.title', { step: number(step) })}</p>
      <div class="past-fields">
        {FORKED.map((name) => {
          const option = findOption(now.table, name);
          return option === undefined ? null : (
            <OptionNumber
              key={name}
              words={words}
              option={option}
              text={texts[name] ?? String(shown.current?.[name] ?? '')}
              onText={(text) => type(name, text)}
              error={wrong[name] ?? ''}
            />
          );
        })}
        <button type="submit" class="primary" disabled={values === null}>
          {t('past.fork.go')}
        </button>
      </div>
      {hasOtherText ? (
        <TickBox isOn={isAnew} onTick={(isOn) => change({ isAnew: isOn })}>
          <span>{t('past.fork.anew')}</span>
        </TickBox>
      ) : (
        <p class="note">{t('past.fork.other')}</p>
      )}
      <p class="note error" role="alert">
        {wrong[''] ?? ''}
      </p>
    </form>
  );
}

/** Errors for `ForkDraft.wrong`; `step` is null if the fork starts from step 0. */
function mistakesOf(
  typed: Values,
  values: Values,
  step: number | null,
  table: OptionTable,
  words: AllWords,
): Record<string, string> {
  const wrong: Record<string, string> = {};
  for (const name of FORKED) {
    const option = findOption(table, name);
    const error = option === undefined ? null : checkValue(option, typed[name] ?? NaN);
    if (error !== null) wrong[name] = messageOf(error, words);
  }
  if (step === null) return wrong;
  if ((typed['steps'] ?? NaN) <= step) {
    const name = words.find('option.steps') ?? 'steps';
    wrong['steps'] ??= words.t('past.fork.steps', { name, step: words.number(step) });
  }
  if (FORKED.every((name) => typed[name] === values[name])) wrong[''] = words.t('past.fork.same');
  return wrong;
}
