/** What the check-up of a text says, and how each thing can be mended with one press. */
import { choiceOf, valueOf } from '../../../engine/options.ts';
import { sentences } from '../../../i18n/index.ts';
import type { AllWords } from '../../../i18n/index.ts';
import { widthTwin } from '../../../base/width-twin.ts';
import { characterLabel, spokenLabel, widthName } from '../../../data/attention-data.ts';
import type { Session } from '../../../store/training/session.ts';
import type { Change } from './change.ts';
import { leakedLines } from './examine.ts';
import type { Findings } from './examine.ts';
import { stepOperations } from '../../../store/training/pace.ts';
import type { Speeds } from '../../../store/training/pace.ts';
import type { Mend, Remedy } from './remedy.ts';

export interface Advice {
  readonly id: string;
  /** Whether there is something to mend or to watch, rather than only to know. */
  readonly look: boolean;
  /** In one line. */
  readonly text: string;
  /** What it does, or comes from, for those who want to know. */
  readonly why?: string;
  /** What is named in full, one line each, for the same. */
  readonly more?: readonly string[];
  readonly remedies: readonly Remedy[];
  /** The first place that the remedy of the text changes: before and after. */
  readonly example?: string;
}

/** What is to be run, as far as advice depends on it. */
export type Wanted = Pick<Session, 'table' | 'recipe' | 'plan' | 'model' | 'leavesModel'>;

/** What advice is given on, as it was at one time. */
export interface Checked {
  readonly findings: Findings;
  /** Whether all of the text was looked at: only then can the text itself be mended. */
  readonly whole: boolean;
  readonly session: Wanted;
  /** Speeds measured on this machine. */
  readonly speeds: Speeds;
  /** Steps a second of the run under way, if these are its settings; null if not. */
  readonly pace: number | null;
}

/** In fewer characters than this nothing occurs often, and a model learns nothing but them. */
const FEWEST_CHARACTERS = 100;
/** Rare characters that are named at once, and on request. */
const NAMED = 3;
const LISTED = 40;
/**
 * A run that reads the text more often than this, with few tokens for each parameter, recites it.
 */
const MANY_READINGS = 10;

/**
 * Everything worth saying: what needs something first, then what is to be known, then what is fine.
 */
export function adviceOn(checked: Checked, words: AllWords): Advice[] {
  if (checked.findings.characters === 0) return [];
  const found = [
    ...aboutSigns(checked, words),
    ...aboutLines(checked, words),
    ...aboutRare(checked, words),
    ...aboutRun(checked, words),
  ];
  const needy = found.filter(({ look }) => look);
  return [...needy, ...found.filter(({ look }) => !look), ...aboutFine(checked, needy, words)];
}

/** The one press that mends it, if the text can be mended, and what it changes first. */
function mend(
  kind: Mend,
  { before, after }: Change,
  { whole }: Checked,
  { t }: AllWords,
): Pick<Advice, 'remedies' | 'example'> {
  if (!whole) return { remedies: [] };
  const key = after === '' ? 'doctor.example.gone' : 'doctor.example';
  return {
    remedies: [kind],
    example: t(key, { before: withSigns(before, after), after: withSigns(after, after) }),
  };
}

/**
 * A text with signs for line ends, and for characters that nobody sees and that are not in `kept`.
 */
function withSigns(text: string, kept: string): string {
  return text.replaceAll(/(?! )[\p{Z}\p{C}]/gu, (one) => {
    if (one === '\n') return characterLabel(one);
    return kept.includes(one) ? one : `⟨${characterLabel(one)}⟩`;
  });
}

/** Characters that were lost, that nobody sees, or that are in pieces. */
function aboutSigns(checked: Checked, words: AllWords): Advice[] {
  const { lost, hidden, pieces } = checked.findings;
  const { t, number } = words;
  const advice: Advice[] = [];
  if (lost > 0) {
    const why = t('doctor.lost.why', { sign: nameOf('\ufffd', words) });
    const text = t('doctor.lost', { count: number(lost) });
    advice.push({ id: 'lost', look: true, text, why, remedies: [] });
  }
  if (hidden !== null) {
    const values = { count: number(hidden.count), example: nameOf(hidden.example, words) };
    const said = { text: t('doctor.hidden', values), why: t('doctor.hidden.why') };
    advice.push({
      ...{ id: 'hidden', look: true, ...said },
      ...mend('hidden', hidden.change, checked, words),
    });
  }
  if (pieces !== null) {
    const { count, change, both } = pieces;
    const values = { count: number(count), example: nameOf(change.after, words) };
    // Both look the same: what is in pieces is shown in pieces.
    const before = Array.from(change.before, characterLabel).join(' ');
    advice.push({
      ...{ id: 'pieces', look: true, text: t('doctor.pieces', values) },
      why: t(both ? 'doctor.pieces.both' : 'doctor.pieces.why'),
      ...mend('pieces', { before, after: change.after }, checked, words),
    });
  }
  return advice;
}

/** Dates beside messages, and lines that repeat others. */
function aboutLines(checked: Checked, words: AllWords): Advice[] {
  const { findings, whole, session } = checked;
  const { t, number } = words;
  const advice: Advice[] = [];
  if (findings.stamps !== null) {
    const { count, change } = findings.stamps;
    const said = {
      text: t('doctor.stamps', { count: number(count) }),
      why: t('doctor.stamps.why'),
    };
    advice.push({ id: 'stamps', look: true, ...said, ...mend('stamps', change, checked, words) });
  }
  const byLine = isByLine(session);
  const repeated = byLine ? findings.duplicates : findings.repeats.length;
  if (repeated > 0) {
    const kind = byLine ? 'duplicates' : 'repeats';
    const heldOut = valueOf(session.table, session.recipe, 'validation');
    const leaked =
      whole && session.plan?.hasValidation === true ? leakedLines(findings, heldOut, byLine) : 0;
    const key = byLine ? 'doctor.leak.likely' : 'doctor.leak';
    const why = [t(`doctor.${kind}.why`), leaked > 0 ? t(key, { count: leaked }) : ''];
    const change = { before: findings.firstDuplicate, after: '' };
    // A refrain, or a line of a program, belongs where it is repeated.
    const canRemove = byLine && findings.isList;
    advice.push({
      ...{ id: 'duplicates', look: true, why: sentences(why, words) },
      text: t(`doctor.${kind}`, { count: number(repeated) }),
      ...(canRemove ? mend('duplicates', change, checked, words) : { remedies: [] }),
    });
  }
  return advice;
}

function isByLine({ table, recipe }: Pick<Wanted, 'table' | 'recipe'>): boolean {
  return choiceOf(table, recipe, 'sequences') === 'documents';
}

function nameOf(text: string, words: AllWords): string {
  return spokenLabel({ kind: 'text', text, hex: '' }, words);
}

/** Whether characters are tokens: the vocabulary of an opened model does not depend on the text. */
function readsCharacters({ table, recipe, model }: Wanted): boolean {
  return choiceOf(table, recipe, 'tokenizer') === 'char' && model === null;
}

/** Characters that are too rare to be learned. */
function aboutRare(checked: Checked, words: AllWords): Advice[] {
  const { t, number } = words;
  const { findings, session } = checked;
  const { rare, common, twins } = findings;
  const isConcerned = rare.length > 0 && findings.characters >= FEWEST_CHARACTERS;
  if (!isConcerned || !readsCharacters(session)) return [];
  const all = new Set([...common, ...rare.map(({ character }) => character)]);
  // If a text has both, such as a comma and a wide one, the name says which of them is meant.
  const name = (character: string): string =>
    (all.has(widthTwin(character)) ? widthName(character, words) : null) ??
    nameOf(character, words);
  const named = rare.map(({ character, count }) =>
    t('doctor.rare.one', { character: name(character), count }),
  );
  const join = (names: readonly string[]): string => names.join(t('list.separator'));
  const left = named.length - LISTED;
  const list = join(named.slice(0, LISTED));
  const [twin] = twins;
  const change = twin === undefined ? null : { before: twin.sign, after: twin.plain };
  const { remedies = [], example = '' } =
    change === null ? {} : mend('rare', change, checked, words);
  return [
    {
      ...{ id: 'rare', look: true, why: t('doctor.rare.why'), example },
      text: t('doctor.rare', { count: number(rare.length), list: join(named.slice(0, NAMED)) }),
      more: named.length > NAMED ? [left > 0 ? t('list.more', { list, count: left }) : list] : [],
      remedies: ['bytes', ...remedies],
    },
  ];
}

/**
 * How much there is to read: where every line is a document, its end only parts it from the next.
 */
function aboutSize(findings: Findings, wanted: Wanted, words: AllWords): Advice {
  const { t, number } = words;
  const ends = findings.lineFeeds;
  const byLine = isByLine(wanted);
  const unread = byLine && ends > 0;
  const text = t(byLine ? 'doctor.size.documents' : 'doctor.size', {
    characters: number(findings.characters - (unread ? ends : 0)),
    lines: findings.lines,
    distinct: number(findings.distinct - (unread ? 1 : 0)),
  });
  return { id: 'size', look: false, text, remedies: [] };
}

/** What was looked for and not found. */
function aboutFine(
  { findings, session }: Checked,
  needy: readonly Advice[],
  { t }: AllWords,
): Advice[] {
  /** What is fine without these findings, if it was looked for. */
  const looked = [
    { key: 'lost', without: ['lost'], was: true },
    { key: 'letters', without: ['hidden', 'pieces'], was: true },
    { key: isByLine(session) ? 'duplicates' : 'repeats', without: ['duplicates'], was: true },
    { key: 'rare', without: [], was: readsCharacters(session) && findings.rare.length === 0 },
  ] as const;
  return looked
    .filter(({ was, without }) => was && !needy.some(({ id }) => without.some((one) => one === id)))
    .map(({ key }) => {
      const text = t(`doctor.fine.${key}`);
      return { id: `fine-${key}`, look: false, text, remedies: [] };
    });
}

/** What to expect of the run. */
function aboutRun({ findings, session, speeds, pace }: Checked, words: AllWords): Advice[] {
  const { t, number, short } = words;
  const { plan, table, recipe } = session;
  const advice: Advice[] = [aboutSize(findings, session, words)];
  if (plan === null) return advice;
  const planned = { plan, table, recipe };
  const steps = valueOf(table, recipe, 'steps');
  const ratio = plan.tokens / plan.parameters;
  const batch = valueOf(table, recipe, 'batch');
  const trained = 1 - valueOf(table, recipe, 'validation');
  // A step reads `batch` whole documents, or windows of a stream.
  const whole = plan.documents > 0 ? plan.documents / batch : plan.tokens / plan.tokensPerStep;
  const readings = steps / (whole * trained);
  const recites = readings > MANY_READINGS && ratio < 1;
  const figures = [
    // Never a fraction with many zeros: the larger of the two is counted for one of the smaller.
    ratio < 1
      ? t('doctor.ratio.token', { count: short(1 / ratio) })
      : t('doctor.ratio.parameter', { count: short(ratio) }),
    t('doctor.readings', { readings: short(readings) }),
  ];
  advice.push({
    id: 'ratio',
    look: recites,
    text: recites ? t('doctor.recites') : sentences(figures, words),
    why: recites ? sentences([t('doctor.recites.why'), ...figures], words) : '',
    remedies: [],
  });
  const operations = stepOperations({ ...planned, lengths: findings.lengths });
  const model = session.leavesModel ? null : session.model;
  // A run that goes on has some of its steps behind it.
  const left = model?.purpose === 'resume' ? Math.max(0, steps - model.facts.step) : steps;
  const seconds = left / (pace ?? speeds.at(operations) / operations);
  const isGuess = pace === null && !speeds.known;
  const expected = {
    loss: number(plan.randomLoss, 2),
    vocab: number(plan.vocab),
    memory: words.bytes(plan.totalBytes),
    time: words.duration(seconds),
    steps: left,
  };
  const key = model === null ? 'doctor.expect' : 'doctor.expect.opened';
  advice.push({
    id: 'expect',
    look: false,
    text: sentences([t(key, expected), t(isGuess ? 'doctor.guessed' : 'doctor.measured')], words),
    remedies: [],
  });
  return advice;
}
