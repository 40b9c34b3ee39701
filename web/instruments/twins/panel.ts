/** Twins: the shown run again with one setting changed, beside the curve of the one that it was. */
import { asError, failure } from '../../engine/errors.ts';
import { findOption, fitsRecipe, valueOf, withChange } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { fairUnit, knownUnit, unitKey } from '../../data/loss-data.ts';
import { bestPossible, ControlLook, SHUFFLED_LENGTH } from './control.ts';
import { TwinPanel } from './view.ts';
import type { TwinPanelData } from './view.ts';
import type { TwinOption } from './twin-form.ts';
import { comparedRuns } from '../../store/training/compared-runs.ts';
import { lossData } from '../../store/training/loss-data-of.ts';
import { canChange } from '../../store/address/lesson.ts';
import { messageOf } from '../../store/messages.ts';
import { shuffled } from '../../store/text/shuffled.ts';
import type { Shuffle } from '../../store/text/shuffled.ts';
import { textKey } from '../../store/text/text-key.ts';
import { valueText } from '../../store/training/run-name.ts';
import type { Session } from '../../store/training/session.ts';
import {
  bytesOfLines,
  isWithout,
  lineNumbers,
  measureLines,
  MOST_LINES,
  WithoutLook,
} from './without.ts';
import { panelOf } from '../panel.ts';
import type { CreateLaterPanel } from '../panel.ts';

/** Settings that make no other model: a twin has the same seed and as many steps. */
const NOT_FOR_TWINS = new Set(['seed', 'steps']);

export const createTwin: CreateLaterPanel = (container, context) => {
  const { words, state, session, runs: kept, actions, lesson, layers } = context;
  const look = context.kept(ControlLook);
  const without = context.kept(WithoutLook);

  /** The run of now once more, on its text in random order. */
  async function shuffle(kind: Shuffle): Promise<void> {
    const now = session();
    if (now === null || now.current === null) return;
    const { madeRecipe, current } = now;
    const text = await actions.readText();
    look.isTooLong = text.length > SHUFFLED_LENGTH;
    if (!look.isTooLong) {
      const seed = valueOf(now.table, madeRecipe, 'seed');
      const made = shuffled(text, kind, current.info.documents, seed);
      const key = await textKey({ content: new Blob([made.text]) });
      look.control = { kind, key, made, back: actions.onMend(made.text) };
      now.tryTwin(madeRecipe);
    }
    panel.update();
  }

  function control(now: Session): TwinPanelData['control'] {
    const offered = canChange(lesson, 'text') && now.current !== null;
    const one = look.of(now.current);
    const long = look.isTooLong ? words.t('twin.control.long', { most: SHUFFLED_LENGTH }) : '';
    if (one === null || now.current === null) return { offered, said: long, hasBefore: false };
    const { documents } = now.current.info;
    const isSame = one.kind === 'lines' && documents;
    const unit = knownUnit(state.lossChoice.unit, now.tokensPerCharacter);
    const best = words.number(bestPossible(one, now.current)[unit], 3);
    const said = words.t(`twin.control.said.${isSame ? 'documents' : one.kind}`, {
      best,
      unit: words.t(unitKey(unit)),
    });
    return { offered, said: long === '' ? said : long, hasBefore: one.back !== null };
  }

  /** The run of now once more, without some lines, which are measured before and after. */
  async function leaveOut(typed: string): Promise<void> {
    const now = session();
    if (now?.run?.state === 'running' || now === null || now.current === null) return;
    const { madeRecipe, trainer } = now;
    const lines = (await actions.readText()).split('\n');
    const numbers = lineNumbers(typed, lines.length);
    const ranges = bytesOfLines(lines, numbers ?? []);
    without.wrong =
      ranges.length === 0 ? 'numbers' : (numbers?.length ?? 0) > MOST_LINES ? 'many' : null;
    if (without.wrong === null && numbers !== null) {
      const chosen = numbers.filter((number) => lines[number - 1]?.trim() !== '');
      const texts = chosen.map((number) => lines[number - 1] ?? '');
      const seen = await measureLines(trainer, texts);
      without.lines = chosen.map((number, at) => ({
        ...{ number, text: texts[at] ?? '', unseen: null },
        seen: seen[at]!,
      }));
      without.ranges = JSON.stringify(ranges);
      without.measured = false;
      now.tryTwin({ ...madeRecipe, leftOut: ranges });
    }
    panel.update();
  }

  /** Measures the twin once it is there. */
  async function measureTwin(now: Session): Promise<void> {
    if (without.measured || now.run?.state !== 'finished') return;
    if (!isWithout(now.current, without.ranges)) return;
    without.measured = true;
    const { lines } = without;
    const unseen = await measureLines(
      now.trainer,
      lines.map(({ text }) => text),
    );
    for (const [at, line] of lines.entries()) line.unseen = unseen[at] ?? null;
    without.lines = [...lines];
    panel.update();
  }

  function withoutData(now: Session): TwinPanelData['without'] {
    const { t } = words;
    // Of a twin that another run took the place of, the figures are of no run that is shown.
    const isShown = isWithout(now.current, without.ranges);
    const isText = now.pending().includes('text');
    const wrong =
      without.wrong === null ? '' : t(`twin.without.${without.wrong}`, { most: MOST_LINES });
    return {
      offered: now.current !== null && now.trains && !isText,
      lines: isShown ? without.lines : [],
      error: wrong,
    };
  }

  /** A newer run took the place of the one that was asked. */
  function fail(thrown: unknown): void {
    if (asError(thrown).code !== 'cancelled') throw thrown;
  }

  layers.set('control', () => {
    const current = session()?.current ?? null;
    const one = look.of(current);
    if (one === null || current === null || one.kind === 'lines') return [];
    return [{ level: bestPossible(one, current), label: words.t('twin.control.level') }];
  });

  const view = new TwinPanel(container, {
    words,
    onTry: (option, value) => {
      const now = session();
      now?.tryTwin(withChange(now.table, now.madeRecipe, option, value));
    },
    onShuffle: (kind) => void shuffle(kind),
    onWithout: (lines) => void leaveOut(lines).catch(fail),
    onBack: () => {
      look.control?.back?.();
      if (look.control !== null) look.control.back = null;
      panel.update();
    },
    unfit: (option, value) => unfit(session(), option, value, words),
    // Half an hour of training would show nothing but that.
    hint: (option, value) => (option === 'lr' && value === 0 ? words.t('twin.still') : ''),
  });
  const panel = panelOf(view, () => {
    const now = session();
    if (now === null) return;
    measureTwin(now).catch(fail);
    const { lossChoice } = state;
    const said = now.twinError ?? now.error;
    const runs = comparedRuns(now, kept, lossChoice.smoothing, words);
    const data = lossData(now, kept, words);
    // Called as in the table beside their curves.
    const names = runs.rows.slice(1).map(({ name }) => name);
    const shown = data.lines.filter((line) => line.shown);
    const lines = shown.map((line, at) => ({ ...line, name: names[at] ?? line.name }));
    const loss = { ...data, lines };
    const unit = fairUnit(lossChoice.unit, loss);
    view.update({
      options: twinOptions(now, words),
      control: control(now),
      without: withoutData(now),
      runs: runs.rows,
      loss,
      look: { ...lossChoice, unit, window: null },
      step: runs.step,
      caution: caution(now, words),
      busy: now.run?.state === 'running',
      ended: now.run?.state === 'finished' || now.run?.state === 'diverged',
      error: said === null ? '' : messageOf(said, words),
    });
  });
  return {
    ...panel,
    destroy: () => {
      layers.set('control', () => []);
      panel.destroy();
    },
  };
};

/** Why a twin with this value could not be beside the other settings of the run; or empty. */
function unfit(now: Session | null, option: string, value: number, words: AllWords): string {
  if (now === null) return '';
  // The engine has the other text already: two things would differ.
  if (now.pending().includes('text')) return words.t('twin.text');
  const { table } = now;
  const of = now.madeRecipe;
  if (fitsRecipe(table, of, option, value)) return '';
  const twin = withChange(table, of, option, value);
  const shared = [valueOf(table, twin, 'channels'), valueOf(table, twin, 'heads')];
  return messageOf(failure('heads', 'heads must divide channels', shared), words);
}

/** Every setting of the run, first those that tell the families apart. */
function twinOptions({ table, madeRecipe: of }: Session, words: AllWords): TwinOption[] {
  const title = (name: string): string => words.find(`option.${name}`) ?? name;
  const options = table.options.filter(({ name }) => !NOT_FOR_TWINS.has(name));
  const isKind = (name: string): number =>
    findOption(table, name)?.type === 'choice' || findOption(table, name)?.type === 'bool' ? 0 : 1;
  return options
    .map(({ name, type, min, max, choices, ladder }): TwinOption => {
      const count = type === 'bool' ? 2 : choices.length;
      const texts = Array.from({ length: count }, (_, value) =>
        valueText(table, name, value, words),
      );
      return {
        name,
        title: title(name),
        choices: texts.map((text, value) => ({ value, text })),
        ...{ min, max, ladder, whole: type !== 'real', value: valueOf(table, of, name) },
      };
    })
    .sort((a, b) => isKind(a.name) - isKind(b.name));
}

/**
 * What else tells a twin apart: settings that were changed in the midst of a run, which it has from
 * the first step on, and the file that a run went on from, which it begins without.
 */
function caution(now: Session, words: AllWords): string {
  const { t } = words;
  const { run, earlier, model } = now;
  // What waits for another run is not in this one.
  const waits = now.pending().some((name) => name !== 'text') ? t('twin.caution.waits') : '';
  // Only one that learns a text anew begins where its file stands.
  const without = model !== null && model.purpose !== 'train';
  const chance = without ? t('twin.caution.chance', { name: model.name }) : '';
  const runs = [
    { name: t('twin.caution.this'), changed: run?.changed ?? [] },
    ...earlier.all
      .filter((one) => one.shown)
      .map((one) => ({
        name: t('twin.caution.other', { number: one.id + 1 }),
        changed: one.run.changed,
      })),
  ].filter(({ changed }) => changed.length > 0);
  if (runs.length === 0) return sentences([waits, chance], words);
  const said = runs.map(({ name, changed }) => {
    const names = changed.map((option) => words.find(`option.${option}`) ?? option);
    const list = names.join(t('list.separator'));
    return t('twin.caution', { run: name, count: names.length, list });
  });
  return sentences([waits, chance, ...said, t('twin.caution.why')], words);
}
