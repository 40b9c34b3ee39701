/**
 * The dialog that makes a card: which lines, what they were learned from, the card as it will be
 * shared, and the buttons that share it. Nothing leaves the page but by these.
 */
import './card.css';
import type { AllWords } from '../../i18n/index.ts';
import { copyText } from '../../kit/copy-text.ts';
import { createCopyLink } from '../../kit/copy-link.ts';
import type { CopyLink, CopyLinkOptions } from '../../kit/copy-link.ts';
import { el, freshId, perFrame, setText } from '../../kit/dom.ts';
import { download, saidSaved } from '../../kit/download.ts';
import { canvasFile, pictureProblem } from '../../kit/export-picture.ts';
import { MOST_LINES } from './card-lines.ts';
import type { CardLine } from './card-lines.ts';
import { CARD_SIZE, drawCard } from './picture.ts';
import type { CardPicture } from './picture.ts';

export interface CardOptions {
  readonly words: AllWords;
  /** Whether there is a page that a link could lead to. */
  readonly hasLink: boolean;
  readonly onLink: CopyLinkOptions['onLink'];
}

export interface CardData {
  readonly lines: readonly CardLine[];
  /** The places of the lines that are chosen at first. */
  readonly preset: ReadonlySet<number>;
  /** What the model learned from. */
  readonly phrase: string;
  readonly onPhrase: (phrase: string) => void;
  /** How many numbers the model has. */
  readonly parameters: number;
  /** It began with a model from a file: not all of it grew here. */
  readonly isOpened: boolean;
  /** The text of the page is the reader's own. */
  readonly isOwn: boolean;
  /** Where the page is, without its protocol; empty if others cannot open it. */
  readonly address: string;
  /** The name of the file of a card of this step. */
  readonly fileName: (step: number) => string;
}

/** Characters of what the model learned from, at most. */
const PHRASE_LIMIT = 60;

export class CardDialog {
  readonly #words: AllWords;
  readonly #dialog: HTMLDialogElement;
  readonly #canvas = el('canvas', { ...CARD_SIZE, role: 'img' });
  readonly #list: HTMLElement;
  readonly #from: HTMLInputElement;
  readonly #share: HTMLButtonElement;
  readonly #save: HTMLButtonElement;
  readonly #copy: HTMLButtonElement;
  readonly #link: CopyLink;
  readonly #status = el('p', { class: 'note', role: 'status' });
  #boxes: readonly HTMLInputElement[] = [];
  #data: CardData | null = null;
  /** The picture as it was last drawn: sharing must follow a press at once. */
  #file: Promise<Blob> | null = null;

  constructor(container: HTMLElement, { words, hasLink, onLink }: CardOptions) {
    const { t } = words;
    this.#words = words;
    const [titleId, fromId] = [freshId('card'), freshId('card-from')];
    const button = (look: string, text: string, act: () => unknown): HTMLButtonElement => {
      const made = el('button', { type: 'button', class: look }, text);
      made.addEventListener('click', act);
      return made;
    };
    const close = button('note-close', '×', () => {
      this.#dialog.close();
    });
    close.setAttribute('aria-label', t('glossary.close'));
    this.#share = button('primary', t('card.share'), () => this.#tryTo(this.#sharePicture));
    this.#share.hidden = !canShare(new File([], 'card.png', { type: 'image/png' }));
    this.#save = button('secondary', t('card.save'), () => this.#tryTo(this.#savePicture));
    this.#copy = button('secondary', t('card.copy'), () => this.#tryTo(this.#copyText));
    this.#list = el('fieldset', { class: 'card-lines' });
    this.#from = el('input', {
      id: fromId,
      type: 'text',
      maxlength: PHRASE_LIMIT,
      autocomplete: 'off',
    });
    this.#link = createCopyLink({ words, look: 'link', onLink });
    this.#link.root.hidden = !hasLink;
    this.#dialog = el(
      'dialog',
      { class: 'card', 'aria-labelledby': titleId },
      el('div', { class: 'note-head' }, el('h2', { id: titleId }, t('card.title')), close),
      el(
        'div',
        { class: 'card-maker' },
        this.#canvas,
        el(
          'div',
          { class: 'card-choices' },
          this.#list,
          el('label', { for: fromId, class: 'field-label' }, t('card.from')),
          this.#from,
        ),
        el(
          'div',
          { class: 'card-share' },
          el('div', { class: 'card-buttons' }, this.#share, this.#save, this.#copy),
          this.#status,
          this.#link.root,
        ),
      ),
    );
    container.append(this.#dialog);
    this.#listen();
  }

  #listen(): void {
    this.#list.addEventListener('change', () => {
      this.#show();
    });
    this.#from.addEventListener('input', () => {
      this.#data?.onPhrase(this.#from.value);
      this.#show();
    });
    // What lies around the dialog belongs to it: there nothing but the dialog itself is pressed.
    this.#dialog.addEventListener('click', ({ target }) => {
      if (target === this.#dialog) this.#dialog.close();
    });
  }

  /** Opens the dialog for these lines. */
  open(data: CardData): void {
    const { t, number } = this.#words;
    this.#data = data;
    this.#from.value = data.phrase;
    this.#link.update(data.isOwn);
    this.#boxes = data.lines.map((_, at) =>
      el('input', { type: 'checkbox', checked: data.preset.has(at) }),
    );
    const rows = data.lines.map(({ text, given, isCut, step }, at) =>
      el(
        'label',
        { class: 'check' },
        this.#boxes[at]!,
        el(
          'span',
          { class: 'card-line', translate: 'no', dir: 'auto' },
          el('span', { class: 'given' }, given),
          el('span', { class: 'written' }, text.slice(given.length), isCut ? '…' : null),
        ),
        el('span', { class: 'stamp' }, t('card.step', { step: number(step) })),
      ),
    );
    const legend = el('legend', { class: 'field-label' }, t('card.lines'));
    this.#list.replaceChildren(legend, el('div', { class: 'card-list' }, ...rows));
    this.#say('');
    this.#dialog.showModal();
    this.#show();
  }

  #chosen(): readonly CardLine[] {
    const lines = this.#data?.lines ?? [];
    return (
      lines
        .filter((_, at) => this.#boxes[at]?.checked)
        .map((line, at) => ({ line, at }))
        // From the first step to the last; of one step, as they were written.
        .sort((a, b) => a.line.step - b.line.step || a.at - b.at)
        .map(({ line }) => line)
    );
  }

  /** The step of the newest line. */
  #step(): number {
    return Math.max(0, ...this.#chosen().map(({ step }) => step));
  }

  #card(): CardPicture {
    const { t, number } = this.#words;
    const lines = this.#chosen();
    const hasOneStep = lines.every(({ step }) => step === lines[0]?.step);
    const values = { step: this.#step(), text: this.#from.value.trim() };
    const isNamed = values.text !== '';
    const learned = hasOneStep
      ? t(isNamed ? 'card.learned.step' : 'card.step', values)
      : t('card.learned', values);
    const model = this.#data?.isOpened === true ? 'card.model.opened' : 'card.model';
    return {
      title: t('app.title'),
      address: this.#data?.address ?? '',
      lines: lines.map(({ text, given, isCut, step }) => ({
        text: isCut ? `${text}…` : text,
        given,
        step: hasOneStep ? '' : t('card.step', { step: number(step) }),
      })),
      learned: hasOneStep || isNamed ? learned : '',
      model: t(model, { count: this.#data?.parameters ?? 0 }),
    };
  }

  /** The card in words. */
  #text(): string {
    const { title, address, lines, learned, model } = this.#card();
    const written = lines.map(({ step, text }) => (step === '' ? text : `${step}: ${text}`));
    const from = [title, address].filter((part) => part !== '').join(', ');
    return [...written, '', learned, model, from]
      .filter((line, at) => line !== '' || at === written.length)
      .join('\n');
  }

  #show(): void {
    const { t } = this.#words;
    const count = this.#chosen().length;
    for (const box of this.#boxes) box.disabled = count >= MOST_LINES && !box.checked;
    for (const button of [this.#share, this.#save, this.#copy]) button.disabled = count === 0;
    this.#say(count === 0 ? t('card.lines.none') : '');
    this.#draw.request();
  }

  readonly #draw = perFrame(() => {
    if (!this.#dialog.open) return;
    drawCard(this.#canvas, this.#card());
    this.#canvas.setAttribute('aria-label', this.#words.t('card.picture', { text: this.#text() }));
    this.#file = canvasFile(this.#canvas);
    // Said when it is asked for.
    this.#file.catch(() => undefined);
  });

  #say(text: string): void {
    setText(this.#status, text);
  }

  #tryTo(act: () => Promise<void>): void {
    this.#say('');
    this.#draw.settle();
    act().catch((thrown: unknown) => {
      this.#say(pictureProblem(thrown, this.#words));
    });
  }

  async #picture(): Promise<File> {
    const { fileName = () => '' } = this.#data ?? {};
    const name = fileName(this.#step());
    // The reader may have allowed canvas data since the card was drawn.
    const file = await this.#file?.catch(() => canvasFile(this.#canvas));
    return new File([file ?? ''], name, { type: 'image/png' });
  }

  readonly #sharePicture = async (): Promise<void> => {
    const text = this.#text();
    const file = await this.#picture();
    try {
      await navigator.share({ files: [file], text });
    } catch (thrown) {
      if (thrown instanceof DOMException && thrown.name === 'AbortError') return;
      download(file, file.name);
      this.#say(this.#words.t('card.refused', { name: file.name }));
    }
  };

  readonly #savePicture = async (): Promise<void> => {
    const file = await this.#picture();
    download(file, file.name);
    const words = this.#words;
    this.#say(saidSaved(words.t('export.saved', { name: file.name }), words));
  };

  readonly #copyText = async (): Promise<void> => {
    const isCopied = await copyText(this.#text());
    this.#say(this.#words.t(isCopied ? 'share.copied' : 'card.copy.by-hand'));
  };

  /** Colours have changed. */
  resize(): void {
    this.#draw.request();
  }

  destroy(): void {
    this.#draw.cancel();
    this.#dialog.close();
    this.#dialog.remove();
  }
}

/** Whether the system shares such a file. */
function canShare(file: File): boolean {
  const { canShare: asks } = navigator as Partial<Navigator>;
  return asks?.call(navigator, { files: [file] }) === true;
}
