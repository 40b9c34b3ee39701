/**
 * Fields of a sampling request. Typed text stays until another instrument, which has the same
 * fields, changes the request.
 */
import { useSignal } from '@preact/signals';
import { fitsSampling } from '../../base/sampling-limits.ts';
import type { PromptRequest } from '../../base/sampling-limits.ts';
import { readNumber } from '../../kit/read-number.ts';
import type { NumberField } from '../../kit/sampling-fields.ts';
import { useFirstInstrument } from '../component.tsx';

type Texts = Readonly<Partial<Record<keyof PromptRequest, string>>>;

export interface RequestFields {
  readonly text: (name: keyof PromptRequest) => string;
  readonly fits: (name: NumberField['name']) => boolean;
  /** The request in the fields; null if a field is invalid. */
  readonly request: () => PromptRequest | null;
  /**
   * Sets the text of a field. If all fields are valid, changes and returns the page's request; else
   * null.
   */
  readonly type: (name: keyof PromptRequest, text: string) => PromptRequest | null;
}

export function useRequestFields(): RequestFields {
  const { state, actions } = useFirstInstrument();
  const typed = useSignal<{ readonly request: PromptRequest; readonly texts: Texts } | null>(null);
  const texts = (): Texts => {
    const isNow = JSON.stringify(typed.value?.request) === JSON.stringify(state.ask);
    return isNow ? (typed.value?.texts ?? {}) : {};
  };
  const request = (): PromptRequest | null => requestOf(state.ask, texts());
  return {
    text: (name) => texts()[name] ?? String(state.ask[name]),
    fits: (name) => fits(name, texts()[name]),
    request,
    type(name, text) {
      const next = { ...texts(), [name]: text };
      const changed = requestOf(state.ask, next);
      typed.value = { request: changed ?? state.ask, texts: next };
      if (changed !== null) actions.onAskChange(changed);
      return changed;
    },
  };
}

function fits(name: NumberField['name'], text: string | undefined): boolean {
  return text === undefined || fitsSampling(name, readNumber(text));
}

function requestOf(request: PromptRequest, texts: Texts): PromptRequest | null {
  const { prompt = request.prompt, ...numbers } = texts;
  const entries = Object.entries(numbers) as [NumberField['name'], string][];
  if (!entries.every(([name, text]) => fits(name, text))) return null;
  const values = entries.map(([name, text]) => [name, readNumber(text)] as const);
  return { ...request, ...Object.fromEntries(values), prompt };
}
