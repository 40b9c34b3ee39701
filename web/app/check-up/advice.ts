/** What the check-up of a text says, and how each thing can be mended with one press. */
import { choiceOf, valueOf } from '../../engine/options.ts';
import type { Plan } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import type { AnyKey, AllWords } from '../../i18n/index.ts';
import { widthTwin } from '../../base/width-twin.ts';
import { spokenLabel, widthName } from '../../views/attention-data.ts';
import type { Findings } from './corpus-doctor.ts';
import { hasShortLines, leakedLines, replacementsFor, suitablePreset } from './corpus-doctor.ts';
import { canHoldOut, unheldRemedies, unheldText } from '../held-out.ts';
import type { Session } from '../session.ts';
import { stepOperations } from './pace.ts';
import type { Speeds } from './pace.ts';
import { remedyLabel, takesGarbled } from './remedy.ts';
import type { Mend, OptionRemedy, Remedy } from './remedy.ts';
import type { Western } from './western.ts';

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
}

/** What is to be run, as far as advice depends on it. */
export type Wanted = Pick<Session, 'table' | 'recipe' | 'plan' | 'error' | 'model' | 'leavesModel'>;

/** What advice is given on, as it was at one time. */
export interface Checked {
  readonly findings: Findings;
  /** Whether all of the text was looked at: only then can the text itself be mended. */
  readonly whole: boolean;
  /** Whether all bytes of the text are UTF-8: others look like characters that were lost. */
  readonly valid: boolean;
  /** Those that are not, where they should be read in another encoding. */
  readonly western: Western | null;
  readonly session: Wanted;
  /** Speeds measured on this machine. */
  readonly speeds: Speeds;
  /** Steps a second of the run under way, where these are its settings; null where there is none. */
  readonly pace: number | null;
}

/** In fewer characters than this nothing occurs often, and a model learns nothing but them. */
const FEWEST_CHARACTERS = 100;
/** Rare characters that are named at once, and on request. */
const NAMED = 3;
const LISTED = 40;
/** A run that reads the text more often than this, with few tokens for each parameter, recites it. */
const MANY_READINGS = 10;
const LONGEST_CONTEXT = 256;
/** The share that is offered to be held out. */
const TENTH = 0.1;
/** Fewer untidy places than this share of all characters do no harm. */
const UNTIDY_SHARE = 1 / 2000;

/** Everything worth saying: what needs something first, then what is to be known, then what is fine. */
export function adviceOn(checked: Checked, words: AllWords): Advice[] {
  const { findings } = checked;
  if (findings.characters === 0) return [];
  const found = [
    ...aboutText(checked, words),
    ...aboutFit(checked, words),
    ...aboutHeldOut(checked, words),
    ...aboutRun(checked, words),
  ];
  const needy = found.filter(({ look }) => look);
  return [...needy, ...found.filter(({ look }) => !look), ...aboutFine(checked, needy, words)];
}

function aboutText(checked: Checked, words: AllWords): Advice[] {
  const { findings, whole, valid, western, session } = checked;
  const { t, number } = words;
  const advice: Advice[] = [];
  const look = (id: string, text: string, kind?: Mend, why = ''): void => {
    const earlier = kind === undefined ? null : earlierThan(kind, checked);
    const what = earlier === null ? '' : remedyLabel({ kind: earlier }, words);
    const first = what === '' ? '' : t('doctor.first', { what });
    const remedies = kind === undefined ? [] : mend(kind, checked);
    advice.push({ id, look: true, text: sentences([text, first], words), why, remedies });
  };
  const { duplicates, markup, untidy, narrow, carriageReturns, lineFeeds } = findings;
  const choice = (name: string): string => choiceOf(session.table, session.recipe, name);

  if (findings.garbled !== null) {
    const { count, example } = findings.garbled;
    const [garbled, meant] = example.map((text) => nameOf(text, words));
    const values = { count: number(count), garbled: garbled!, meant: meant! };
    look('garbled', t('doctor.garbled', values), 'garbled', t('doctor.garbled.why'));
  }
  if (findings.lost > 0 && valid) {
    const why = t('doctor.lost.why', { sign: nameOf('\ufffd', words) });
    look('lost', t('doctor.lost', { count: number(findings.lost) }), undefined, why);
  }
  if (western !== null) {
    const [shown, meant] = western.example.map((text) => nameOf(text, words));
    const values = { count: number(western.count), shown: shown!, meant: meant! };
    const why = t('doctor.bytes.western.why');
    look('bytes', t('doctor.bytes.western', values), 'western', why);
  } else if (!valid) look('bytes', t('doctor.bytes'), undefined, t('doctor.bytes.why'));
  if (findings.ruined !== null) {
    const { count, example } = findings.ruined;
    const values = { count: number(count), example: nameOf(example, words) };
    look('ruined', t('doctor.ruined', values), 'ruined', t('doctor.ruined.why'));
  }
  if (findings.hidden !== null) {
    const { count, example } = findings.hidden;
    const values = { count: number(count), example: nameOf(example, words) };
    look('hidden', t('doctor.hidden', values), 'hidden', t('doctor.hidden.why'));
  }
  if (findings.pieces !== null) {
    const { count, example, both } = findings.pieces;
    const values = { count: number(count), example: nameOf(example, words) };
    const why = both ? 'doctor.pieces.both' : 'doctor.pieces.why';
    look('pieces', t('doctor.pieces', values), 'pieces', t(why));
  }
  if (findings.stamps !== null) {
    const { count, example } = findings.stamps;
    const values = { count: number(count), example: nameOf(example, words) };
    look('stamps', t('doctor.stamps', values), 'stamps', t('doctor.stamps.why'));
  }
  if (markup > 0) look('markup', t('doctor.markup', { count: number(markup) }), 'markup');
  if (carriageReturns > 0 && lineFeeds > 0) {
    const counts = { other: number(carriageReturns), lines: number(lineFeeds) };
    look('ends', t('doctor.ends', counts), 'space');
  } else if (untidy > findings.characters * UNTIDY_SHARE) {
    look('space', t('doctor.space', { count: untidy }), 'space', t('doctor.space.why'));
  }
  if (narrow.count > 0) {
    const why = t('doctor.width.why', { list: narrow.marks.join(t('list.separator')) });
    look('width', t('doctor.width', { count: narrow.count }), 'width', why);
  }
  const byLine = choice('sequences') === 'documents';
  const heldOut = valueOf(session.table, session.recipe, 'validation');
  const repeated = byLine ? duplicates : findings.repeats.length;
  if (repeated > 0) {
    const kind = byLine ? 'duplicates' : 'repeats';
    const leaked =
      whole && session.plan?.hasValidation === true ? leakedLines(findings, heldOut, byLine) : 0;
    const key = byLine ? 'doctor.leak.likely' : 'doctor.leak';
    const why = [t(`doctor.${kind}.why`), leaked > 0 ? t(key, { count: leaked }) : ''];
    look(
      'duplicates',
      t(`doctor.${kind}`, { count: number(repeated) }),
      kind,
      sentences(why, words),
    );
  }
  if (findings.sorted && !byLine && heldOut > 0) {
    look('sorted', t('doctor.sorted'), 'sorted', t('doctor.sorted.why'));
  }
  // The vocabulary of an opened model is what it is.
  const hasRare = findings.rare.length > 0 && findings.characters >= FEWEST_CHARACTERS;
  if (hasRare && choice('tokenizer') === 'char' && session.model === null) {
    advice.push(aboutRare(checked, words));
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

/** What is to be mended before it: bytes, which any other change would lose, or garbled characters. */
function earlierThan(kind: Mend, { findings, whole, western }: Checked): Mend | null {
  if (!whole || kind === 'western') return null;
  if (western !== null) return 'western';
  return findings.garbled !== null && takesGarbled(kind) ? 'garbled' : null;
}

/** A setting that would help. */
function option(label: OptionRemedy['label'], name: string, value: number): Remedy {
  return { kind: 'option', name, value, label };
}

/** The one press that mends it, if the text can be mended now. */
function mend(kind: Mend, checked: Checked): Advice['remedies'] {
  return !checked.whole || earlierThan(kind, checked) !== null ? [] : [{ kind }];
}

function nameOf(text: string, words: AllWords): string {
  return spokenLabel({ kind: 'text', text, hex: '' }, words);
}

/** Characters that are too rare to be learned. What a press would do to them can be read before it. */
function aboutRare(checked: Checked, words: AllWords): Advice {
  const { t, number } = words;
  const { findings } = checked;
  const { rare } = findings;
  const list = (names: readonly string[]): string => {
    const shown = names.slice(0, LISTED).join(t('list.separator'));
    const count = names.length - LISTED;
    return count > 0 ? t('list.more', { list: shown, count }) : shown;
  };
  const all = new Set([...findings.common, ...rare.map(({ character }) => character)]);
  // Where a text has both, such as a comma and a wide one, it is said which of them is meant.
  const name = (character: string): string =>
    (all.has(widthTwin(character)) ? widthName(character, words) : null) ??
    nameOf(character, words);
  const named = rare.map(({ character, count }) =>
    t('doctor.rare.one', { character: name(character), count }),
  );
  const some = named.slice(0, NAMED).join(t('list.separator'));
  const why = [t('doctor.rare.why')];
  const more = named.length > NAMED ? [list(named)] : [];
  const replacements = replacementsFor(findings);
  const remedy = replacements.length > 0 ? mend('rare', checked) : [];
  if (remedy.length > 0) {
    const plain = replacements.filter((one) => one.plain !== '');
    const dropped = replacements.filter((one) => one.plain === '');
    const counts = {
      plain: plain.length,
      dropped: dropped.length,
      kept: rare.length - replacements.length,
    };
    const kinds = (['plain', 'dropped', 'kept'] as const).filter((kind) => counts[kind] > 0);
    const does = kinds.map((kind) => t(`doctor.rare.${kind}`, { count: counts[kind] }));
    why.push(t('doctor.rare.replace', { list: does.join(t('list.separator')) }));
    const pairs = plain.map((one) =>
      t('doctor.rare.pair', { plain: name(one.plain), character: name(one.character) }),
    );
    const gone = dropped.map(({ character }) => name(character));
    if (pairs.length > 0) more.push(list(pairs));
    if (gone.length > 0) more.push(t('doctor.rare.gone', { list: list(gone) }));
  }
  const useBytes = option('bytes', 'tokenizer', 0);
  return {
    ...{ id: 'rare', look: true, more },
    text: t('doctor.rare', { count: number(rare.length), list: some }),
    why: sentences(why, words),
    remedies: [useBytes, ...remedy],
  };
}

/**
 * Tokens of the longest line, or a little more: that of BPE has at most one for each of its bytes. All
 * lines that are cut have `cutTokens` beyond the context together: no single one has more.
 */
function longestDocument(
  plan: Plan,
  context: number,
  findings: Findings | null,
  { table, recipe }: Wanted,
): number {
  const byPlan = context + plan.cutTokens;
  if (findings === null) return byPlan;
  const isChar = choiceOf(table, recipe, 'tokenizer') === 'char';
  return Math.min(byPlan, isChar ? findings.longestLine : findings.longestBytes);
}

/** Whether preset and context suit the text. */
function aboutFit({ findings, whole, session }: Checked, words: AllWords): Advice[] {
  // An opened model is what it is.
  if (session.model !== null) return [];
  const { t, number } = words;
  const advice: Advice[] = [];
  const { plan, error, recipe, table } = session;
  const context = (
    id: string,
    key: AnyKey,
    values: Record<string, string>,
    value: number,
  ): void => {
    const remedies = [option('context', 'context', value)];
    advice.push({ id, look: true, text: t(key, values), remedies });
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
  const { conversation } = findings;
  if (byLine !== reads && (byLine || conversation || !hasShortLines(findings))) {
    const other = conversation ? 'doctor.shape.talk' : 'doctor.shape.prose';
    const key = byLine ? 'doctor.shape.list' : other;
    const remedies = [{ kind: 'preset', preset } as const];
    advice.push({ id: 'shape', look: true, text: t(key), why: t(`${key}.why`), remedies });
  }
  return advice;
}

/** A held-out share that comes to nothing, and what would help. */
function aboutHeldOut({ session }: Checked, words: AllWords): Advice[] {
  const { plan, table, recipe, model } = session;
  const text = plan === null ? '' : unheldText({ plan, table, recipe }, words);
  if (plan === null || text === '') return [];
  const wanted = unheldRemedies({ plan, table, recipe });
  const { share, context } = wanted;
  const remedies = [
    ...(share === null ? [] : [option('share', 'validation', share)]),
    // The context of an opened model is what it is.
    ...(context === null || model !== null ? [] : [option('context', 'context', context)]),
  ];
  return [{ id: 'unheld', look: true, text, remedies }];
}

/** How much there is to read: where every line is a document, its end only parts it from the next. */
function aboutSize(findings: Findings, { table, recipe }: Wanted, words: AllWords): Advice {
  const { t, number } = words;
  const ends = findings.lineFeeds + findings.carriageReturns;
  const byLine = choiceOf(table, recipe, 'sequences') === 'documents';
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
  const { table, recipe, plan, model } = session;
  const byLine = choiceOf(table, recipe, 'sequences') === 'documents';
  const readsCharacters = choiceOf(table, recipe, 'tokenizer') === 'char';
  /** What is fine without these findings, where it was looked for. */
  const looked = [
    { key: 'signs', without: ['garbled', 'lost', 'bytes', 'ruined'], was: true },
    { key: 'letters', without: ['hidden', 'pieces'], was: true },
    { key: 'markup', without: ['markup'], was: true },
    { key: 'space', without: ['ends', 'space'], was: true },
    { key: 'width', without: ['width'], was: findings.narrow.wide },
    { key: byLine ? 'duplicates' : 'repeats', without: ['duplicates'], was: true },
    {
      key: 'rare',
      without: ['rare'],
      was: readsCharacters && model === null && findings.rare.length === 0,
    },
    { key: 'cut', without: ['cut'], was: byLine && plan?.cutDocuments === 0 },
    { key: 'shape', without: ['shape'], was: model === null },
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
    remedies:
      recites && !plan.hasValidation && trained === 1 && canHoldOut(planned, TENTH)
        ? [option('hold', 'validation', TENTH)]
        : [],
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
