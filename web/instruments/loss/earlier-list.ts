/** Earlier runs by name: each can be shown, hidden, or taken away. */
import type { Words } from '../../i18n/index.ts';
import { arrange, el, setAttribute, setText, svg } from '../../kit/dom.ts';
import { lineStyle, unitFactor, unitKey } from '../../data/loss-data.ts';
import type { LossLine, LossState } from '../../data/loss-data.ts';

export interface EarlierListOptions {
  readonly words: Words;
  readonly onShow: (id: number, shown: boolean) => void;
  readonly onRemove: (id: number) => void;
  /** The focus has to go somewhere: the list is gone with its last row. */
  readonly onLeave: () => void;
}

interface Row {
  readonly root: HTMLElement;
  readonly show: (line: LossLine, look: LossState) => void;
}

/** A piece of the line of an earlier run, beside its name. */
export function lineSample(id: number): SVGSVGElement {
  const { dash, colour } = lineStyle(id);
  return svg(
    'svg',
    { class: 'earlier-line', viewBox: '0 0 28 8', 'aria-hidden': 'true' },
    svg('path', {
      class: `earlier-line-${String(colour)}`,
      d: 'M0 4h28',
      'stroke-dasharray': dash.join(' '),
    }),
  );
}

/** The list, hidden while it is empty. */
export interface EarlierList {
  readonly root: HTMLElement;
  /** `forced`: the unit is not the chosen one, since tokens differ. */
  update(lines: readonly LossLine[], look: LossState, forced: boolean): void;
}

/** Creates the list; runs that are shown stand in `legend` too, by their numbers. */
export function createEarlierList(legend: HTMLElement, options: EarlierListOptions): EarlierList {
  const { t } = options.words;
  const list = el('ul', { class: 'earlier', 'aria-label': t('earlier.title') });
  const note = (part: string, text: string): HTMLElement =>
    el('p', { class: 'note', 'data-part': `earlier-${part}` }, text);
  const dots = note('dots', t('earlier.validation'));
  const bits = note('bits', t('earlier.bits'));
  const texts = note('texts', t('earlier.texts'));
  const aside = note('aside', t('earlier.aside'));
  const root = el('div', { hidden: true }, list, dots, bits, texts, aside);
  /**
   * By the numbers of the runs: what stays in the list is not made anew, since it may have the
   * focus.
   */
  const rows = new Map<number, Row>();
  let made = '';
  return {
    root,
    update(lines, look, forced) {
      const beside = lines.filter(({ shown }) => shown);
      root.hidden = lines.length === 0;
      legend.hidden = beside.length === 0;
      dots.hidden = !beside.some(({ history }) => history.validations.length > 0);
      bits.hidden = !forced;
      texts.hidden = !beside.some((line) => line.otherText);
      aside.hidden = !lines.some((line) => line.aside);
      const now = JSON.stringify([
        look.unit,
        look.smoothing,
        ...lines.map(({ id, name, shown, history }) => [id, name, shown, history.length]),
      ]);
      // To smooth a whole run takes its time.
      if (now === made) return;
      made = now;
      for (const id of rows.keys()) if (!lines.some((line) => line.id === id)) rows.delete(id);
      const wanted = lines.map((line) => {
        const row = rows.get(line.id) ?? createRow(line.id, options);
        rows.set(line.id, row);
        row.show(line, look);
        return row.root;
      });
      arrange(list, wanted);
      const short = ({ id }: LossLine): HTMLElement =>
        el('span', {}, lineSample(id), t('earlier.short', { number: id + 1 }));
      legend.replaceChildren(...beside.map(short));
    },
  };
}

function createRow(id: number, options: EarlierListOptions): Row {
  const { words, onShow, onRemove, onLeave } = options;
  const { t } = words;
  const box = el('input', { type: 'checkbox' });
  const called = el('span');
  const end = el('span', { class: 'stamp' });
  const remove = el('button', { type: 'button', class: 'link' }, t('earlier.remove'));
  const label = el('label', { class: 'tick' }, box, lineSample(id), called);
  const root = el('li', {}, label, el('span', { class: 'earlier-end' }, end, remove));
  box.addEventListener('change', () => {
    onShow(id, box.checked);
  });
  remove.addEventListener('click', () => {
    const near = root.nextElementSibling ?? root.previousElementSibling;
    // The focus goes on to the next one, and not with the row.
    if (near === null) onLeave();
    else near.querySelector('button')?.focus();
    onRemove(id);
  });
  const show: Row['show'] = ({ name, history, shown, tokensPerCharacter }, look) => {
    const factor = unitFactor(look, tokensPerCharacter.train);
    const loss = words.number((history.smoothedLast(look.smoothing) ?? NaN) * factor, 2);
    const at = { loss, step: words.number(history.length), unit: t(unitKey(look.unit)) };
    box.checked = shown;
    setText(called, name);
    setText(end, t('earlier.end', at));
    setAttribute(remove, 'aria-label', t('earlier.remove.named', { name }));
  };
  return { root, show };
}
