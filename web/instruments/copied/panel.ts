/** What the model copied from its text, in a tab of its own and as marks on all that it writes. */
import { asError, GlasshouseError } from '../../engine/errors.ts';
import type { BaseRate, CopiedRun, Yardsticks } from '../../engine/trainer.ts';
import { knownUnit, unitFactor } from '../../data/loss-data.ts';
import { markTexts } from '../../kit/marked-texts.ts';
import type { TextMark } from '../../kit/text-marks.ts';
import { messageOf } from '../../store/messages.ts';
import { panelOf } from '../panel.ts';
import type { CreateLaterPanel } from '../panel.ts';
import { CopiedView } from './view.ts';
import type { CopiedData } from './view.ts';

/** What was chosen here. */
class CopiedLook {
  marks = true;
  checked = '';
  /** Another one each time that a table writes. */
  seed = 0;
}

/** Tokens that a table writes. */
const TABLE_TOKENS = 120;

/** What was found out about one run. */
interface Found {
  readonly key: string;
  base: BaseRate | null;
  yardsticks: Yardsticks | null;
  newest: CopiedData['newest'];
  /** The step of the texts that are asked about now. */
  asked: number;
  error: GlasshouseError | null;
}

export const createCopied: CreateLaterPanel = (container, context) => {
  const { words, state, session, textMarks } = context;
  const look = context.kept(CopiedLook);
  let found: Found | null = null;
  let destroyed = false;

  const view = new CopiedView(container, {
    ...{ words, textMarks, checked: look.checked },
    onMarks: (marks) => {
      look.marks = marks;
      mark();
    },
    onChecked: (text) => {
      look.checked = text;
    },
    onWrite: async (order) => {
      const seed = look.seed++;
      const asked = session()?.trace.ask((trainer) =>
        trainer.writeByTable(order, '', TABLE_TOKENS, seed),
      );
      return (await asked?.catch(fail)) ?? '';
    },
  });

  function fail(thrown: unknown): undefined {
    const error = asError(thrown);
    if (destroyed || found === null || error.code === 'cancelled') return;
    found.error = error;
    panel.update();
  }

  /** Without an answer there are no marks; why is said in the tab. */
  async function marksOf(text: string): Promise<readonly TextMark[]> {
    const traced = await session()
      ?.trace.ask((trainer) => trainer.trace(text))
      .catch(fail);
    return (traced?.runs ?? []).map((run) => markOf(text, run));
  }

  function markOf(text: string, run: CopiedRun): TextMark {
    const { start, end, characters, isLine } = run;
    return {
      ...{ start, end, sign: isLine ? '=' : String(characters) },
      note: isLine ? words.t('copied.line') : words.t('copied.part', { characters }),
      onPress: (pressed) => {
        view.open(pressed, text, run);
      },
    };
  }

  function mark(): void {
    markTexts(textMarks, 'copied', look.marks && found?.base !== null ? marksOf : null);
  }

  /** Looks up the newest texts, one after the other. */
  async function lookUp(mine: Found): Promise<void> {
    const now = session();
    const entry = now?.run?.samples.at(-1);
    if (now === null || entry === undefined || mine.asked === entry.step) return;
    mine.asked = entry.step;
    await now.trace.ask(async (trainer) => {
      const traced = [];
      for (const text of entry.texts) traced.push(await trainer.trace(text));
      mine.newest = { step: entry.step, runs: traced.map(({ runs }) => runs) };
      const first = mine.base === null;
      mine.base = traced[0]?.base ?? mine.base;
      if (first && mine === found) mark();
    });
    mine.yardsticks ??= await now.trace.ask((trainer) => trainer.yardsticks());
    if (mine === found && !destroyed) panel.update();
  }

  function yardsticksOf(all: Yardsticks | null): CopiedData['yardsticks'] {
    const now = session();
    if (all === null || now?.run == null) return null;
    const { tokensPerCharacter } = now;
    const unit = knownUnit(state.lossChoice.unit, tokensPerCharacter);
    const { train, validation } = tokensPerCharacter;
    const own = all.heldOut ? now.run.history.lastValidation?.loss : now.run.history.smoothedLast();
    return {
      ...{ heldOut: all.heldOut, unit },
      losses: all.yardsticks.map(({ order, nats, bits }) => ({
        order,
        loss: unit === 'nats' ? nats : bits,
      })),
      model: (own ?? NaN) * unitFactor({ unit }, all.heldOut ? validation : train),
    };
  }

  const panel = panelOf(view, () => {
    const now = session();
    const key = now?.trace.key ?? null;
    if (key !== (found?.key ?? null)) {
      const fresh = { base: null, yardsticks: null, newest: null, asked: -1, error: null };
      found = key === null ? null : { key, ...fresh };
      mark();
    }
    if (found?.error === null) lookUp(found).catch(fail);
    view.update({
      error: found?.error ? messageOf(found.error, words) : '',
      progress: now?.trace.progress ?? 0,
      marks: look.marks,
      documents: now?.current?.info.documents ?? false,
      base: found?.base ?? null,
      newest: found?.newest ?? null,
      yardsticks: yardsticksOf(found?.yardsticks ?? null),
    });
  });
  return {
    ...panel,
    destroy: () => {
      destroyed = true;
      panel.destroy();
    },
  };
};
