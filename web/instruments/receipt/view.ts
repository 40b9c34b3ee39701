/** The receipt of a run: to copy, to keep, to compare with another, and to check by a replay. */
import type { AllWords } from '../../i18n/index.ts';
import { el, freshId, setAttribute, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { termButton } from '../../kit/term.ts';

export interface ReceiptBoxData {
  /** The short form; empty before the first step. */
  readonly line: string;
  readonly copied: boolean;
  /** What the pasted receipt is and how it compares, in the reader's language. */
  readonly verdict: string;
  readonly verdictIsBad: boolean;
  /** Whether what was pasted can be replayed. */
  readonly checkable: boolean;
  /** How far a replay is; null if none is under way. */
  readonly progress: { readonly done: number; readonly steps: number } | null;
  /** What the last replay found, or why it could not be made; or empty. */
  readonly finding: string;
  readonly findingIsBad: boolean;
}

export interface ReceiptBoxOptions {
  readonly words: AllWords;
  /** The level of its heading, which depends on what it stands below. */
  readonly heading: 'h2' | 'h3';
  readonly onCopy: () => void;
  readonly onDownload: () => void;
  readonly onPaste: (text: string) => void;
  readonly onCheckOwn: () => void;
  readonly onCheckOther: () => void;
  readonly onCancel: () => void;
}

/** Creates the box in `container`. */
export function createReceiptBox(
  container: HTMLElement,
  options: ReceiptBoxOptions,
): View<ReceiptBoxData> {
  const { words } = options;
  const { t } = words;
  const button = (text: string, act: () => void): HTMLButtonElement => {
    const made = el('button', { type: 'button', class: 'secondary' }, text);
    made.addEventListener('click', act);
    return made;
  };
  const none = el('p', { class: 'muted' }, t('receipt.none'));
  const line = el('code', { class: 'receipt-line', 'data-part': 'receipt' });
  const label = el('span', { class: 'field-label' }, termButton('receipt', t('receipt.line')));
  const copied = el('span', { class: 'note', role: 'status' });
  const copy = button(t('receipt.copy'), options.onCopy);
  const checkOwn = button(t('receipt.check.own'), options.onCheckOwn);
  const own = el(
    'div',
    { class: 'receipt-own' },
    label,
    line,
    el(
      'div',
      { class: 'buttons' },
      copy,
      button(t('receipt.download'), options.onDownload),
      checkOwn,
      copied,
    ),
  );
  const field = el('textarea', {
    id: freshId('receipt'),
    rows: 2,
    spellcheck: 'false',
    autocomplete: 'off',
  });
  field.addEventListener('input', () => {
    options.onPaste(field.value);
  });
  const verdict = el('p', { class: 'note', role: 'status', 'data-part': 'receipt-verdict' });
  const check = button(t('receipt.check'), options.onCheckOther);
  const other = el(
    'div',
    { class: 'receipt-other' },
    el('label', { class: 'field-label', for: field.id }, t('receipt.other')),
    field,
    verdict,
    el('div', { class: 'buttons' }, check),
  );
  const bar = el('progress', { max: 1, value: 0 });
  const cancel = button(t('receipt.cancel'), options.onCancel);
  const replay = el('div', { class: 'receipt-replay' }, bar, cancel);
  const finding = el('p', { role: 'status', 'data-part': 'receipt-finding' });
  container.append(
    el(options.heading, {}, t('receipt.title')),
    el('p', { class: 'lead' }, t('receipt.lead')),
    none,
    el('div', { class: 'receipt-parts' }, own, other),
    replay,
    finding,
  );

  return {
    update(data) {
      const { progress } = data;
      none.hidden = data.line !== '';
      own.hidden = data.line === '';
      setText(line, data.line);
      setText(copied, data.copied ? t('receipt.copied') : '');
      setText(verdict, data.verdict);
      verdict.classList.toggle('error', data.verdictIsBad);
      check.hidden = !data.checkable;
      // They keep the focus meanwhile, and do nothing.
      for (const one of [check, checkOwn]) {
        setAttribute(one, 'aria-disabled', String(progress !== null));
      }
      replay.hidden = progress === null;
      if (progress !== null) {
        bar.value = progress.steps > 0 ? progress.done / progress.steps : 0;
        const { done, steps } = progress;
        bar.setAttribute('aria-label', t('receipt.progress', { done, steps }));
      }
      setText(finding, data.finding);
      finding.hidden = data.finding === '';
      finding.classList.toggle('error', data.findingIsBad);
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}
