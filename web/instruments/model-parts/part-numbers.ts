/**
 * The numbers of one part of the model, read from the run under way at a gentle pace: a pass of the
 * probe text with all its tensors, one of which is looked at, and where one of its numbers comes
 * from.
 */
import { asError } from '../../engine/errors.ts';
import type {
  NamedTensor,
  Tensors,
  TensorSlice,
  TensorValues,
  Token,
} from '../../engine/trainer.ts';
import type { Model } from '../../engine/past-run.ts';
import { findOption } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { engineName } from '../../store/training/architecture.ts';
import type { Dimension, ModelPart } from '../../store/training/architecture.ts';
import { axisLabel } from '../../data/attention-data.ts';
import type { NumberOrigin } from './number-origin.ts';
import type { PartValuesData, ShownTensor } from './part-values.ts';
import { spokenLabels } from '../../kit/row-labels.ts';
import type { Cell } from '../../base/cell.ts';
import { messageOf } from '../../store/messages.ts';
import { readOrigin } from './read-origin.ts';
import type { AskedNumber } from '../parts-state.ts';
import { optionText } from '../../store/training/run-name.ts';
import type { Session } from '../../store/training/session.ts';

/**
 * Milliseconds between two looks while the model trains, and how many times longer than one look.
 */
const PAUSE = 1000;
/** Upper limit of that pause, in milliseconds: on a busy machine one look may take seconds. */
const LONGEST_PAUSE = 10_000;
/** Milliseconds that training rests for one look at most. */
const LONGEST = 300;
const SHARE = 10;
/** Rows and columns of a window of a large tensor. */
const WINDOW = 64;
/** Letters of the text that are quoted. */
const QUOTED = 40;
/** Reads before giving up that all fall between the same two steps. */
const TRIES = 3;

interface Choice {
  readonly tensor: string;
  readonly gradient: boolean;
  readonly matrix: number;
  readonly cell: Cell | null;
  /**
   * The middle of the window that is looked at; null for the whole, thinned out where it is large.
   */
  readonly around: Cell | null;
}

const WHOLE = { matrix: 0, cell: null, around: null } as const;

interface Wish {
  readonly run: number;
  readonly step: number;
  readonly probe: string;
  /** Of the model. */
  readonly context: number;
  /** Name of the tensor. */
  readonly tensor: string;
  readonly choice: Choice;
  /** Whether its cells can be asked where they come from. */
  readonly traceable: boolean;
}

interface Seen {
  readonly wish: Wish;
  readonly list: Tensors;
  readonly values: TensorValues | null;
  readonly origin: NumberOrigin | null;
}

export class PartNumbers {
  readonly #words: AllWords;
  readonly #changed: () => void;
  #choice: Choice = { ...WHOLE, tensor: '', gradient: false };
  #place = '';
  #result: Seen | null = null;
  /** What was tried last, done or failed. */
  #tried: Wish | null = null;
  #error = '';
  #busy = false;
  #next = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(words: AllWords, changed: () => void) {
    this.#words = words;
    this.#changed = changed;
  }

  /** Another tensor, its gradient, another head, or a cell to be explained. */
  choose(choice: Partial<Choice>): void {
    const moved = choice.tensor !== undefined || choice.gradient !== undefined;
    this.#choice = { ...this.#choice, ...(moved ? WHOLE : {}), ...choice };
    this.#changed();
  }

  /** One number of a part, whatever was looked at before. */
  ask(part: string, block: number, number: AskedNumber): void {
    this.#place = placeOf(part, block);
    this.#choice = { ...WHOLE, gradient: false, ...number };
  }

  /**
   * A cell was chosen: where its number comes from, or in a thinned-out picture what is around it.
   */
  chooseCell(cell: Cell): void {
    const { rowStride = 1, columnStride = 1 } = this.#result?.values ?? {};
    this.choose(rowStride > 1 || columnStride > 1 ? { around: cell } : { cell });
  }

  /** What is known of `part` (in `block`, or -1), while newer numbers are asked for if `look`. */
  of(
    session: Session,
    probe: string,
    part: ModelPart | undefined,
    block: number,
    look: boolean,
  ): PartValuesData {
    const place = placeOf(part?.id ?? '', block);
    if (place !== this.#place) {
      this.#place = place;
      this.#choice = { ...WHOLE, tensor: '', gradient: this.#choice.gradient };
    }
    const { run } = session;
    const known = part === undefined ? [] : this.#names(part, block);
    const tensor = known.find(({ name }) => name === this.#choice.tensor) ?? known[0];
    if (run === null || part === undefined || tensor === undefined) {
      return this.#nothing(part);
    }
    // Some tensors have no gradient, whatever was looked at before.
    const listed = this.#result?.list.tensors.find(({ name }) => name === tensor.name);
    const choice = listed?.gradients === null ? { ...this.#choice, gradient: false } : this.#choice;
    // Parameters are learned, not computed.
    const computed = part.tensors.some(({ name }) => engineName(name, block) === tensor.name);
    const wish: Wish = {
      run: run.number,
      step: session.shownStep,
      probe,
      context: session.current?.info.context ?? 0,
      tensor: tensor.name,
      choice,
      traceable: computed && !choice.gradient,
    };
    if (look) this.#want(session, wish);
    return this.#show(wish, known, tensor.shape, this.#ofOther(session));
  }

  destroy(): void {
    clearTimeout(this.#timer);
  }

  // ---- What can be looked at --------------------------------------------------------------------

  #names(
    part: ModelPart,
    block: number,
  ): { name: string; label: string; shape: readonly Dimension[] }[] {
    const { t } = this.#words;
    if (part.id === 'text' || part.id === 'tokens') return [];
    const label = (name: string): string => {
      if (name.endsWith('attn.probs')) return t('values.of.weights');
      if (name === 'token_loss') return t('values.of.losses');
      return t('values.of.output');
    };
    return [
      ...part.tensors.map(({ name, shape }) => ({
        name: engineName(name, block),
        label: label(name),
        shape,
      })),
      ...part.parameters.map(({ name, shape }) => ({
        name: engineName(name, block),
        label: t('values.of.parameter', { name: engineName(name, block) }),
        shape,
      })),
    ];
  }

  #nothing(part: ModelPart | undefined): PartValuesData {
    const { t } = this.#words;
    const tokens = this.#result?.list.tokens ?? [];
    const marked = tokens.some(({ kind }) => kind === 'bos');
    const note =
      part?.id === 'text'
        ? t('values.none.text')
        : part?.id === 'tokens' && tokens.length > 0
          ? t(marked ? 'values.none.tokens.bos' : 'values.none.tokens', {
              tokens: tokens.map(axisLabel).join(' '),
            })
          : t('values.none');
    return this.#data(note, []);
  }

  #data(note: string, tensors: readonly ShownTensor[]): PartValuesData {
    return {
      step: this.#result?.list.step ?? 0,
      tensors,
      chosen: '',
      gradient: this.#choice.gradient,
      matrix: null,
      part: null,
      rowName: String,
      columnName: String,
      origin: null,
      traceable: false,
      windowed: false,
      about: '',
      note,
    };
  }

  #show(
    wish: Wish,
    known: readonly { name: string; label: string }[],
    shape: readonly Dimension[],
    other: string,
  ): PartValuesData {
    const { t } = this.#words;
    const seen = this.#result;
    if (seen === null || seen.wish.run !== wish.run) {
      return this.#data(this.#error === '' ? t('values.wait') : this.#error, []);
    }
    const listed = new Map(seen.list.tensors.map((tensor) => [tensor.name, tensor]));
    const tensors = known.flatMap(({ name, label }): ShownTensor[] => {
      const tensor = listed.get(name);
      return tensor === undefined ? [] : [{ ...tensor, name, label }];
    });
    const now = listed.get(wish.tensor);
    // Settings may have been changed since the run began.
    if (now === undefined) return this.#data(t('values.other'), []);
    const count = now.shape.slice(0, -2).reduce((product, n) => product * n, 1);
    // Numbers around another cell take the place of those shown when they are there.
    const fits =
      seen.wish.tensor === wish.tensor &&
      seen.wish.choice.gradient === wish.choice.gradient &&
      seen.wish.choice.matrix === wish.choice.matrix;
    const { omitted } = seen.list;
    const left = omitted > 0 ? t('attention.omitted', { omitted }) : '';
    const about = [other, this.#error === '' ? left : this.#error];
    return {
      ...this.#data(sentences(about, this.#words), tensors),
      chosen: wish.tensor,
      gradient: wish.choice.gradient,
      matrix: count > 1 ? { index: Math.min(wish.choice.matrix, count - 1), count } : null,
      part: fits ? seen.values : null,
      rowName: this.#naming(shape, now, seen.list.tokens, 'row'),
      columnName: this.#naming(shape, now, seen.list.tokens, 'column'),
      origin: fits && sameCell(seen.wish.choice.cell, wish.choice.cell) ? seen.origin : null,
      traceable: wish.traceable,
      windowed: wish.choice.around !== null,
      about: this.#about(now, shape, seen),
    };
  }

  /** Which model has these numbers, where the settings are for another one by now. */
  #ofOther(session: Session): string {
    const { table, current } = session;
    if (current === null) return '';
    const names = session.pending().filter((name) => findOption(table, name)?.group === 'model');
    if (names.length === 0) return '';
    const list = names.map((name) => optionText(table, current.recipe, name, this.#words));
    return this.#words.t('values.old', { list: list.join(this.#words.t('list.separator')) });
  }

  /**
   * Which text was read, and how little of the context it fills: the model is drawn with all of it.
   */
  #about({ kind }: NamedTensor, shape: readonly Dimension[], { wish, list }: Seen): string {
    if (kind !== 'node' || !shape.some(({ letter }) => letter === 'T')) return '';
    const letters = Array.from(wish.probe);
    const text = letters.length > QUOTED ? `${letters.slice(0, QUOTED).join('')}…` : wish.probe;
    const { context } = wish;
    return this.#words.t('values.about', { text, count: list.tokens.length, context });
  }

  /** What a number along one side of a tensor stands for. */
  #naming(
    shape: readonly Dimension[],
    { kind }: NamedTensor,
    tokens: readonly Token[],
    side: 'row' | 'column',
  ): (index: number) => string {
    const { t } = this.#words;
    const letter = shape.at(side === 'row' ? -2 : -1)?.letter ?? '';
    // A weight has a row for each input and a column for each output.
    const isWeight =
      kind === 'parameter' && shape.length === 2 && shape.every((one) => one.letter.endsWith('C'));
    const names = letter === 'T' && kind === 'node' ? spokenLabels(tokens, this.#words) : [];
    return (index) => {
      const token = names[index];
      if (token !== undefined) return t('values.token', { token, place: index + 1 });
      if (letter === 'V') return t('values.id', { id: String(index) });
      if (letter === 'T') return t('values.position', { place: index + 1 });
      if (isWeight) return t(`values.channel.${side}`, { channel: index + 1 });
      if (letter.endsWith('C')) return t('values.channel', { channel: index + 1 });
      return t(side === 'row' ? 'values.row' : 'values.column', { place: index + 1 });
    };
  }

  // ---- Reading ----------------------------------------------------------------------------------

  /** Looks as soon as it is time to: at once where no training would be held up. */
  #want(session: Session, wish: Wish): void {
    if (this.#busy || document.hidden || sameWish(wish, this.#tried)) return;
    const { trainer } = session;
    // One that looks back stands still.
    const training = session.run?.state === 'running' && (session.past?.model ?? null) === null;
    const onlyStep =
      this.#tried !== null && sameWish({ ...wish, step: this.#tried.step }, this.#tried);
    const wait = onlyStep && training ? this.#next - performance.now() : 0;
    if (wait > 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(this.#changed, wait);
      return;
    }
    this.#busy = true;
    const began = performance.now();
    // All that is read is of one step: training rests for so long.
    const resting = training ? trainer.rest(LONGEST) : Promise.resolve();
    resting
      .then(() => this.#read(session.shownModel, wish))
      .then(
        (seen) => {
          this.#result = seen;
          this.#error = '';
        },
        (thrown: unknown) => {
          const error = asError(thrown);
          // Another step is looked at, and asked next.
          this.#error = error.code === 'cancelled' ? '' : messageOf(error, this.#words);
        },
      )
      .finally(() => {
        if (training) trainer.rest(0).catch(() => undefined);
        this.#busy = false;
        this.#tried = wish;
        const took = performance.now() - began;
        const pause = Math.min(Math.max(PAUSE, SHARE * took), LONGEST_PAUSE);
        this.#next = performance.now() + pause;
        this.#changed();
      });
  }

  async #read(trainer: Model, wish: Wish): Promise<Seen> {
    const before = this.#result;
    const fresh =
      before?.wish.run === wish.run &&
      before.wish.probe === wish.probe &&
      before.wish.step === wish.step;
    const { gradient, matrix, cell } = wish.choice;
    const slice = { gradient, matrix, ...windowOf(wish.choice) };
    let list = fresh ? before.list : await trainer.tensors(wish.probe, true);
    let tensor: NamedTensor | undefined;
    let values: TensorValues | null = null;
    for (let tries = 0; tries < TRIES; tries++) {
      tensor = list.tensors.find(({ name }) => name === wish.tensor);
      if (tensor === undefined) return { wish, list, values: null, origin: null };
      if (gradient && tensor.gradients === null) break;
      values = await trainer.tensor(tensor.index, slice);
      // A step in between would show the numbers of one model with the extremes of another.
      if (values.step === list.step) break;
      list = await trainer.tensors(wish.probe, true);
    }
    if (tensor === undefined) return { wish, list, values: null, origin: null };
    const origin =
      cell !== null && wish.traceable
        ? await readOrigin(trainer, list, { tensor, matrix, cell })
        : null;
    return { wish, list, values, origin };
  }
}

/** What is looked at, as one word: another place, other numbers. */
function placeOf(part: string, block: number): string {
  return `${part} ${String(block)}`;
}

/** The rows and columns to be read. */
function windowOf({ around }: Choice): Partial<TensorSlice> {
  if (around === null) return {};
  const from = (at: number): number => Math.max(0, at - WINDOW / 2);
  const [firstRow, firstColumn] = [from(around.row), from(around.column)];
  return { firstRow, firstColumn, rows: WINDOW, columns: WINDOW };
}

function sameCell(a: Cell | null, b: Cell | null): boolean {
  return a?.row === b?.row && a?.column === b?.column;
}

function sameWish(a: Wish, b: Wish | null): boolean {
  return b !== null && JSON.stringify(a) === JSON.stringify(b);
}
