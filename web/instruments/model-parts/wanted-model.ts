/** The model of the chosen settings, and the effect of each option on its size. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { checkRecipe, fitsRecipe, valueOf } from '../../engine/options.ts';
import { architectureOf } from '../../store/training/architecture.ts';
import type { Architecture, ModelPart } from '../../store/training/architecture.ts';
import type { Session } from '../../store/training/session.ts';

/** Data options that this tab leaves out, because they do not change the architecture. */
export const NOT_OF_THE_MODEL = new Set(['seed', 'validation', 'special_tokens']);

/** Values of all options by name. */
export type Values = Readonly<Record<string, number>>;

export interface WantedModel {
  /** The last valid model; null before the first. */
  readonly model: Architecture | null;
  /** Whether `model` has the current settings. */
  readonly isCurrent: boolean;
  /** Change of the number of parameters if one option is changed; null if unknown. */
  readonly effectOf: (option: string, value: number) => number | null;
}

interface Described {
  /** Key of the described option values and vocabulary size; empty before the first. */
  readonly of: string;
  readonly model: Architecture | null;
  /** Parameter counts by changed option and value; see `keyOf`. */
  readonly counts: ReadonlyMap<string, number>;
}

export function useWantedModel(session: Session, values: Values): WantedModel {
  const [{ of, model, counts }, describe] = useState<Described>({
    of: '',
    model: null,
    counts: new Map(),
  });
  const vocab = useRef(0);
  vocab.current = session.plan?.vocab ?? vocab.current;
  const isKnown = vocab.current > 0 && isModel(session);
  const wanted = isKnown ? JSON.stringify([values, vocab.current]) : '';
  const asked = useRef('');
  useEffect(() => {
    if (wanted === '' || wanted === asked.current) return;
    asked.current = wanted;
    describeModel(session, values, vocab.current).then(
      (described) => {
        if (asked.current === wanted) describe({ ...described, of: wanted });
      },
      // After a failure, the next rendering requests the description again.
      () => {
        if (asked.current === wanted) asked.current = '';
      },
    );
  });
  const isCurrent = model !== null && of === wanted;
  return {
    model,
    isCurrent,
    effectOf: (option, value) => {
      const count = counts.get(keyOf(option, value));
      return isCurrent && count !== undefined ? count - model.parameters : null;
    },
  };
}

async function describeModel(
  session: Session,
  values: Values,
  vocab: number,
): Promise<Omit<Described, 'of'>> {
  const { trainer, recipe } = session;
  const { preset } = recipe;
  const choices = choicesOf(session, values);
  const changed = choices.map(([option, value]) => ({
    preset,
    changes: { ...values, [option]: value },
  }));
  const [described, numbers] = await Promise.all([
    trainer.architecture({ preset, changes: values }, vocab),
    trainer.parameterCounts(changed, vocab),
  ]);
  return {
    model: architectureOf(described, values['tokenizer'] ?? NaN),
    counts: new Map(choices.map((choice, at) => [keyOf(...choice), numbers[at] ?? NaN])),
  };
}

/**
 * Option values of the presets that differ from the current ones. Leaves out options of the data,
 * which can change the vocabulary size.
 */
function choicesOf(
  { table }: Session,
  values: Values,
): (readonly [option: string, value: number])[] {
  return table.options
    .filter(({ group }) => group === 'model')
    .flatMap(({ name, presets }) => [...new Set(presets)].map((value) => [name, value] as const))
    .filter(([name, value]) => values[name] !== value);
}

/** Whether the settings describe a model, even if it is too large to train here. */
function isModel({ error, table, recipe }: Session): boolean {
  if (error !== null && error.code !== 'memory' && error.code !== 'allocation') return false;
  const channels = valueOf(table, recipe, 'channels');
  return checkRecipe(table, recipe) === null && fitsRecipe(table, recipe, 'channels', channels);
}

export function valuesOf({ table, recipe }: Session): Values {
  return Object.fromEntries(table.options.map(({ name }) => [name, valueOf(table, recipe, name)]));
}

function keyOf(option: string, value: number): string {
  return `${option} ${String(value)}`;
}

/** The part with this id; the logits if the model lacks it. */
export function partOf({ before, block, after }: Architecture, part: string): ModelPart {
  const all = [...before, ...block, ...after];
  return all.find(({ id }) => id === part) ?? all.find(({ id }) => id === 'logits')!;
}
