/** The list of what can be taken away from a run. */
import type { AllWords } from '../../i18n/index.ts';
import { el, freshId, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { createExport } from '../../kit/export-picture.ts';

export interface TakeAwayOptions {
  readonly words: AllWords;
  /** The names of the files of the loss and of a head, without their endings. */
  readonly lossName: () => string;
  readonly headName: (index: number) => string;
  /**
   * Saves the report; answers the name of the file, which is empty where there was nothing to save.
   */
  readonly onReport: () => Promise<string>;
  readonly drawLoss: () => SVGSVGElement | null;
  readonly csv: () => string;
  /** Draws a head, counted through the layers; null before the first probe. */
  readonly drawHead: (index: number) => SVGSVGElement | null;
  /** Another head is chosen. */
  readonly onHead: (index: number) => void;
  /** Takes the reader to where the model is saved. */
  readonly onModel: () => void;
}

export interface TakeAwayData {
  /** Whether a step has been trained. */
  readonly ready: boolean;
  readonly heads: number;
  readonly headsOfLayer: number;
  /** The chosen one. */
  readonly head: number;
  /** What a reader of the losses must know to read them right; or empty. */
  readonly lossNotes: string;
  /** Whether the page has a place where the model is saved. */
  readonly savesModel: boolean;
}

/** Creates the list in `container`. */
export function createTakeAway(
  container: HTMLElement,
  {
    words,
    lossName,
    headName,
    onReport,
    drawLoss,
    csv,
    drawHead,
    onHead,
    onModel,
  }: TakeAwayOptions,
): View<TakeAwayData> {
  const { t } = words;
  const report = el('button', { type: 'button', class: 'primary' }, t('report.save'));
  const status = el('p', { class: 'note', role: 'status' });
  report.addEventListener('click', () => {
    report.disabled = true;
    setText(status, t('report.busy'));
    onReport()
      .then(
        (name) => {
          setText(status, name === '' ? '' : t('export.saved', { name }));
        },
        () => {
          setText(status, t('report.failed'));
        },
      )
      .finally(() => {
        report.disabled = false;
      });
  });
  const headId = freshId('head');
  const head = el('select', { id: headId });
  head.addEventListener('change', () => {
    onHead(Number(head.value));
  });
  const loss = createExport({
    words,
    what: t('export.what.loss'),
    name: lossName,
    draw: drawLoss,
    csv,
  });
  const attention = createExport({
    words,
    what: t('export.what.map'),
    name: () => headName(Number(head.value)),
    draw: () => drawHead(Number(head.value)),
  });
  const lossNote = el('p', { class: 'note' });
  const empty = el('p', { class: 'muted' }, t('take.empty'));
  const part = (title: string, help: string, ...rest: Node[]): HTMLElement =>
    el(
      'div',
      { class: 'take-part' },
      el('h3', {}, title),
      el('p', { class: 'note' }, help),
      ...rest,
    );
  const chooser = el(
    'div',
    { class: 'take-head' },
    el('label', { for: headId }, t('take.head')),
    head,
  );
  const toModel = el('button', { type: 'button', class: 'link' }, t('take.model.go'));
  toModel.addEventListener('click', onModel);
  const model = part(t('take.model'), t('take.model.help'), toModel);
  const list = el(
    'div',
    { class: 'take-away' },
    part(t('take.report'), t('take.report.help'), report, status),
    part(t('take.loss'), t('take.loss.help'), lossNote, loss),
    part(t('take.attention'), t('take.attention.help'), chooser, attention),
    model,
  );
  container.append(empty, list);
  let shape = '';

  return {
    update({ ready, heads, headsOfLayer, head: chosen, savesModel, lossNotes }) {
      empty.hidden = ready;
      list.hidden = !ready;
      model.hidden = !savesModel;
      setText(lossNote, lossNotes);
      lossNote.hidden = lossNotes === '';
      const next = `${String(heads)}/${String(headsOfLayer)}`;
      if (next !== shape) {
        shape = next;
        const choices = Array.from({ length: heads }, (_, index) => {
          const place = {
            layer: Math.floor(index / headsOfLayer) + 1,
            head: (index % headsOfLayer) + 1,
          };
          return el('option', { value: index }, t('attention.head', place));
        });
        head.replaceChildren(...choices);
      }
      head.value = String(chosen);
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}
