/** The list of what can be taken away from a run. */
import { TRACES } from '../../base/form.ts';
import type { AllWords } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { saidSaved } from '../../kit/download.ts';
import { createExport } from '../../kit/export-picture.ts';
import { FormatList } from './formats/list.ts';
import type { FormatData } from './formats/list.ts';
import type { Format } from './formats/pack.ts';

export interface TakeAwayOptions {
  readonly words: AllWords;
  /** The name of the files of the loss, without their endings. */
  readonly lossName: () => string;
  /**
   * Saves the report; answers the name of the file, which is empty where there was nothing to save.
   */
  readonly onReport: () => Promise<string>;
  readonly drawLoss: () => SVGSVGElement | null;
  readonly csv: () => string;
  /** Takes the reader to where the model is saved. */
  readonly onModel: () => void;
  /** Saves the model for other programs; null in forms that cannot. */
  readonly onFormat: ((format: Format) => Promise<string>) | null;
}

export interface TakeAwayData {
  /** Whether a step has been trained. */
  readonly ready: boolean;
  /** What a reader of the losses must know to read them right; or empty. */
  readonly lossNotes: string;
  readonly run: number | null;
  /** Null where the engine knows no other formats. */
  readonly formats: Readonly<Record<Format, FormatData>> | null;
  /** Whether the page has a place where the model is saved. */
  readonly savesModel: boolean;
}

export class TakeAway implements View<TakeAwayData> {
  readonly #container: HTMLElement;
  readonly #options: TakeAwayOptions;
  readonly #empty: HTMLElement;
  readonly #list: HTMLElement;
  readonly #model: HTMLElement;
  readonly #formats: FormatList | null;
  readonly #report: HTMLButtonElement;
  readonly #status = el('p', { class: 'note', role: 'status' });
  readonly #lossNote = el('p', { class: 'note' });

  /** Creates the list in `container`. */
  constructor(container: HTMLElement, options: TakeAwayOptions) {
    const { words, onModel } = options;
    const { t } = words;
    this.#container = container;
    this.#options = options;
    this.#empty = el('p', { class: 'muted' }, t('take.empty'));
    this.#report = el('button', { type: 'button', class: 'primary' }, t('report.save'));
    this.#report.addEventListener('click', () => void this.#saveReport());
    const toModel = el('button', { type: 'button', class: 'link' }, t('take.model.go'));
    toModel.addEventListener('click', onModel);
    this.#model = part(t('take.model'), t('take.model.help'), toModel);
    const { onFormat } = options;
    this.#formats =
      TRACES && onFormat !== null ? new FormatList({ words, onSave: onFormat }) : null;
    this.#list = this.#create();
    container.append(this.#empty, this.#list);
  }

  update(data: TakeAwayData): void {
    this.#empty.hidden = data.ready;
    this.#list.hidden = !data.ready;
    this.#model.hidden = !data.savesModel;
    if (data.formats !== null) this.#formats?.update(data.run, data.formats);
    setText(this.#lossNote, data.lossNotes);
    this.#lossNote.hidden = data.lossNotes === '';
  }

  resize(): void {
    // The style sheet does it.
  }

  destroy(): void {
    this.#container.replaceChildren();
  }

  #create(): HTMLElement {
    const { words, lossName, drawLoss, csv } = this.#options;
    const { t } = words;
    const what = t('export.what.loss');
    const loss = createExport({ words, what, name: lossName, draw: drawLoss, asSvg: true, csv });
    return el(
      'div',
      { class: 'take-away' },
      part(t('take.report'), t('take.report.help'), this.#report, this.#status),
      part(t('take.loss'), t('take.loss.help'), this.#lossNote, loss),
      this.#model,
      ...(this.#formats === null
        ? []
        : [part(t('formats.title'), t('formats.help'), this.#formats.root)]),
    );
  }

  async #saveReport(): Promise<void> {
    const { words, onReport } = this.#options;
    const { t } = words;
    this.#report.disabled = true;
    setText(this.#status, t('report.busy'));
    try {
      const name = await onReport();
      setText(this.#status, name === '' ? '' : saidSaved(t('export.saved', { name }), words));
    } catch {
      setText(this.#status, t('report.failed'));
    }
    this.#report.disabled = false;
  }
}

function part(title: string, help: string, ...rest: readonly Node[]): HTMLElement {
  const note = el('p', { class: 'note' }, help);
  return el('div', { class: 'take-part' }, el('h3', {}, title), note, ...rest);
}
