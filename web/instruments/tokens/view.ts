/**
 * What the model expected at every token of a text: each a cell whose colour is its loss, and what
 * is known of the chosen one in full.
 */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { axisLabel, characterLabel, spokenLabel } from '../../data/attention-data.ts';
import { groupBytes } from '../../data/byte-groups.ts';
import { colourScale } from '../../kit/weight-colour.ts';
import { disclosure, el, freshId, perFrame, setAttribute, setText, table } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { hint } from '../../kit/hint.ts';
import { lossColour, scaleGradient, strongestLoss } from '../../kit/loss-colour.ts';
import { LARGEST_LOSS, LEAST_PROBABILITY } from '../../data/loss-data.ts';
import { createProbabilityTable } from '../../kit/probability-table.ts';
import { spokenLabels } from '../../kit/row-labels.ts';
import { termButton } from '../../kit/term.ts';
import {
  bitsPerCharacterOf,
  chanceText,
  doubtText,
  comingLabel,
  comingName,
  rankText,
  textBefore,
} from '../../data/token-data.ts';
import type { ScoredToken } from '../../data/token-data.ts';

/** Tokens that are shown at once; longer texts have pages. */
const PAGE = 160;

/** A text that a button puts into the field. */
export interface TextSource {
  readonly title: string;
  /** Empty if it cannot be had now. */
  readonly text: () => string;
  /** Why it is missing, and what would change that. */
  readonly why?: () => string;
}

/** Where in the text a reader is. */
export interface TokenPlace {
  /** The chosen token; -1 for the one that surprised the model most. */
  chosen: number;
  page: number;
}

export interface TokenLossesOptions {
  readonly words: AllWords;
  readonly folds: Folds;
  readonly isDark: () => boolean;
  readonly text: string;
  /** To begin with and from then on. */
  readonly place: TokenPlace;
  /** Characters up to which the text becomes part of the page's address; 0 where it never does. */
  readonly addressed: number;
  /** Another text is read: `typed` by hand, or taken from elsewhere on the page. */
  readonly onText: (text: string, typed: boolean) => void;
  /** Texts that one press puts into the field; an empty text if it cannot be read now. */
  readonly sources: readonly TextSource[];
}

export interface TokenLossesData {
  /** Null until there is a model. */
  readonly tokens: readonly ScoredToken[] | null;
  readonly step: number;
  readonly meanLoss: number;
  readonly scored: number;
  readonly omitted: number;
  readonly cut: number;
  /** ln V: the loss of guessing. */
  readonly guessing: number;
  /** What is wrong with the text, in the reader's language. */
  readonly error: string;
}

export interface TokenLosses extends View<TokenLossesData> {
  /** Shows another text in the field. */
  setField(text: string): void;
}

interface Cell {
  readonly root: HTMLButtonElement;
  readonly glyph: HTMLElement;
  readonly loss: HTMLElement;
}

const NOTHING: TokenLossesData = {
  tokens: null,
  step: 0,
  meanLoss: NaN,
  scored: 0,
  omitted: 0,
  cut: 0,
  guessing: 1,
  error: '',
};

/** Creates the view in `container`. */
export function createTokenLosses(
  container: HTMLElement,
  options: TokenLossesOptions,
): TokenLosses {
  const { words, isDark, onText, sources } = options;
  const { t, number } = words;

  // ---- The text ---------------------------------------------------------------------------------

  const fieldId = freshId('scored');
  const noteId = freshId('scored-note');
  const aboutId = freshId('scored-about');
  const { addressed } = options;
  const about = el('p', { id: aboutId, class: 'note' });
  about.hidden = addressed === 0;
  if (addressed > 0) setText(about, t('tokens.addressed', { count: addressed }));
  const field = el('textarea', {
    id: fieldId,
    rows: 3,
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-describedby': `${aboutId} ${noteId}`,
  });
  field.value = options.text;
  field.addEventListener('input', () => {
    onText(field.value, true);
  });
  const fillers = sources.map(({ title, text, why }) => {
    const button = el('button', { type: 'button', class: 'secondary small' }, title);
    button.addEventListener('click', () => {
      field.value = text();
      onText(field.value, false);
    });
    return { button, text, why: why ?? (() => '') };
  });
  const note = el('p', { id: noteId, class: 'note', role: 'status' });
  const missing = el('p', { class: 'note', 'data-part': 'tokens-missing' });

  // ---- Figures and scale ------------------------------------------------------------------------

  const figures = ['mean', 'bits', 'perplexity', 'scored'] as const;
  const terms = {
    mean: 'loss',
    bits: 'bits_per_character',
    perplexity: 'perplexity',
    scored: null,
  } as const;
  const figure = Object.fromEntries(figures.map((name) => [name, el('dd', {})])) as Record<
    (typeof figures)[number],
    HTMLElement
  >;
  const facts = el(
    'dl',
    { class: 'token-facts' },
    ...figures.map((name) => {
      const text = t(`tokens.${name}`);
      const explained = terms[name];
      const label = explained === null ? text : termButton(explained, text);
      return el('div', {}, el('dt', {}, label), figure[name]);
    }),
  );
  const stamp = el('span', { class: 'stamp' });
  const capped = el('p', { class: 'note' });
  const bar = el('div', { class: 'scale-bar' });
  const ends = el('span', { class: 'scale-tick at-end' });
  const zero = el('span', { class: 'scale-tick at-start' }, t('tokens.scale.sure'));
  const guess = el('span', { class: 'scale-tick' });
  const scaleRow = el(
    'div',
    { class: 'scale-row loss-scale' },
    el('span', {}, t('tokens.scale')),
    el('div', { class: 'scale' }, bar, zero, guess, ends),
  );

  // ---- Cells ------------------------------------------------------------------------------------

  const how = el('p', { class: 'note' });
  const hintId = freshId('token-hint');
  how.id = hintId;
  const cellsBox = el('div', {
    class: 'token-cells',
    translate: 'no',
    role: 'radiogroup',
    'aria-label': t('tokens.cells'),
    'aria-describedby': hintId,
  });
  const back = el('button', { type: 'button', class: 'secondary small' }, t('tokens.page.back'));
  const on = el('button', { type: 'button', class: 'secondary small' }, t('tokens.page.on'));
  const pageText = el('span', { class: 'stamp' });
  const pager = el('div', { class: 'pager' }, back, pageText, on);
  const empty = el('p', { class: 'muted' });

  // ---- The chosen token -------------------------------------------------------------------------

  const chosenHead = el('h3', {});
  const chosenText = el('span', {});
  const chosenCapped = el('span', {});
  const chosenTerm = termButton('prediction_entropy', t('glossary.more'));
  const chosenSummary = el(
    'p',
    { class: 'summary' },
    chosenText,
    ' ',
    chosenCapped,
    ' ',
    chosenTerm,
  );
  const candidatesBox = el('div', {});
  const candidates = createProbabilityTable(candidatesBox, {
    words,
    tokenHead: t('tokens.col.token'),
    columns: [t('tokens.col.probability')],
    brief: 9,
  });
  const detail = el(
    'section',
    { class: 'token-detail', 'aria-label': t('tokens.detail') },
    chosenHead,
    chosenSummary,
    candidatesBox,
  );
  const tableBox = el('div', { class: 'table-scroll', tabindex: 0 });
  const fold = options.folds.keep(
    'tokens.table',
    disclosure('data', t('tokens.table'), () => draw.request(), tableBox),
  );
  tableBox.setAttribute('role', 'region');
  tableBox.setAttribute('aria-label', t('tokens.table'));

  const result = el(
    'div',
    { class: 'token-result' },
    el(
      'div',
      { class: 'token-main' },
      el('div', { class: 'head-row' }, facts, stamp),
      capped,
      scaleRow,
      cellsBox,
      pager,
      how,
      fold.root,
    ),
    detail,
  );
  container.append(
    el('p', { class: 'lead' }, t('tokens.lead')),
    el('label', { for: fieldId, class: 'field-label' }, t('tokens.field')),
    field,
    note,
    about,
    el('div', { class: 'fillers' }, ...fillers.map(({ button }) => button)),
    missing,
    empty,
    result,
  );

  let data = NOTHING;
  const { place } = options;
  let laidOut = '';
  /** What the picture was drawn from: while that stays, so does the picture. */
  let drawn: readonly unknown[] = [];
  const cells: Cell[] = [];
  /** What the tokens are called. */
  let names: readonly string[] = [];

  function choose(index: number, focus: boolean): void {
    const count = data.tokens?.length ?? 0;
    if (count === 0) return;
    place.chosen = Math.min(count - 1, Math.max(0, index));
    place.page = Math.floor(place.chosen / PAGE);
    show();
    if (focus) cells[place.chosen - place.page * PAGE]?.root.focus();
  }

  function turn(pages: number): void {
    choose((place.page + pages) * PAGE, false);
  }
  back.addEventListener('click', () => {
    turn(-1);
  });
  on.addEventListener('click', () => {
    turn(1);
  });

  // The pattern of radio groups: one stop for Tab, arrows move the choice.
  cellsBox.addEventListener('keydown', (event) => {
    const moves: Readonly<Record<string, () => number>> = {
      ArrowRight: () => place.chosen + 1,
      ArrowLeft: () => place.chosen - 1,
      ArrowDown: () => neighbour(1),
      ArrowUp: () => neighbour(-1),
      Home: () => 0,
      End: () => (data.tokens?.length ?? 1) - 1,
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    choose(move(), true);
  });

  /** The token above (-1) or below (1) the chosen one, as the lines happen to break. */
  function neighbour(direction: 1 | -1): number {
    const first = place.page * PAGE;
    const at = cells[place.chosen - first]?.root.getBoundingClientRect();
    if (at === undefined) return place.chosen;
    let best = place.chosen;
    let distance = Infinity;
    for (const [index, { root }] of cells.entries()) {
      if (!root.isConnected) continue;
      const box = root.getBoundingClientRect();
      const down = (box.top - at.top) * direction;
      if (down < box.height / 2) continue;
      const far = down * 1000 + Math.abs(box.left + box.width / 2 - at.left - at.width / 2);
      if (far < distance) [best, distance] = [first + index, far];
    }
    return best;
  }

  /**
   * The cells of the page, with a new line where the text has one and a bracket around characters.
   */
  function layOut(shown: readonly ScoredToken[]): void {
    while (cells.length < shown.length) cells.push(makeCell(cells.length));
    const nodes: Node[] = [];
    const tokens = shown.map(({ token }) => token);
    for (const { start, end, text } of groupBytes(tokens)) {
      const roots = cells.slice(start, end).map(({ root }) => root);
      const first = shown[start];
      if (first?.token.kind === 'bos' && first.score === null && start > 0) nodes.push(lineBreak());
      if (end - start === 1 && tokens[start]?.kind !== 'bytes') {
        nodes.push(...roots);
      } else {
        const name = el(
          'span',
          { class: 'group-name', 'aria-hidden': 'true' },
          text === '' ? '�' : characterLabel(text),
        );
        nodes.push(el('span', { class: 'byte-group' }, el('span', {}, ...roots), name));
      }
      if (first?.token.text === '\n') nodes.push(lineBreak());
    }
    cellsBox.replaceChildren(...nodes);
  }

  function makeCell(index: number): Cell {
    const glyph = el('span', { class: 'glyph' });
    const loss = el('span', { class: 'cell-loss' });
    const root = el('button', { type: 'button', role: 'radio', class: 'token-cell' }, glyph, loss);
    root.addEventListener('click', () => {
      choose(place.page * PAGE + index, false);
    });
    return { root, glyph, loss };
  }

  /**
   * Every token by name: BOS begins a document where nothing comes before it, and ends it
   * elsewhere.
   */
  function namesOf(tokens: readonly ScoredToken[]): string[] {
    const all = spokenLabels(
      tokens.map(({ token }) => token),
      words,
      comingName,
    );
    return tokens.map(({ token, score }, index) =>
      token.kind === 'bos' && score === null ? spokenLabel(token, words) : (all[index] ?? ''),
    );
  }

  function showCells(tokens: readonly ScoredToken[]): void {
    const first = place.page * PAGE;
    const shown = tokens.slice(first, first + PAGE);
    const wanted = `${String(first)}:${shown.map(({ token }) => String(token.id)).join(' ')}`;
    if (wanted !== laidOut) {
      layOut(shown);
      laidOut = wanted;
    }
    const scale = colourScale(isDark());
    for (const [index, { token, score }] of shown.entries()) {
      const cell = cells[index];
      if (cell === undefined) continue;
      const { root, glyph, loss } = cell;
      setText(glyph, score === null ? axisLabel(token) : comingLabel(token));
      setText(loss, score === null ? '·' : number(score.loss, 1));
      const colour =
        score === null ? { background: '', ink: '' } : lossColour(scale, score.loss, data.guessing);
      root.style.backgroundColor = colour.background;
      root.style.color = colour.ink;
      const isChosen = first + index === place.chosen;
      setAttribute(root, 'aria-checked', String(isChosen));
      root.tabIndex = isChosen ? 0 : -1;
      const name = names[first + index] ?? '';
      const values = score === null ? {} : { loss: number(score.loss, 2), name };
      setAttribute(
        root,
        'aria-label',
        score === null ? t('tokens.cell.first', { name }) : t('tokens.cell', values),
      );
    }
  }

  function showChosen(tokens: readonly ScoredToken[]): void {
    const one = tokens[place.chosen];
    if (one === undefined) return;
    const { token, score } = one;
    const name = names[place.chosen] ?? '';
    setText(chosenHead, t('tokens.chosen', { position: number(place.chosen + 1), name }));
    candidatesBox.hidden = score === null;
    chosenTerm.hidden = score === null;
    if (score === null) {
      setText(chosenText, t('tokens.chosen.first'));
      setText(chosenCapped, '');
      return;
    }
    setText(
      chosenText,
      t('tokens.chosen.score', {
        loss: number(score.loss, 3),
        probability: chanceText(score.probability, words),
        rank: rankText(score, words),
        entropy: number(score.entropy, 2),
        doubt: doubtText(score.entropy, words),
      }),
    );
    setText(chosenCapped, isCapped(one) ? cappedText() : '');
    const listed = score.candidates.some((candidate) => candidate.token.id === token.id);
    const own = listed ? [] : [{ token, probability: score.probability }];
    const rows = [...score.candidates, ...own].map((candidate, index) => ({
      token: candidate.token,
      values: [candidate.probability],
      // Beside the token that came, where the place of its row is not its own.
      ...(candidate.token.id === token.id && (score.tied > 1 || score.rank !== index + 1)
        ? { ranked: score }
        : {}),
    }));
    candidates.update({
      caption: t('tokens.candidates', { before: textBefore(tokens, place.chosen, words) }),
      rows,
      marked: { id: token.id, text: t('tokens.real') },
      cut: null,
      rest: null,
      complete: rows.length >= Math.round(Math.exp(data.guessing)),
    });
  }

  function show(): void {
    const { tokens } = data;
    const reasons = fillers.map(({ button, text, why }) => {
      button.disabled = text() === '';
      return button.disabled ? why() : '';
    });
    setText(missing, sentences(reasons, words));
    setAttribute(field, 'aria-invalid', String(data.error !== ''));
    note.classList.toggle('error', data.error !== '');
    // A slip of the finger does not blank what was there; whose tokens these are is said.
    const old = data.error !== '' && tokens !== null ? [t('tokens.before')] : [];
    setText(note, data.error !== '' ? sentences([data.error, ...old], words) : leftOut());
    empty.hidden = tokens !== null || data.error !== '';
    const isBlank = field.value !== '' && field.value.trim() === '';
    setText(empty, t(isBlank ? 'tokens.blank' : 'tokens.empty'));
    result.hidden = tokens === null;
    if (tokens === null) return;
    if (place.chosen < 0 || place.chosen >= tokens.length) place.chosen = strangest(tokens);
    place.page = Math.min(place.page, Math.max(0, Math.ceil(tokens.length / PAGE) - 1));
    const state = [tokens, place.chosen, place.page, isDark(), fold.isOpen()];
    if (state.every((value, index) => value === drawn[index])) return;
    drawn = state;
    names = namesOf(tokens);
    const marks = tokens.some(({ token }) => token.kind === 'bos') ? t('token.marks') : '';
    setText(how, sentences([hint(words, 'tokens.hint'), marks], words));
    setText(figure.mean, t('tokens.nats', { value: number(data.meanLoss, 3) }));
    setText(figure.bits, number(bitsPerCharacterOf(tokens), 2));
    setText(figure.perplexity, words.short(Math.exp(data.meanLoss)));
    setText(figure.scored, number(data.scored));
    capped.hidden = !tokens.some(isCapped);
    setText(capped, cappedText());
    setText(stamp, t('tokens.step', { step: number(data.step) }));
    setText(guess, t('tokens.scale.guessing', { loss: number(data.guessing, 2) }));
    setText(ends, t('tokens.scale.end', { loss: number(strongestLoss(data.guessing), 1) }));
    const gradient = scaleGradient(colourScale(isDark()));
    if (bar.style.backgroundImage !== gradient) bar.style.backgroundImage = gradient;
    guess.style.left = `${String((100 * data.guessing) / strongestLoss(data.guessing))}%`;
    ends.style.left = '100%';
    showCells(tokens);
    showChosen(tokens);
    const pages = Math.ceil(tokens.length / PAGE);
    pager.hidden = pages < 2;
    back.disabled = place.page === 0;
    on.disabled = place.page >= pages - 1;
    const last = Math.min(tokens.length, (place.page + 1) * PAGE);
    setText(
      pageText,
      t('tokens.page', {
        first: number(place.page * PAGE + 1),
        last: number(last),
        count: number(tokens.length),
      }),
    );
    if (fold.isOpen()) showTable(tokens.slice(place.page * PAGE, last));
  }

  function showTable(shown: readonly ScoredToken[]): void {
    const heads = ['token', 'loss', 'probability', 'rank', 'entropy'] as const;
    const rows = shown.map(({ score }, index) => [
      names[place.page * PAGE + index] ?? '',
      ...(score === null
        ? ['–', '–', '–', '–']
        : [
            number(score.loss, 3),
            chanceText(score.probability, words),
            rankText(score, words),
            number(score.entropy, 2),
          ]),
    ]);
    const titles = heads.map((head) => t(`tokens.col.${head}`));
    tableBox.replaceChildren(table(t('tokens.table.caption'), titles, rows));
  }

  function cappedText(): string {
    return t('tokens.capped', { loss: number(LARGEST_LOSS, 2) });
  }

  function leftOut(): string {
    const parts: string[] = [];
    if (data.omitted > 0) parts.push(t('tokens.omitted', { count: data.omitted }));
    if (data.cut > 0) parts.push(t('tokens.cut', { count: data.cut }));
    return sentences(parts, words);
  }

  const draw = perFrame(show);
  show();

  return {
    update(next) {
      data = next.tokens === null && next.error !== '' ? { ...data, error: next.error } : next;
      draw.request();
    },
    setField(text) {
      if (field.value !== text) field.value = text;
    },
    resize: draw.request,
    destroy() {
      draw.cancel();
      container.replaceChildren();
    },
  };
}

/** Whether a token was so unlikely that its loss does not tell how unlikely. */
function isCapped({ score }: ScoredToken): boolean {
  return score !== null && score.probability < LEAST_PROBABILITY;
}

/** Makes what follows begin a new line. */
function lineBreak(): HTMLElement {
  return el('span', { class: 'line-break', 'aria-hidden': 'true' });
}

/** The token with the greatest loss: where there is most to see. */
function strangest(tokens: readonly ScoredToken[]): number {
  let best = 0;
  for (const [index, { score }] of tokens.entries()) {
    if ((score?.loss ?? -1) > (tokens[best]?.score?.loss ?? -1)) best = index;
  }
  return best;
}
