/** The fields of the numbers that a draw depends on, for all that write. */
import { SAMPLING_LIMITS } from '../base/sampling-limits.ts';
import type { Key, Words } from '../i18n/index.ts';
import type { Nudgeable } from './nudge.ts';

export interface NumberField {
  readonly name: 'temperature' | 'topK' | 'topP' | 'maxTokens' | 'seed';
  readonly label: Key;
  readonly help: Key;
  /** What explains it further, if anything. */
  readonly term?: string;
}

/** The numbers that a draw depends on. */
export const FIELDS: readonly NumberField[] = [
  {
    name: 'temperature',
    label: 'ask.temperature',
    help: 'ask.temperature.help',
    term: 'temperature',
  },
  { name: 'topK', label: 'ask.topK', help: 'ask.topK.help', term: 'top_k' },
  { name: 'topP', label: 'ask.topP', help: 'ask.topP.help', term: 'top_p' },
  { name: 'maxTokens', label: 'ask.maxTokens', help: 'ask.maxTokens.help' },
  { name: 'seed', label: 'ask.seed', help: 'ask.seed.help', term: 'seed' },
];

/** One of them, as the arrow keys move it. */
export function samplingOption(name: NumberField['name']): Nudgeable {
  const { min, max, whole } = SAMPLING_LIMITS[name];
  return { name, type: whole ? 'int' : 'real', min, max, ladder: 'decades' };
}

/** What is said of a value that does not fit. */
export function mistakeText({ name, label }: NumberField, { t }: Words): string {
  const { min, max, whole } = SAMPLING_LIMITS[name];
  const key = whole ? 'error.number.whole' : 'error.number';
  return t(key, { name: t(label), 0: min, 1: max });
}
