/** Exports the results of a run to JSON and CSV, with all digits. */
import type { MemorisedData } from './memorised.ts';
import type { Found } from './state.ts';
import type { OwnLoss } from './own-loss.ts';

/** The measured run, and its figures that need no index of the text. */
export interface FoundRun {
  /** The run's receipt as JSON. */
  readonly receipt: string;
  /** SHA-256 of the training text. */
  readonly textKey: string;
  /** The model's loss, to compare with the tables; null before the first measurement. */
  readonly model: OwnLoss | null;
  readonly memorised: Pick<MemorisedData, 'points' | 'prompts' | 'documents'>;
}

/** Receipt members that identify the run. `step` is left out: each figure has its own. */
const MADE_OF = ['line', 'preset', 'options', 'changes', 'imported', 'text_hash', 'text_bytes'];

/** The units of `nats` and `bits`. */
const UNITS = { nats: 'per token', bits: 'per character' };

/**
 * The text that the tables are scored on. "left-out": the training text; for each scored token, the
 * tables do not count this occurrence of it.
 */
const measuredOn = (heldOut: boolean): string => (heldOut ? 'held-out' : 'left-out');

/** The base rate. `lines` is NaN (null in JSON, empty in CSV) if sequences are not lines. */
const baseOf = ({ base }: Found, { memorised }: FoundRun): Found['base'] =>
  base && { ...base, lines: memorised.documents ? base.lines : NaN };

/** Exports all results as JSON. */
export function foundJson(found: Found, run: FoundRun): string {
  const { newest, yardsticks } = found;
  const { receipt, textKey, model } = run;
  const { prompts, points } = run.memorised;
  const told = JSON.parse(receipt) as Readonly<Record<string, unknown>>;
  const texts = newest?.texts.map((text, at) => ({ text, runs: newest.runs[at] ?? [] })) ?? [];
  const file = {
    run: { ...Object.fromEntries(MADE_OF.map((key) => [key, told[key]])), text_sha256: textKey },
    step: newest?.step ?? 0,
    base: baseOf(found, run),
    texts,
    yardsticks: yardsticks && {
      of: measuredOn(yardsticks.heldOut),
      units: UNITS,
      ...yardsticks,
      model,
    },
    memorised: { prompts, points },
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Columns of the CSV. `row` is the kind of the row; cells unused by a kind are empty. */
const COLUMNS = [
  'row',
  'step',
  'text',
  'start',
  'end',
  'characters',
  'is_line',
  'count',
  'line',
  'place',
  'part',
  'of',
  'order',
  'nats',
  'bits',
  'share',
  'tokens',
] as const;

type Value = string | number | boolean | undefined;
type Row = Partial<Record<(typeof COLUMNS)[number], Value>>;

/**
 * Exports all results as CSV. Kinds of rows:
 * `part`: a match with the training text;
 * `base`: the base rate (`share` of lines);
 * `table` and `model`: a loss (a table's on `tokens` tokens);
 * `memorised`: per step and part of the text, the `share` of `count` prompts, of at most `tokens`
 * tokens each, that the model continued word for word.
 */
export function foundCsv(found: Found, run: FoundRun): string {
  const { newest, yardsticks } = found;
  const base = baseOf(found, run);
  const { model } = run;
  const { step } = newest ?? {};
  const { points, prompts } = run.memorised;
  const parts = (newest?.runs ?? []).flatMap((runs, at) =>
    runs.map((run) => {
      const part = newest?.texts[at]?.slice(run.start, run.end) ?? '';
      return { ...run, row: 'part', step, text: at + 1, is_line: run.isLine, part };
    }),
  );
  const { heldOut = false, targets: tokens, yardsticks: tables = [] } = yardsticks ?? {};
  const rows: readonly Row[] = [
    ...parts,
    ...(base ? [{ ...base, row: 'base', share: base.lines }] : []),
    ...tables.map((table) => ({ ...table, row: 'table', of: measuredOn(heldOut), tokens })),
    ...(model ? [{ ...model, row: 'model' }] : []),
    ...points.flatMap(({ step, train, heldOut: held }) => {
      const row = { row: 'memorised', step, tokens: prompts.tokens };
      const of = (of: string, share: number, count: number): Row[] =>
        count > 0 ? [{ ...row, of, share, count }] : [];
      return [...of('training', train, prompts.train), ...of('held-out', held, prompts.heldOut)];
    }),
  ];
  const lines = rows.map((row) => COLUMNS.map((name) => cell(row[name])).join(','));
  const table = [COLUMNS.join(','), ...lines, ''].join('\r\n');
  // Excel reads letters beyond ASCII as UTF-8 only after a byte order mark.
  return /[^\0-\x7f]/.test(table) ? `\ufeff${table}` : table;
}

/** Formats a cell, quoted if RFC 4180 requires it. */
function cell(value: Value): string {
  if (value === undefined || Number.isNaN(value)) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
