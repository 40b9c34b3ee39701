/** Models as files: open one, choose its use, save the current one. */
import type { Key, Words } from '../../i18n/index.ts';
import { disclosure, el, freshId, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';

export type ModelPurpose = 'resume' | 'train' | 'generate';
const OWN = ['checkpoint', 'weights'] as const;
const SHARED = [
  'config.json',
  'model.safetensors',
  'vocab.json',
  'merges.txt',
  'tokenizer_config.json',
] as const;
export type ModelForm = (typeof OWN)[number] | (typeof SHARED)[number];

export interface ModelPanelOptions {
  readonly words: Words;
  readonly folds: Folds;
  /** All of it is in sight from the start. */
  readonly unfolded: boolean;
  readonly onOpen: (files: File[]) => void;
  readonly onPurpose: (purpose: ModelPurpose) => void;
  /** A new model is wanted in place of the opened one. */
  readonly onClose: () => void;
  readonly onSave: (form: ModelForm) => void;
  /** Takes the reader to an option of the form. */
  readonly onOption: (name: string) => void;
}

export interface ModelPanelData {
  /** What was opened; null for a model that began here. */
  readonly opened: {
    readonly name: string;
    /** Parameters, vocabulary and step in one line. */
    readonly facts: string;
    readonly purpose: ModelPurpose;
    readonly resumable: boolean;
    /** Why it is not used for what one would expect, or empty. */
    readonly why: string;
  } | null;
  readonly busy: boolean;
  readonly error: string;
  readonly saveError: string;
  /** Options that a model must have otherwise to be saved so. */
  readonly refusedFor: readonly { readonly name: string; readonly title: string }[];
  /** What was saved last, as a sentence; or empty. */
  readonly saved: string;
  /** Forms that the model can be saved as now. */
  readonly forms: readonly ModelForm[];
}

const PURPOSES: readonly ModelPurpose[] = ['resume', 'train', 'generate'];

/** Whether a file of a chosen folder lies in it and not in a folder of its own. */
function isAtTop({ webkitRelativePath: path }: File): boolean {
  return path.split('/').length <= 2;
}

/** Creates the panel in `container`. */
export function createModelPanel(
  container: HTMLElement,
  options: ModelPanelOptions,
): View<ModelPanelData> & {
  /** Takes the reader to where the model is saved. */
  readonly focusSave: () => void;
} {
  const { words, folds, unfolded, onOpen, onPurpose, onClose, onSave, onOption } = options;
  const { t } = words;
  const chooser = (text: string, how: Readonly<Record<string, boolean>>): HTMLElement => {
    const input = el('input', {
      type: 'file',
      class: 'visually-hidden',
      id: freshId('model'),
      ...how,
    });
    input.addEventListener('change', () => {
      const files = [...(input.files ?? [])].filter(isAtTop);
      // The same file may be chosen again after it was changed.
      input.value = '';
      if (files.length > 0) onOpen(files);
    });
    const label = el('label', { class: 'link file-link', for: input.id }, text);
    return el('span', { hidden: Object.keys(how).some((name) => !(name in input)) }, input, label);
  };
  const open = chooser(t('model.open'), { multiple: true });
  const openFolder = chooser(t('model.open.folder'), { webkitdirectory: true });

  const lead = el('p', { class: 'note' });
  const files = el('p', { class: 'note' }, t('model.which.files'));
  const which = folds.keep(
    'model.which',
    disclosure('which-files', t('model.which'), () => undefined, files),
  );
  const error = el('p', { class: 'note error', role: 'alert', 'data-part': 'model-error' });
  const name = el('strong', { 'data-part': 'model-name' });
  const facts = el('p', { class: 'note', 'data-part': 'model-facts' });
  const why = el('p', { class: 'note', 'data-part': 'model-why' });
  const close = el('button', { type: 'button', class: 'link' }, t('model.close'));
  close.addEventListener('click', onClose);
  const group = freshId('purpose');
  const radios = PURPOSES.map((purpose) => {
    const radio = el('input', { type: 'radio', name: group, value: purpose });
    const label = el('label', { class: 'choice' }, radio, el('span', {}, t(`model.${purpose}`)));
    radio.addEventListener('change', () => {
      onPurpose(purpose);
    });
    return { purpose, radio, label };
  });
  const opened = el(
    'div',
    { class: 'opened' },
    el('div', { class: 'head-row' }, name, close),
    facts,
    el(
      'fieldset',
      {},
      el('legend', { class: 'visually-hidden' }, t('model.purpose')),
      el('div', { class: 'segments' }, ...radios.map(({ label }) => label)),
    ),
    why,
  );

  const buttons = new Map<ModelForm, HTMLButtonElement>();
  const saveButton = (form: ModelForm, text: string): HTMLButtonElement => {
    const button = el('button', { type: 'button', class: 'secondary' }, text);
    button.addEventListener('click', () => {
      onSave(form);
    });
    buttons.set(form, button);
    return button;
  };
  const choice = (forms: readonly ModelForm[], help: Key, texts: readonly string[]): HTMLElement =>
    el(
      'div',
      { class: 'save-group' },
      el('p', { class: 'help' }, t(help)),
      el(
        'div',
        { class: 'buttons' },
        ...forms.map((form, at) => saveButton(form, texts[at] ?? '')),
      ),
    );
  const saveError = el('p', { class: 'note error', role: 'alert', 'data-part': 'save-error' });
  // One line for all of them; outside of the message, which is read aloud as a whole.
  const refused = el('p', { class: 'note' });
  let refusedShape = '';
  const saved = el('p', { class: 'note', role: 'status', 'data-part': 'saved' });
  const save = el(
    'div',
    { class: 'save' },
    el('h3', {}, t('model.save')),
    choice(OWN, 'model.save.own', [t('model.save.checkpoint'), t('model.save.weights')]),
    choice(SHARED, 'model.save.shared', SHARED),
    saveError,
    refused,
    saved,
  );
  const all = folds.keep(
    'model',
    disclosure(
      'model-file',
      t('model.title'),
      () => undefined,
      lead,
      el('p', { class: 'links' }, open, ' ', openFolder),
      which.root,
      save,
    ),
    unfolded,
  );
  // What became of a file that was dropped anywhere is seen without a press.
  container.append(all.root, opened, error);

  function showRefused(refusedFor: ModelPanelData['refusedFor']): void {
    refused.hidden = refusedFor.length === 0;
    const shape = JSON.stringify(refusedFor);
    if (shape === refusedShape) return;
    refusedShape = shape;
    const links = refusedFor.flatMap(({ name, title }, at) => {
      const link = el('button', { type: 'button', class: 'link' }, title);
      link.addEventListener('click', () => {
        onOption(name);
      });
      return at === 0 ? [link] : [t('list.separator'), link];
    });
    refused.replaceChildren(t('model.save.refused'), ' ', ...links);
  }

  return {
    focusSave() {
      all.open();
      const first = Array.from(buttons.values()).find((button) => !button.hidden);
      first?.scrollIntoView({ block: 'center' });
      first?.focus({ preventScroll: true });
    },
    update(data) {
      const { busy, forms } = data;
      lead.hidden = !busy && data.opened !== null;
      which.root.hidden = lead.hidden;
      setText(lead, t(busy ? 'model.busy' : 'model.none'));
      const isNews = data.error !== '' && data.error !== error.textContent;
      setText(error, data.error);
      error.hidden = data.error === '';
      // A file may have been dropped anywhere. At the top, nothing that is still to come can push
      // it away.
      if (isNews && !isWhollySeen(error)) error.scrollIntoView({ block: 'start' });
      setText(saveError, data.saveError);
      saveError.hidden = data.saveError === '';
      showRefused(data.refusedFor);
      setText(saved, data.saved);
      opened.hidden = data.opened === null;
      if (data.opened !== null) {
        const { purpose: chosen, resumable } = data.opened;
        setText(name, data.opened.name);
        setText(facts, data.opened.facts);
        setText(why, data.opened.why);
        why.hidden = data.opened.why === '';
        for (const { purpose, radio, label } of radios) {
          radio.checked = purpose === chosen;
          label.hidden = purpose === 'resume' && !resumable;
        }
      }
      save.hidden = forms.length === 0;
      for (const [form, button] of buttons) button.hidden = !forms.includes(form);
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}

function isWhollySeen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}
