/** The loss of each token of a text, with the weights of now, as long as somebody looks. */
import { TRACES } from '../../base/form.ts';
import { tableName } from '../../data/table-name.ts';
import { findOption, valueOf } from '../../engine/options.ts';
import { asError } from '../../engine/errors.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { Analysis } from '../../engine/trainer.ts';
import type { AllWords } from '../../i18n/index.ts';
import { Folds } from '../../kit/folds.ts';
import { KeptTrace } from '../../store/training/kept-trace.ts';
import type { TextTrace } from '../../store/training/text-trace.ts';
import { scoreBesideTable, TableChoice } from './beside-table.ts';
import type { BesideTable } from './beside-table.ts';
import { TokenPlace } from './token-place.ts';
import { TokenLosses } from './view.ts';
import { watchSight } from '../../kit/in-sight.ts';
import type { Sight } from '../../kit/in-sight.ts';
import { messageOf } from '../../store/messages.ts';
import { heldOutPart } from '../../store/text/held-out-part.ts';
import { Paced } from '../../kit/paced.ts';
import { shownPlan } from '../../store/training/session.ts';
import type { Session } from '../../store/training/session.ts';
import { SCORED_LENGTH } from '../../store/address/page-settings.ts';
import type { CreateLaterPanel, LaterContext, Panel } from '../panel.ts';

/** Tokens that are analysed at most: more would hold training up for too long. */
const MAX_TOKENS = 800;
const NOT_COMPARED: readonly never[] = [];

/**
 * Whether the last line of `part` is the beginning of a line of the text, and none of its lines.
 */
function isBeginning(part: string, text: string): boolean {
  const last = part.slice(part.lastIndexOf('\n') + 1);
  const has = (line: string): boolean => text.startsWith(line) || text.includes(`\n${line}`);
  const whole = text === last || text.endsWith(`\n${last}`) || has(`${last}\n`);
  return last !== '' && !whole && has(last);
}

export const createTokenLossesPanel: CreateLaterPanel = (container, context) =>
  new TokenLossesPanel(container, context);

class TokenLossesPanel implements Panel {
  readonly #context: LaterContext;
  readonly #view: TokenLosses;
  readonly #sight: Sight;
  readonly #paced = new Paced(() => this.#analyse());
  #shownText: string;
  #analysis: Analysis | null = null;
  #table: BesideTable | null = null;
  #error: GlasshouseError | null = null;
  /** What the last question was about. */
  #asked = '';

  constructor(container: HTMLElement, context: LaterContext) {
    const { words, state, actions, isDark, session } = context;
    const { t } = words;
    this.#context = context;
    this.#shownText = this.#text;
    this.#view = new TokenLosses(container, {
      words,
      folds: context.kept(Folds),
      onCompare: (wanted) => {
        context.kept(TableChoice).isOn = wanted;
        this.update();
      },
      isDark,
      text: this.#text,
      place: context.kept(TokenPlace),
      // Elsewhere the address is another page's.
      addressed: context.home === null ? 0 : SCORED_LENGTH,
      onText: (text, typed) => {
        actions.onScored(text, typed);
        this.update();
      },
      sources: [
        { title: t('tokens.source.probe'), text: () => state.probe },
        {
          title: t('tokens.source.heldOut'),
          text: () => heldOutPart(session()?.current ?? null),
          why: () => whyNoneHeldOut(session(), words),
        },
        { title: t('tokens.source.written'), text: () => writtenText(session()) },
      ],
    });
    this.#sight = watchSight(container, () => this.update());
  }

  update(): void {
    if (this.#shownText !== this.#text) {
      this.#shownText = this.#text;
      this.#view.setField(this.#shownText);
      this.#paced.hurry();
    }
    if (!this.#sight.visible()) return;
    this.#show();
    if (this.#wanted !== this.#asked) this.#paced.request();
  }

  resize(): void {
    this.#view.resize();
  }

  destroy(): void {
    this.#paced.destroy();
    this.#sight.destroy();
    this.#view.destroy();
  }

  get #text(): string {
    const { scored, probe } = this.#context.state;
    return scored ?? probe;
  }

  /** What is to be asked: run, step, text and whether of a table; empty without a model. */
  get #wanted(): string {
    const now = this.#context.session();
    const run = now?.run ?? null;
    if (now === null || run === null || run.number < 0) return '';
    const at = `${String(run.number)} ${String(now.shownStep)}`;
    return `${at} ${String(this.#compares)} ${this.#text}`;
  }

  /** Whether the reader compares with a table; null where no table can be had. */
  get #compares(): boolean | null {
    return TRACES && this.#trace?.refusal === null ? this.#context.kept(TableChoice).isOn : null;
  }

  get #trace(): TextTrace | null {
    return TRACES ? this.#context.kept(KeptTrace).of(this.#context) : null;
  }

  async #analyse(): Promise<void> {
    const { state, session } = this.#context;
    const now = session();
    if (now === null || !this.#sight.visible()) return;
    const [question, about] = [this.#wanted, this.#text];
    if (question === '' || question === this.#asked) return;
    try {
      // A text from the text to learn; what somebody types is whole.
      const isCut = state.scored === null && isBeginning(about, state.shown);
      const analysis = await now.shownModel.analyse(about, MAX_TOKENS, isCut);
      const trace = TRACES && this.#compares === true ? this.#trace : null;
      this.#table = TRACES && trace !== null ? await scoreBesideTable(trace, analysis) : null;
      this.#analysis = analysis;
      this.#error = null;
    } catch (thrown) {
      const error = asError(thrown);
      // Another run is on its way, and asks again.
      if (error.code === 'cancelled') return;
      this.#error = error;
      // An empty field is no mistake worth a red line.
      if (this.#error.code === 'empty') this.#analysis = null;
    }
    this.#asked = question;
    this.#show();
    this.update();
  }

  /** How the model and the table compare on this text. */
  #beside(): string {
    const { words } = this.#context;
    const [table, analysis] = [this.#table, this.#analysis];
    if (!TRACES || this.#compares !== true) return '';
    if (table === null || analysis === null) return words.t('tokens.compare.wait');
    return words.t('tokens.beside', {
      table: tableName(table.order, words),
      loss: words.number(table.mean, 3),
      own: words.number(analysis.meanLoss, 3),
    });
  }

  #show(): void {
    const { words, session } = this.#context;
    const [analysis, error] = [this.#analysis, this.#error];
    this.#view.update({
      tokens: analysis?.tokens ?? null,
      step: analysis?.step ?? 0,
      meanLoss: analysis?.meanLoss ?? NaN,
      scored: analysis?.scored ?? 0,
      omitted: analysis?.omitted ?? 0,
      cut: analysis?.cut ?? 0,
      guessing: shownPlan(session())?.randomLoss ?? 1,
      compares: this.#compares,
      byTable: this.#table?.losses ?? NOT_COMPARED,
      beside: this.#beside(),
      error: error === null || error.code === 'empty' ? '' : messageOf(error, words),
    });
  }
}

/** What stands in the way of showing held-out text; empty when only time does. */
function whyNoneHeldOut(session: Session | null, { t }: AllWords): string {
  const { current = null, table = null } = session ?? {};
  if (current === null || table === null || current.data.hasValidation) return '';
  const known = findOption(table, 'validation') !== undefined;
  const share = known ? valueOf(table, current.recipe, 'validation') : 0;
  return t(share > 0 ? 'tokens.heldOut.short' : 'tokens.heldOut.none');
}

/** The newest text that the model wrote. */
function writtenText(session: Session | null): string {
  const answer = session?.answers.last ?? null;
  if (answer !== null && answer.error === null && answer.text !== '') {
    return answer.request.prompt + answer.text;
  }
  return session?.run?.samples.at(-1)?.texts.join('\n').trim() ?? '';
}
