/**
 * Writing one token at a time: the text as it grows, what may come next before and after the dice
 * are set, how the last one was drawn, and the cache that grows with it.
 */
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import type { PromptRequest } from '../../base/sampling-limits.ts';
import { comingName } from '../../data/token-data.ts';
import { disclosure, el, freshId, icon, ICONS, perFrame } from '../../kit/dom.ts';
import { setAttribute, setSteadyText, setText } from '../../kit/dom.ts';
import type { Disclosure, View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { spokenLabels } from '../../kit/row-labels.ts';
import type { TextMarks } from '../../kit/text-marks.ts';
import { CachePicture } from './cache-picture.ts';
import { ComingTokens } from './coming-tokens.ts';
import { createDiceStrip } from './dice-strip.ts';
import { RequestFields } from './request-fields.ts';
import { boxesNote, pendingText, statusText } from './written-tokens.ts';
import { thenNote, tokenBoxes, tokensOf, writtenTable } from './written-tokens.ts';
import type { WriterDistribution, WrittenData } from './written-tokens.ts';

export interface TokenWriterOptions {
  readonly words: AllWords;
  readonly folds: Folds;
  readonly textMarks: TextMarks;
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

export interface TokenWriterData extends WrittenData {
  /** False until there is a model. */
  readonly ready: boolean;
  /** The text without the prompt. */
  readonly text: string;
  readonly coming: WriterDistribution | null;
  readonly error: string;
}

interface Button {
  readonly root: HTMLButtonElement;
  readonly label: HTMLElement;
  readonly drawn: HTMLElement;
}

export class TokenWriter implements View<TokenWriterData> {
  readonly #container: HTMLElement;
  readonly #options: TokenWriterOptions;
  readonly #fields: RequestFields;
  readonly #next: Button;
  readonly #play: Button;
  readonly #undo: Button;
  readonly #again: Button;
  readonly #status = el('p', {
    id: freshId('write-status'),
    role: 'status',
    class: 'summary write-status',
  });
  readonly #given = el('span', { class: 'given' });
  readonly #written = el('span', { class: 'written' });
  readonly #pending = el('span', { class: 'muted' });
  readonly #plain = el('p', {}, this.#given, this.#written, this.#pending);
  readonly #tokens = el('div', {
    class: 'written-tokens',
    translate: 'no',
    'aria-hidden': 'true',
  });
  readonly #key = el('p', { class: 'note' });
  readonly #coming: ComingTokens;
  readonly #showDice;
  readonly #cache: CachePicture;
  readonly #tableBox: HTMLElement;
  readonly #fold: Disclosure;
  readonly #empty: HTMLElement;
  readonly #result: HTMLElement;
  readonly #draw = perFrame(() => this.#show());
  #data: TokenWriterData | null = null;

  /** Creates the view in `container`. */
  constructor(container: HTMLElement, options: TokenWriterOptions) {
    this.#container = container;
    this.#options = options;
    const { words, onNext, onUndo, onAgain, onPlay } = options;
    const { t } = words;
    this.#fields = new RequestFields(words, options.request, {
      onChange: (request) => this.#change(request),
      onEnter: onNext,
    });
    this.#next = button('primary', ICONS.step, t('write.next'), onNext);
    this.#play = button('secondary', ICONS.start, t('write.play'), () =>
      onPlay(this.#data?.playing !== true),
    );
    this.#undo = button('secondary', ICONS.rewind, t('write.undo'), onUndo);
    this.#again = button('secondary', ICONS.stop, t('write.again'), onAgain);
    this.#again.drawn.remove();
    this.#coming = new ComingTokens(words, this.#fields.diceForm, options.onTake);
    const diceBox = el('div', {}, el('h3', {}, t('write.dice')));
    this.#showDice = createDiceStrip(diceBox, words);
    const cacheBox = el('div', { class: 'write-cache' });
    this.#cache = new CachePicture(cacheBox, words, options.cachePage);
    this.#tableBox = el('div', {
      class: 'table-scroll',
      tabindex: 0,
      role: 'region',
      'aria-label': t('write.table'),
    });
    this.#fold = options.folds.keep(
      'write.table',
      disclosure('data', t('write.table'), this.#draw.request, this.#tableBox),
    );
    this.#empty = el('p', { class: 'muted' }, t('write.empty'));
    this.#result = this.#createResult(diceBox, cacheBox);
    const lead = el('p', { class: 'lead' }, t('write.lead'));
    const { promptForm, note } = this.#fields;
    container.append(lead, promptForm, note, this.#empty, this.#result);
  }

  update(data: TokenWriterData): void {
    this.#data = data;
    this.#draw.request();
  }

  /** Shows other settings in the fields. */
  setRequest(request: PromptRequest): void {
    this.#fields.set(request);
  }

  resize(): void {
    this.#draw.request();
  }

  destroy(): void {
    this.#draw.cancel();
    this.#container.replaceChildren();
  }

  #createResult(...inside: HTMLElement[]): HTMLElement {
    const label = this.#options.words.t('write.text');
    const [next, play, undo] = [this.#next.root, this.#play.root, this.#undo.root];
    return el(
      'div',
      { class: 'write-result', hidden: true },
      el(
        'div',
        { class: 'write-text', role: 'group', 'aria-label': label },
        this.#plain,
        this.#tokens,
      ),
      this.#key,
      el(
        'div',
        { class: 'write-line' },
        el('div', { class: 'buttons' }, next, play, undo),
        this.#again.root,
        this.#status,
      ),
      el(
        'div',
        { class: 'write-columns' },
        this.#coming.root,
        el('div', { class: 'write-inside' }, ...inside, this.#fold.root),
      ),
    );
  }

  /** Null if a number does not fit. */
  #change(request: PromptRequest | null): void {
    this.#draw.request();
    if (request === null) this.#options.onPlay(false);
    else this.#options.onChange(request);
  }

  #show(): void {
    const data = this.#data;
    if (data === null) return;
    const { ready, error } = data;
    const { words } = this.#options;
    this.#empty.hidden = ready || error !== '';
    this.#result.hidden = !ready;
    const old = error !== '' && ready ? words.t('tokens.before') : '';
    this.#fields.tell(sentences([error, old], words), error !== '');
    if (!ready) return;
    const names = spokenLabels(tokensOf(data), words, comingName);
    this.#showText(data, names);
    this.#showButtons(data);
    // The candidates below are pressed quickly: they are not to move.
    setSteadyText(this.#status, statusText(data, names.at(-1) ?? '', words));
    // What would be drawn now is not known.
    this.#coming.root.classList.toggle('stale', this.#fields.isWrong);
    this.#coming.show(data.coming, this.#fields.request, data.step);
    this.#showLast(data);
    this.#cache.update(data.cache);
    if (this.#fold.isOpen()) this.#tableBox.replaceChildren(writtenTable(data, names, words));
  }

  #showText(data: TokenWriterData, names: readonly string[]): void {
    const { words, textMarks, isDark } = this.#options;
    this.#tokens.replaceChildren(...tokenBoxes(data, names, isDark(), words));
    setText(this.#key, boxesNote(data, words));
    const given = data.prompt.map((token) => token.text).join('');
    setText(this.#given, given + data.text === '' ? words.t('write.text.none') : given);
    textMarks.show(this.#written, data.text, !data.playing);
    const pending = pendingText(data, words);
    setText(this.#pending, pending === '' ? '' : ` ${pending}`);
    // Who sees the page has the tokens, but no marks there: those need the text.
    this.#plain.classList.toggle('visually-hidden', textMarks.marker === null);
  }

  #showButtons({ written, playing, end }: TokenWriterData): void {
    const { isWrong, mistakeId } = this.#fields;
    for (const { root } of [this.#next, this.#play]) {
      root.disabled = end !== '' || isWrong;
      // The buttons that wait for it say so.
      setAttribute(root, 'aria-describedby', isWrong ? mistakeId : this.#status.id);
    }
    for (const { root } of [this.#undo, this.#again]) root.disabled = written.length === 0;
    setText(this.#play.label, this.#options.words.t(playing ? 'write.pause' : 'write.play'));
    this.#play.drawn.replaceChildren(icon(playing ? ICONS.pause : ICONS.start));
  }

  /** How the last token was drawn. */
  #showLast({ written, coming }: TokenWriterData): void {
    const last = written.at(-1);
    const { request } = this.#fields;
    this.#showDice({
      parts: (last?.from ?? coming)?.choices ?? [],
      chosen: last?.choice ?? null,
      uniform: last?.uniform ?? NaN,
      taken: last?.taken ?? false,
      note: last === undefined ? '' : thenNote(last, request, this.#options.words),
    });
  }
}

function button(kind: string, path: string, title: string, press: () => void): Button {
  const label = el('span', {}, title);
  const drawn = el('span', { class: 'icon-box' }, icon(path));
  const root = el('button', { type: 'button', class: kind }, drawn, label);
  root.addEventListener('click', press);
  return { root, label, drawn };
}
