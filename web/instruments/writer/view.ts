/**
 * Writing one token at a time: the text as it grows, what may come next before and after the dice
 * are set, how the last one was drawn, and the cache that grows with it.
 */
import { sentences } from '../../i18n/index.ts';
import type { AnyKey, AllWords } from '../../i18n/index.ts';
import { axisLabel, bytesLabel, characterLabel } from '../../data/attention-data.ts';
import { groupBytes } from '../../data/byte-groups.ts';
import { createCachePicture } from './cache-picture.ts';
import type { CachePictureData } from './cache-picture.ts';
import { colourScale } from '../../kit/weight-colour.ts';
import { createDiceStrip } from './dice-strip.ts';
import type { DicePart } from './dice-strip.ts';
import {
  disclosure,
  el,
  freshId,
  icon,
  ICONS,
  perFrame,
  setAttribute,
  setSteadyText,
  setText,
  table,
} from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { lossColour } from '../../kit/loss-colour.ts';
import { createProbabilityTable } from '../../kit/probability-table.ts';
import { fitsSampling } from '../../base/sampling-limits.ts';
import { FIELDS, mistakeText, samplingField } from '../../kit/sampling-fields.ts';
import type { PromptRequest } from '../../base/sampling-limits.ts';
import { spokenLabels } from '../../kit/row-labels.ts';
import { termButton } from '../../kit/term.ts';
import { LEAST_PROBABILITY } from '../../data/loss-data.ts';
import {
  chanceText,
  comingLabel,
  comingName,
  doubtText,
  fullBar,
  shareText,
} from '../../data/token-data.ts';
import type { VocabularyToken } from '../../data/token-data.ts';

export interface TokenWriterOptions {
  readonly words: AllWords;
  readonly folds: Folds;
  readonly isDark: () => boolean;
  readonly request: PromptRequest;
  /** Where the KV cache is explained; null where there is no documentation. */
  readonly cachePage: string | null;
  readonly onNext: () => void;
  readonly onTake: (id: number) => void;
  readonly onUndo: () => void;
  readonly onAgain: () => void;
  readonly onPlay: (play: boolean) => void;
  readonly onChange: (request: PromptRequest) => void;
}

/** A token that may come. */
export interface WriterChoice extends DicePart {
  readonly probability: number;
}

export interface WriterDistribution {
  readonly choices: readonly WriterChoice[];
  readonly rest: {
    readonly count: number;
    readonly probability: number;
    readonly adjusted: number;
  };
  readonly drawable: number;
  readonly entropy: number;
  readonly adjustedEntropy: number;
}

/** A token that was written. */
export interface WrittenToken {
  readonly choice: WriterChoice;
  readonly from: WriterDistribution;
  readonly uniform: number;
  readonly taken: boolean;
  /** What it was drawn with. */
  readonly dice: Dice;
}

/** The settings that a draw depends on, but for the number that is drawn. */
export type Dice = Pick<PromptRequest, 'temperature' | 'topK' | 'topP'>;

export interface TokenWriterData {
  /** False until there is a model. */
  readonly ready: boolean;
  readonly step: number;
  readonly prompt: readonly VocabularyToken[];
  readonly written: readonly WrittenToken[];
  /** The text without the prompt, and the bytes of an unfinished character. */
  readonly text: string;
  readonly pending: string;
  readonly coming: WriterDistribution | null;
  /** Why the text has ended; empty while it goes on. */
  readonly end: '' | 'ended' | 'full' | 'limit';
  readonly reread: boolean;
  /** The token that was taken back last, until something else is done; null otherwise. */
  readonly undone: WrittenToken | null;
  readonly playing: boolean;
  readonly cache: CachePictureData | null;
  /** ln V: the loss of guessing. */
  readonly guessing: number;
  readonly error: string;
}

export interface TokenWriter extends View<TokenWriterData> {
  /** Shows other settings in the fields. */
  setRequest(request: PromptRequest): void;
}

/** Rows of candidates that are shown at first. */
const BRIEF = 10;

/** Creates the view in `container`. */
export function createTokenWriter(
  container: HTMLElement,
  options: TokenWriterOptions,
): TokenWriter {
  const { words, isDark } = options;
  const { t, number } = words;
  let request = options.request;

  // ---- The prompt and the dice ------------------------------------------------------------------

  const promptId = freshId('write-prompt');
  const noteId = freshId('write-note');
  const statusId = freshId('write-status');
  const mistakeId = freshId('write-mistake');
  const prompt = el('input', {
    id: promptId,
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: t('ask.placeholder'),
    'aria-describedby': noteId,
  });
  const fields = FIELDS.filter(({ name }) => name !== 'maxTokens').map((field) => {
    // The word above it is a button of its own, and no label.
    const { input, read } = samplingField(field.name, {
      'aria-label': t(field.label),
      'aria-description': t(field.help),
      'aria-describedby': mistakeId,
    });
    const root = el(
      'div',
      {},
      // The keys come to the field first; the style sheet puts its word above it.
      input,
      el(
        'span',
        { class: 'field-label', title: t(field.help) },
        field.term === undefined ? t(field.label) : termButton(field.term, t(field.label)),
      ),
    );
    return { field, input, read, root };
  });
  const note = el('p', { id: noteId, class: 'note error', role: 'status' });
  /** What is wrong with the numbers; empty while nothing is. */
  let wrong = '';

  function fillFields(): void {
    if (prompt.value !== request.prompt) prompt.value = request.prompt;
    for (const { field, input } of fields) {
      const value = String(request[field.name]);
      if (input.value !== value) input.value = value;
    }
  }
  fillFields();

  function readFields(): void {
    const next: Record<string, number | string> = { ...request, prompt: prompt.value };
    const mistakes: string[] = [];
    for (const { field, input, read } of fields) {
      const value = read();
      const ok = fitsSampling(field.name, value);
      setAttribute(input, 'aria-invalid', String(!ok));
      next[field.name] = value;
      if (!ok) mistakes.push(mistakeText(field, words));
    }
    wrong = sentences(mistakes, words);
    draw.request();
    if (wrong !== '') {
      options.onPlay(false);
      return;
    }
    request = next as unknown as PromptRequest;
    options.onChange(request);
  }

  /** Two forms, so that the numbers stand beside what they change. */
  const form = (...children: HTMLElement[]): HTMLFormElement => {
    const root = el('form', { class: 'write-form', novalidate: true }, ...children);
    root.addEventListener('input', readFields);
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      if (wrong === '') options.onNext();
    });
    return root;
  };
  const promptForm = form(
    el(
      'div',
      { class: 'write-prompt' },
      el('label', { for: promptId, class: 'field-label' }, t('ask.prompt')),
      prompt,
    ),
  );
  const mistake = el('p', { id: mistakeId, class: 'note error', role: 'status' });
  const diceForm = form(...fields.map(({ root }) => root), mistake);
  diceForm.classList.add('write-dice');

  // ---- Buttons ----------------------------------------------------------------------------------

  const button = (kind: string, path: string, title: AnyKey, press: () => void) => {
    const label = el('span', {}, t(title));
    const drawn = el('span', { class: 'icon-box' }, icon(path));
    const root = el('button', { type: 'button', class: kind }, drawn, label);
    root.addEventListener('click', press);
    return { root, label, drawn };
  };
  const next = button('primary', ICONS.step, 'write.next', options.onNext);
  const play = button('secondary', ICONS.start, 'write.play', () => {
    options.onPlay(!data.playing);
  });
  const undo = button('secondary', ICONS.rewind, 'write.undo', options.onUndo);
  const again = button('secondary', ICONS.stop, 'write.again', options.onAgain);
  again.drawn.remove();
  const status = el('p', { id: statusId, class: 'summary write-status', role: 'status' });

  // ---- The text, what may come, the dice, the cache ---------------------------------------------

  const plain = el('p', { class: 'visually-hidden' });
  const tokens = el('div', { class: 'written-tokens', 'aria-hidden': 'true', translate: 'no' });
  const key = el('p', { class: 'note' });
  const stamp = el('span', { class: 'stamp' });
  const comingText = el('span', {});
  const comingTerm = termButton('prediction_entropy', t('glossary.more'));
  const comingSummary = el('p', { class: 'summary' }, comingText, ' ', comingTerm);
  const comingBox = el('div', {});
  const coming = createProbabilityTable(comingBox, {
    words,
    tokenHead: t('tokens.col.token'),
    columns: [t('write.col.model'), t('write.col.dice')],
    brief: BRIEF,
    onTake: ({ id }) => {
      options.onTake(id);
    },
    takeLabel: (token) => t('write.take', { name: comingName(token, words) }),
  });
  const diceBox = el('div', {}, el('h3', {}, t('write.dice')));
  const showDice = createDiceStrip(diceBox, words);
  const cacheBox = el('div', { class: 'write-cache' });
  const cache = createCachePicture(cacheBox, { words, href: options.cachePage });
  const tableBox = el('div', {
    class: 'table-scroll',
    tabindex: 0,
    role: 'region',
    'aria-label': t('write.table'),
  });
  const fold = options.folds.keep(
    'write.table',
    disclosure('data', t('write.table'), () => draw.request(), tableBox),
  );
  const empty = el('p', { class: 'muted' }, t('write.empty'));
  const comingSection = el(
    'div',
    { class: 'write-coming' },
    el('div', { class: 'head-row' }, el('h3', {}, t('write.coming')), stamp),
    diceForm,
    comingSummary,
    comingBox,
  );
  const result = el(
    'div',
    { class: 'write-result' },
    el('div', { class: 'write-text', role: 'group', 'aria-label': t('write.text') }, plain, tokens),
    key,
    el(
      'div',
      { class: 'write-line' },
      el('div', { class: 'buttons' }, next.root, play.root, undo.root),
      again.root,
      status,
    ),
    el(
      'div',
      { class: 'write-columns' },
      comingSection,
      el('div', { class: 'write-inside' }, diceBox, cacheBox, fold.root),
    ),
  );
  container.append(el('p', { class: 'lead' }, t('write.lead')), promptForm, note, empty, result);

  let data: TokenWriterData = {
    ready: false,
    step: 0,
    prompt: [],
    written: [],
    text: '',
    pending: '',
    coming: null,
    end: '',
    reread: false,
    undone: null,
    playing: false,
    cache: null,
    guessing: 1,
    error: '',
  };

  /** What the tokens are called, those of the prompt first. */
  let names: readonly string[] = [];

  /** Every token in a box of its own, those written in the colour of their surprise. */
  function showTokens(): void {
    const scale = colourScale(isDark());
    const given = data.prompt.map((token) => ({ token, written: null as WrittenToken | null }));
    const grown = data.written.map((written) => ({ token: written.choice.token, written }));
    const list = [...given, ...grown];
    const unseen = unseenTokens(list.length);
    const boxes = list.map(({ token, written }, index) => {
      const box =
        written === null
          ? el('span', { class: 'piece given' }, axisLabel(token))
          : el('span', { class: 'piece' }, comingLabel(token));
      if (written !== null) {
        const loss = -Math.log(Math.max(written.choice.probability, LEAST_PROBABILITY));
        const { background, ink } = lossColour(scale, loss, data.guessing);
        box.style.backgroundColor = background;
        box.style.color = ink;
        box.classList.toggle('taken', written.taken);
        box.title = `${names[index] ?? ''} ${chanceText(written.choice.probability, words)}`;
      }
      return box;
    });
    const nodes: Node[] = [];
    for (const { start, end, text } of groupBytes(list.map(({ token }) => token))) {
      const group = boxes.slice(start, end);
      if (end - start > 1 || list[start]?.token.kind === 'bytes') {
        const name = el('span', { class: 'group-name' }, text === '' ? '…' : characterLabel(text));
        nodes.push(el('span', { class: 'byte-group' }, el('span', {}, ...group), name));
      } else nodes.push(...group);
      if (start < unseen && end >= unseen) nodes.push(el('span', { class: 'context-edge' }));
      if (list[start]?.token.text === '\n') nodes.push(el('span', { class: 'line-break' }));
    }
    tokens.replaceChildren(...nodes);
    const marks = list.some(({ token }) => token.kind === 'bos') ? t('token.marks') : '';
    setText(key, sentences([t('write.hint'), marks, unseen > 0 ? t('write.unseen') : ''], words));
    const shown = data.prompt.map(({ text }) => text).join('') + data.text;
    setText(plain, `${shown === '' ? t('write.text.none') : shown} ${pendingText()}`.trim());
  }

  /** Tokens at the beginning that have left the context; what ends a text never comes into it. */
  function unseenTokens(count: number): number {
    if (data.cache === null) return 0;
    const unread = data.end === 'ended' || data.end === 'full' ? 1 : 0;
    return Math.max(0, count - unread - data.cache.context.length);
  }

  /** What the last bytes are as long as they are no character. */
  function pendingText(): string {
    const { pending } = data;
    return pending === '' ? '' : t('write.pending', { name: bytesLabel(pending, words) });
  }

  /** What was taken back; what was drawn would be drawn again. */
  function undoneText({ choice, uniform }: WrittenToken): string {
    const name = comingName(choice.token, words);
    const again = Number.isNaN(uniform) ? '' : t('write.undone.again');
    return sentences([t('write.undone', { name }), again], words);
  }

  function showStatus(): void {
    setSteadyText(mistake, wrong);
    // The buttons that wait for it say so.
    const why = wrong === '' ? statusId : mistakeId;
    for (const { root } of [next, play]) setAttribute(root, 'aria-describedby', why);
    // A text that plays is not read out token by token.
    if (data.playing && data.end === '') {
      setSteadyText(status, '');
      return;
    }
    const parts: string[] = [];
    const last = data.written.at(-1);
    if (data.undone !== null) parts.push(undoneText(data.undone));
    else if (last !== undefined) {
      const name = names.at(-1) ?? '';
      const probability = chanceText(last.choice.probability, words);
      const adjusted = shareText(last.choice.adjusted, words);
      // Without dice there is nothing that it was drawn with.
      const isOther = adjusted !== probability && !Number.isNaN(last.uniform);
      const drawn = isOther ? 'write.drawn.other' : 'write.drawn';
      parts.push(t(last.taken ? 'write.taken' : drawn, { name, probability, adjusted }));
    }
    parts.push(pendingText());
    if (data.reread) parts.push(t('write.reread', { step: number(data.step) }));
    if (data.cache?.refilled === true && data.undone === null) parts.push(t('write.refilled'));
    if (data.end !== '') parts.push(t(`write.${data.end}`));
    // The candidates below are pressed quickly: they are not to move.
    setSteadyText(status, sentences(parts, words));
  }

  function showComing(): void {
    const { coming: distribution } = data;
    comingBox.hidden = distribution === null;
    comingTerm.hidden = distribution === null;
    setText(stamp, t('tokens.step', { step: number(data.step) }));
    if (distribution === null) {
      setText(comingText, t('write.coming.ended'));
      return;
    }
    const { choices, rest, drawable, entropy, adjustedEntropy } = distribution;
    // Where settings cut tokens away, the table says so; what only rounds away is to be told of.
    const { temperature, topK, topP } = request;
    const cutsNone = temperature > 0 && topK === 0 && topP >= 1;
    const tiny = cutsNone ? choices.length + rest.count - drawable : 0;
    const unsure = t('write.coming.unsure', {
      before: number(entropy, 2),
      after: number(adjustedEntropy, 2),
      doubt: doubtText(adjustedEntropy, words),
      drawable: number(drawable),
    });
    const gone = tiny > 0 ? t('write.coming.tiny', { count: tiny }) : '';
    setText(comingText, sentences([unsure, gone], words));
    const kept = choices.filter(({ adjusted }) => adjusted > 0).length;
    const full = fullBar(Math.max(...choices.map(({ probability }) => probability)));
    const isBeyond = choices.some(({ adjusted }) => adjusted > full);
    coming.update({
      fullBar: full,
      caption: sentences(
        [
          t('write.coming.caption', { step: number(data.step), full: number(100 * full) }),
          isBeyond ? t('write.coming.beyond') : '',
        ],
        words,
      ),
      rows: choices.map(({ token, probability, adjusted }) => ({
        token,
        values: [probability, adjusted],
      })),
      marked: null,
      cut: kept < choices.length ? { from: kept, text: cutReason() } : null,
      rest: {
        count: rest.count,
        label: (count) => t('write.rest', { count: number(count) }),
        values: [rest.probability, rest.adjusted],
      },
      complete: rest.count === 0,
    });
  }

  function cutReason(): string {
    const { temperature, topK, topP } = request;
    if (temperature === 0) return t('write.cut.greedy');
    // Nothing is cut then; what is left is less than the smallest number that there is.
    if (topK === 0 && topP >= 1) return t('write.cut.tiny');
    const values = { k: number(topK), p: words.short(topP) };
    if (topK > 0 && topP < 1) return t('write.cut.both', values);
    return t(topK > 0 ? 'write.cut.topK' : 'write.cut.topP', values);
  }

  /** With which settings a token was drawn, where they are others now. */
  function thenNote({ dice, uniform }: WrittenToken): string {
    const { temperature, topK, topP } = dice;
    const now = request;
    const same = temperature === now.temperature && topK === now.topK && topP === now.topP;
    if (Number.isNaN(uniform) || same) return '';
    const values = { temperature: words.short(temperature), k: number(topK), p: words.short(topP) };
    return t('write.dice.then', values);
  }

  function showTable(): void {
    const heads = [
      t('tokens.col.token'),
      t('write.col.model'),
      t('write.col.dice'),
      t('write.col.number'),
    ];
    const rows = data.written.map(({ choice, uniform }, index) => [
      names[data.prompt.length + index] ?? '',
      chanceText(choice.probability, words),
      shareText(choice.adjusted, words),
      number(uniform, 4),
    ]);
    tableBox.replaceChildren(table(t('write.table.caption'), heads, rows));
  }

  const draw = perFrame(() => {
    empty.hidden = data.ready || data.error !== '';
    result.hidden = !data.ready;
    setAttribute(prompt, 'aria-invalid', String(data.error !== ''));
    const old = data.error !== '' && data.ready ? [t('tokens.before')] : [];
    setText(note, sentences([data.error, ...old], words));
    if (!data.ready) return;
    next.root.disabled = data.end !== '' || wrong !== '';
    play.root.disabled = next.root.disabled;
    // What would be drawn now is not known.
    comingSection.classList.toggle('stale', wrong !== '');
    undo.root.disabled = data.written.length === 0;
    again.root.disabled = data.written.length === 0;
    setText(play.label, t(data.playing ? 'write.pause' : 'write.play'));
    play.drawn.replaceChildren(icon(data.playing ? ICONS.pause : ICONS.start));
    const all = [...data.prompt, ...data.written.map(({ choice }) => choice.token)];
    names = spokenLabels(all, words, comingName);
    showTokens();
    showStatus();
    showComing();
    const last = data.written.at(-1);
    showDice({
      parts: (last?.from ?? data.coming)?.choices ?? [],
      chosen: last?.choice ?? null,
      uniform: last?.uniform ?? NaN,
      taken: last?.taken ?? false,
      note: last === undefined ? '' : thenNote(last),
    });
    cache.update(data.cache);
    if (fold.isOpen()) showTable();
  });
  draw.request();

  return {
    update(changed) {
      data = changed;
      draw.request();
    },
    setRequest(changed) {
      request = changed;
      wrong = '';
      for (const { input } of fields) setAttribute(input, 'aria-invalid', 'false');
      fillFields();
    },
    resize: draw.request,
    destroy() {
      draw.cancel();
      container.replaceChildren();
    },
  };
}
