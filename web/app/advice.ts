/** What the check-up of a text says, and how each thing can be mended with one press. */
import { choiceOf, valueOf } from '../engine/options.ts';
import type { Plan } from '../engine/trainer.ts';
import { sentences } from '../i18n/index.ts';
import type { Key, Words } from '../i18n/index.ts';
import { spokenLabel } from '../views/attention-data.ts';
import type { Findings } from './corpus-doctor.ts';
import { SHORT_LINE, leakedLines, replacementsFor, suitablePreset } from './corpus-doctor.ts';
import type { Session } from './session.ts';

/** A change of the text. */
export type Mend = 'duplicates' | 'repeats' | 'rare' | 'space' | 'markup' | 'garbled';

/** A change of the text, or of the settings. */
export type Remedy =
  | { readonly kind: Mend }
  | { readonly kind: 'option'; readonly name: string; readonly value: number }
  | { readonly kind: 'preset'; readonly preset: string };

export interface Advice {
  readonly id: string;
  /** Whether there is something to mend or to watch, rather than only to know. */
  readonly look: boolean;
  readonly text: string;
  readonly remedies: readonly { readonly label: string; readonly remedy: Remedy }[];
}

export interface Checked {
  readonly findings: Findings;
  /** Whether all of the text was looked at: only then can the text itself be mended. */
  readonly whole: boolean;
  readonly session: Session;
  /** Measured floating-point operations a second, or null before anything was measured. */
  readonly speed: number | null;
}

/** Taken until something was measured: a small model on an ordinary laptop. */
const GUESSED_SPEED = 4e9;
/** Rare characters that are named. */
const NAMED = 12;
/** A run that reads the text more often than this, with few tokens for each parameter, recites it. */
const MANY_READINGS = 10;
const LONGEST_CONTEXT = 256;
/** Fewer untidy places than this share of all characters do no harm. */
const UNTIDY_SHARE = 1 / 2000;

/** Tokens of one step: documents are mostly shorter than the context, which `plan` counts. */
function tokensOfStep(plan: Plan, batch: number): number {
  if (plan.documents === 0) return plan.tokensPerStep;
  // Each document has one target more than it has characters: its end.
  return Math.min(plan.tokensPerStep, batch * (plan.tokens / plan.documents + 1));
}

/** Multiplications and additions of one step: forward, and twice as many backward. */
export function stepOperations(plan: Plan, session: Session): number {
  const value = (name: string): number => valueOf(session.table, session.recipe, name);
  // Every parameter twice, and attention over half of the context on average.
  const attention = 6 * value('layers') * value('channels') * value('context');
  return tokensOfStep(plan, value('batch')) * (6 * plan.parameters + attention);
}

/** Everything worth saying, what can be mended first. */
export function adviceOn(checked: Checked, words: Words): Advice[] {
  const { findings } = checked;
  if (findings.characters === 0) return [];
  const found = [
    ...aboutText(checked, words),
    ...aboutFit(checked, words),
    ...aboutRun(checked, words),
  ];
  return [...found.filter(({ look }) => look), ...found.filter(({ look }) => !look)];
}

function aboutText({ findings, whole, session }: Checked, words: Words): Advice[] {
  const { t, number } = words;
  const advice: Advice[] = [];
  const look = (id: string, text: string, ...remedies: Advice['remedies']): void => {
    advice.push({ id, look: true, text, remedies });
  };
  const isGarbled = findings.garbled !== null;
  // Garbled characters are made of odd blanks and signs: what takes these away leaves nothing to mend.
  const mend = (kind: Mend): Advice['remedies'] =>
    whole && !(isGarbled && (kind === 'space' || kind === 'rare'))
      ? [{ label: t(`doctor.fix.${kind}`), remedy: { kind } }]
      : [];
  const label = (text: string): string => spokenLabel({ kind: 'text', text, hex: '' }, words);
  const { rare, duplicates, markup, untidy, carriageReturns, lineFeeds } = findings;
  const choice = (name: string): string => choiceOf(session.table, session.recipe, name);

  if (findings.garbled !== null) {
    const { count, example } = findings.garbled;
    const [garbled, meant] = example;
    const values = { count: number(count), garbled: label(garbled), meant: label(meant) };
    look('garbled', t('doctor.garbled', values), ...mend('garbled'));
  }
  // Bytes that are no UTF-8 look the same here, but are still in the text.
  if (findings.lost > 0 && session.plan?.invalidBytes === 0) {
    look('lost', t('doctor.lost', { count: number(findings.lost), sign: label('\ufffd') }));
  }
  if (markup > 0) look('markup', t('doctor.markup', { count: number(markup) }), ...mend('markup'));
  if (carriageReturns > 0 && lineFeeds > 0) {
    const counts = { other: number(carriageReturns), lines: number(lineFeeds) };
    look('ends', t('doctor.ends', counts), ...mend('space'));
  } else if (!isGarbled && untidy > findings.characters * UNTIDY_SHARE) {
    look('space', t('doctor.space', { count: untidy }), ...mend('space'));
  }
  const byLine = choice('sequences') === 'documents';
  const repeated = byLine ? duplicates : findings.repeats.length;
  if (repeated > 0) {
    const kind = byLine ? 'duplicates' : 'repeats';
    const heldOut = valueOf(session.table, session.recipe, 'validation');
    const leaked =
      whole && session.plan?.hasValidation === true ? leakedLines(findings, heldOut, byLine) : 0;
    const key = byLine ? 'doctor.leak.likely' : 'doctor.leak';
    const says = [
      t(`doctor.${kind}`, { count: number(repeated) }),
      leaked > 0 ? t(key, { count: leaked }) : '',
    ];
    look('duplicates', sentences(says, words), ...mend(kind));
  }
  if (rare.length > 0 && choice('tokenizer') === 'char') {
    const named = (list: readonly string[]): string => {
      const shown = list.slice(0, NAMED).join(t('list.separator'));
      const count = list.length - NAMED;
      return count > 0 ? t('list.more', { list: shown, count }) : shown;
    };
    const list = named(
      rare.map(({ character, count }) =>
        t('doctor.rare.one', { character: label(character), count }),
      ),
    );
    const replacements = replacementsFor(findings);
    const plain = replacements.filter((one) => one.plain !== '');
    const dropped = replacements.filter((one) => one.plain === '');
    // What a press would do to the text is said before it is done.
    const says = [t('doctor.rare', { count: number(rare.length), list })];
    const kept = rare.length - replacements.length;
    if (plain.length > 0) {
      const pairs = plain.map((one) =>
        t('doctor.rare.plain.one', { plain: label(one.plain), character: label(one.character) }),
      );
      says.push(t('doctor.rare.plain', { list: named(pairs) }));
    }
    if (dropped.length > 0) {
      const gone = named(dropped.map(({ character }) => label(character)));
      says.push(t('doctor.rare.dropped', { count: dropped.length, list: gone }));
    }
    if (replacements.length > 0 && kept > 0) says.push(t('doctor.rare.kept', { count: kept }));
    const bytes = { kind: 'option', name: 'tokenizer', value: 0 } as const;
    const useBytes = { label: t('doctor.fix.bytes'), remedy: bytes };
    look(
      'rare',
      sentences(says, words),
      useBytes,
      ...(replacements.length > 0 ? mend('rare') : []),
    );
  }
  if (findings.longLines > 0 && byLine) {
    const { longLines, longestLine } = findings;
    const values = { count: number(longLines), longest: number(longestLine) };
    look('long', t('doctor.long', values));
  }
  if (findings.shortLines > 0 && byLine) {
    look('single', t('doctor.single', { count: number(findings.shortLines) }));
  }
  return advice;
}

/**
 * Tokens of the longest line, or a little more: that of BPE has at most one for each of its bytes. All
 * lines that are cut have `cutTokens` beyond the context together: no single one has more.
 */
function longestDocument(
  plan: Plan,
  context: number,
  findings: Findings | null,
  { table, recipe }: Session,
): number {
  const byPlan = context + plan.cutTokens;
  if (findings === null) return byPlan;
  const isChar = choiceOf(table, recipe, 'tokenizer') === 'char';
  return Math.min(byPlan, isChar ? findings.longestLine : findings.longestBytes);
}

/** Whether preset and context suit the text. */
function aboutFit({ findings, whole, session }: Checked, words: Words): Advice[] {
  // An opened model is what it is.
  if (session.model !== null) return [];
  const { t, number } = words;
  const advice: Advice[] = [];
  const { plan, error, recipe, table } = session;
  const context = (id: string, key: Key, values: Record<string, string>, value: number): void => {
    const label = t('doctor.fix.context', { context: value });
    const remedy = { kind: 'option', name: 'context', value } as const;
    advice.push({ id, look: true, text: t(key, values), remedies: [{ label, remedy }] });
  };
  if (error?.code === 'short') {
    const [tokens = 0] = error.values;
    // A quarter of the text, or what a text of a few tokens can fill.
    const fitting = Math.max(2, Math.floor(tokens / 4));
    if (tokens > fitting) context('short', 'doctor.short', { tokens: number(tokens) }, fitting);
  } else if (plan !== null && plan.cutDocuments > 0) {
    const present = valueOf(table, recipe, 'context');
    // The end of the line is a token, too.
    const needed = longestDocument(plan, present, whole ? findings : null, session) + 1;
    const value = Math.ceil(needed / 8) * 8;
    if (value > present && value <= LONGEST_CONTEXT) {
      context('cut', 'doctor.cut', { count: number(plan.cutDocuments) }, value);
    }
  }
  const preset = suitablePreset(findings);
  const byLine = table.presets.includes('microgpt') && preset === 'microgpt';
  const reads = choiceOf(table, recipe, 'sequences') === 'documents';
  // A few short lines are neither a list nor prose: both ways of reading do.
  if (byLine !== reads && (byLine || findings.longestLine > SHORT_LINE)) {
    const key = byLine ? 'doctor.shape.list' : 'doctor.shape.prose';
    const label = t('text.suggest.use', { preset });
    const remedies = [{ label, remedy: { kind: 'preset', preset } as const }];
    advice.push({ id: 'shape', look: true, text: t(key), remedies });
  }
  return advice;
}

/** What to expect of the run. */
function aboutRun({ findings, session, speed }: Checked, words: Words): Advice[] {
  const { t, number, short } = words;
  const { plan, table, recipe } = session;
  const size = t('doctor.size', {
    characters: number(findings.characters),
    lines: findings.lines,
    distinct: number(findings.distinct),
  });
  const advice: Advice[] = [{ id: 'size', look: false, text: size, remedies: [] }];
  if (plan === null) return advice;
  const steps = valueOf(table, recipe, 'steps');
  const ratio = plan.tokens / plan.parameters;
  const batch = valueOf(table, recipe, 'batch');
  const trained = 1 - valueOf(table, recipe, 'validation');
  // A step reads `batch` whole documents, or windows of a stream.
  const whole = plan.documents > 0 ? plan.documents / batch : plan.tokens / plan.tokensPerStep;
  const readings = steps / (whole * trained);
  const recites = readings > MANY_READINGS && ratio < 1;
  const values = { ratio: short(ratio), readings: short(readings) };
  const hold = { kind: 'option', name: 'validation', value: 0.1 } as const;
  advice.push({
    id: 'ratio',
    look: recites,
    text: t(recites ? 'doctor.ratio.few' : 'doctor.ratio', values),
    remedies:
      recites && !plan.hasValidation && trained === 1
        ? [{ label: t('doctor.fix.hold'), remedy: hold }]
        : [],
  });
  const seconds = (stepOperations(plan, session) * steps) / (speed ?? GUESSED_SPEED);
  const expected = {
    loss: number(plan.randomLoss, 2),
    vocab: number(plan.vocab),
    memory: words.bytes(plan.totalBytes),
    time: words.duration(seconds),
  };
  advice.push({
    id: 'expect',
    look: false,
    text: sentences(
      [t('doctor.expect', expected), t(speed === null ? 'doctor.guessed' : 'doctor.measured')],
      words,
    ),
    remedies: [],
  });
  return advice;
}
