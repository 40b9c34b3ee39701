/** Models as files: open one, choose its use, save the current one. */
import type { Words } from '../../i18n/index.ts';
import { disclosure, el, freshId, setText } from '../../kit/dom.ts';
import type { Disclosure, View } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { OpenedModel } from './opened-model.ts';
import type { OpenedModelData, OpenedModelOptions } from './opened-model.ts';
import { SaveModel } from './save-model.ts';
import type { SaveModelData, SaveModelOptions } from './save-model.ts';

export interface ModelPanelOptions extends OpenedModelOptions, SaveModelOptions {
  readonly words: Words;
  readonly folds: Folds;
  /** All of it is in sight from the start. */
  readonly unfolded: boolean;
  readonly onOpen: (files: File[]) => void;
}

export interface ModelPanelData extends SaveModelData {
  /** What was opened; null for a model that began here. */
  readonly opened: OpenedModelData | null;
  readonly busy: boolean;
  readonly error: string;
}

export class ModelPanel implements View<ModelPanelData> {
  readonly #container: HTMLElement;
  readonly #words: Words;
  readonly #lead = el('p', { class: 'note' });
  readonly #which: Disclosure;
  readonly #all: Disclosure;
  readonly #opened: OpenedModel;
  readonly #save: SaveModel;
  readonly #error = el('p', { class: 'note error', role: 'alert', 'data-part': 'model-error' });

  /** Creates the panel in `container`. */
  constructor(container: HTMLElement, options: ModelPanelOptions) {
    const { words, folds, unfolded, onOpen } = options;
    const { t } = words;
    this.#container = container;
    this.#words = words;
    const open = chooser(t('model.open'), { multiple: true }, onOpen);
    const openFolder = chooser(t('model.open.folder'), { webkitdirectory: true }, onOpen);
    const files = el('p', { class: 'note' }, t('model.which.files'));
    this.#which = folds.keep(
      'model.which',
      disclosure('which-files', t('model.which'), () => undefined, files),
    );
    this.#save = new SaveModel(options);
    this.#all = folds.keep(
      'model',
      disclosure(
        'model-file',
        t('model.title'),
        () => undefined,
        this.#lead,
        el('p', { class: 'links' }, open, ' ', openFolder),
        this.#which.root,
        this.#save.root,
      ),
      unfolded,
    );
    this.#opened = new OpenedModel(options);
    // What became of a file that was dropped anywhere is seen without a press.
    container.append(this.#all.root, this.#opened.root, this.#error);
  }

  /** Takes the reader to where the model is saved. */
  focusSave(): void {
    this.#all.open();
    this.#save.focus();
  }

  update(data: ModelPanelData): void {
    const { busy, error, opened } = data;
    this.#lead.hidden = !busy && opened !== null;
    this.#which.root.hidden = this.#lead.hidden;
    setText(this.#lead, this.#words.t(busy ? 'model.busy' : 'model.none'));
    this.#showError(error);
    this.#opened.update(opened);
    this.#save.update(data);
  }

  resize(): void {
    // The style sheet does it.
  }

  destroy(): void {
    this.#container.replaceChildren();
  }

  #showError(error: string): void {
    const isNews = error !== '' && error !== this.#error.textContent;
    setText(this.#error, error);
    this.#error.hidden = error === '';
    // A file may have been dropped anywhere. At the top, nothing that is still to come can push
    // it away.
    if (isNews && !isWhollySeen(this.#error)) this.#error.scrollIntoView({ block: 'start' });
  }
}

/** A link that chooses files, one by one or as a folder; hidden if the browser cannot do `how`. */
function chooser(
  text: string,
  how: Readonly<Record<string, boolean>>,
  onOpen: (files: File[]) => void,
): HTMLElement {
  const id = freshId('model');
  const input = el('input', { type: 'file', class: 'visually-hidden', id, ...how });
  input.addEventListener('change', () => {
    const files = [...(input.files ?? [])].filter(isAtTop);
    // The same file may be chosen again after it was changed.
    input.value = '';
    if (files.length > 0) onOpen(files);
  });
  const label = el('label', { class: 'link file-link', for: id }, text);
  return el('span', { hidden: Object.keys(how).some((name) => !(name in input)) }, input, label);
}

/** Whether a file of a chosen folder lies in it and not in a folder of its own. */
function isAtTop({ webkitRelativePath: path }: File): boolean {
  return path.split('/').length <= 2;
}

function isWhollySeen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}
