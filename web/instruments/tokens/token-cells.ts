/**
 * The tokens of one page as a group of radio buttons: each a cell in the colour of its loss, the
 * chosen one checked.
 */
import { TRACES } from '../../base/form.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { axisLabel, characterLabel } from '../../data/attention-data.ts';
import { groupBytes } from '../../data/byte-groups.ts';
import type { TokenGroup } from '../../data/byte-groups.ts';
import { comingLabel } from '../../data/token-data.ts';
import type { ScoredToken } from '../../data/token-data.ts';
import { el, freshId, setAttribute, setText } from '../../kit/dom.ts';
import { hint } from '../../kit/hint.ts';
import { gainColour, lossColour } from '../../kit/loss-colour.ts';
import type { CellColour } from '../../kit/loss-colour.ts';
import { colourScale } from '../../kit/weight-colour.ts';
import { gainOf } from './named-token.ts';
import type { NamedToken } from './named-token.ts';
import type { TokenPlace } from './token-place.ts';

interface Cell {
  readonly root: HTMLButtonElement;
  readonly glyph: HTMLElement;
  readonly loss: HTMLElement;
}

const NO_COLOUR: CellColour = { background: '', ink: '' };

export class TokenCells {
  readonly root: HTMLElement;
  /** How to use the cells. */
  readonly hint = el('p', { id: freshId('token-hint'), class: 'note' });
  readonly #words: AllWords;
  readonly #place: TokenPlace;
  readonly #choose: (index: number) => void;
  /** As many as a page has needed so far. */
  readonly #cells: Cell[] = [];
  #laidOut = '';

  /**
   * `choose` is called with the index of another token, however far out of the text, and shows that
   * choice before it returns.
   */
  constructor(words: AllWords, place: TokenPlace, choose: (index: number) => void) {
    this.#words = words;
    this.#place = place;
    this.#choose = choose;
    this.root = el('div', {
      class: 'token-cells',
      translate: 'no',
      role: 'radiogroup',
      'aria-label': words.t('tokens.cells'),
      'aria-describedby': this.hint.id,
    });
    this.root.addEventListener('keydown', (event) => this.#press(event));
  }

  /** Shows the page of all `tokens`; `guessing` is the loss of guessing. */
  show(tokens: readonly NamedToken[], guessing: number, isDark: boolean): void {
    const { t } = this.#words;
    const marks = tokens.some(({ token }) => token.kind === 'bos') ? t('token.marks') : '';
    const isCompared = tokens.some(({ byTable }) => byTable !== null);
    const number = t(isCompared ? 'tokens.number.gain' : 'tokens.number');
    setText(this.hint, sentences([hint(this.#words, 'tokens.hint'), number, marks], this.#words));
    const shown = this.#place.onPage(tokens);
    this.#layOut(shown);
    const scale = colourScale(isDark);
    for (const [index, one] of shown.entries()) {
      const cell = this.#cells[index];
      if (cell === undefined) continue;
      const [{ score }, gain] = [one, gainOf(one)];
      const colour = score === null ? NO_COLOUR : lossColour(scale, score.loss, guessing);
      this.#fill(cell, one, TRACES && gain !== null ? gainColour(gain, guessing, isDark) : colour);
      const isChosen = this.#place.first + index === this.#place.chosen;
      setAttribute(cell.root, 'aria-checked', String(isChosen));
      cell.root.tabIndex = isChosen ? 0 : -1;
    }
  }

  #fill({ root, glyph, loss }: Cell, one: NamedToken, colour: CellColour): void {
    const { t, number } = this.#words;
    const { token, score, name, byTable } = one;
    const gain = gainOf(one);
    setText(glyph, score === null ? axisLabel(token) : comingLabel(token));
    const shown = score === null ? '·' : number(score.loss, 1);
    setText(loss, TRACES && gain !== null ? signed(gain, this.#words) : shown);
    root.style.backgroundColor = colour.background;
    root.style.color = colour.ink;
    const label =
      score === null
        ? t('tokens.cell.first', { name })
        : byTable === null
          ? t('tokens.cell', { loss: number(score.loss, 2), name })
          : t('tokens.cell.table', {
              loss: number(score.loss, 2),
              table: number(byTable, 2),
              name,
            });
    setAttribute(root, 'aria-label', label);
  }

  // ---- Layout -----------------------------------------------------------------------------------

  #layOut(shown: readonly ScoredToken[]): void {
    const ids = shown.map(({ token }) => String(token.id)).join(' ');
    const wanted = `${String(this.#place.first)}:${ids}`;
    if (wanted === this.#laidOut) return;
    this.#laidOut = wanted;
    while (this.#cells.length < shown.length) this.#cells.push(this.#make(this.#cells.length));
    const groups = groupBytes(shown.map(({ token }) => token));
    this.root.replaceChildren(...groups.flatMap((group) => this.#nodesOf(group, shown)));
  }

  /**
   * The cells of a group, with a new line where the text has one and a bracket around characters.
   */
  #nodesOf({ start, end, text }: TokenGroup, shown: readonly ScoredToken[]): HTMLElement[] {
    const roots = this.#cells.slice(start, end).map(({ root }) => root);
    const first = shown[start];
    const begins = first?.token.kind === 'bos' && first.score === null && start > 0;
    const isSingle = end - start === 1 && first?.token.kind !== 'bytes';
    return [
      ...(begins ? [lineBreak()] : []),
      ...(isSingle ? roots : [bracket(roots, text === '' ? '�' : characterLabel(text))]),
      ...(first?.token.text === '\n' ? [lineBreak()] : []),
    ];
  }

  #make(index: number): Cell {
    const glyph = el('span', { class: 'glyph' });
    const loss = el('span', { class: 'cell-loss' });
    const root = el('button', { type: 'button', role: 'radio', class: 'token-cell' }, glyph, loss);
    root.addEventListener('click', () => this.#choose(this.#place.first + index));
    return { root, glyph, loss };
  }

  // ---- Keys -------------------------------------------------------------------------------------

  /** The pattern of radio groups: one stop for Tab, arrows move the choice. */
  #press(event: KeyboardEvent): void {
    const { chosen } = this.#place;
    const moves: Readonly<Record<string, () => number>> = {
      ArrowRight: () => chosen + 1,
      ArrowLeft: () => chosen - 1,
      ArrowDown: () => this.#neighbour(1),
      ArrowUp: () => this.#neighbour(-1),
      Home: () => 0,
      End: () => Infinity,
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    this.#choose(move());
    this.#chosenCell()?.root.focus();
  }

  #chosenCell(): Cell | undefined {
    return this.#cells[this.#place.chosen - this.#place.first];
  }

  /** The token above (-1) or below (1) the chosen one, as the lines happen to break. */
  #neighbour(direction: 1 | -1): number {
    const at = this.#chosenCell()?.root.getBoundingClientRect();
    let best = this.#place.chosen;
    if (at === undefined) return best;
    let distance = Infinity;
    for (const [index, { root }] of this.#cells.entries()) {
      if (!root.isConnected) continue;
      const box = root.getBoundingClientRect();
      const down = (box.top - at.top) * direction;
      if (down < box.height / 2) continue;
      const far = down * 1000 + Math.abs(box.left + box.width / 2 - at.left - at.width / 2);
      if (far < distance) [best, distance] = [this.#place.first + index, far];
    }
    return best;
  }
}

/** A difference with its sign, which nothing has none of. */
function signed(gain: number, { number }: AllWords): string {
  const tenths = Math.round(10 * gain) / 10;
  return `${tenths > 0 ? '+' : ''}${number(tenths === 0 ? 0 : tenths, 1)}`;
}

/** The cells of one character, which is named below them. */
function bracket(cells: readonly HTMLElement[], name: string): HTMLElement {
  const label = el('span', { class: 'group-name', 'aria-hidden': 'true' }, name);
  return el('span', { class: 'byte-group' }, el('span', {}, ...cells), label);
}

/** Makes what follows begin a new line. */
function lineBreak(): HTMLElement {
  return el('span', { class: 'line-break', 'aria-hidden': 'true' });
}
