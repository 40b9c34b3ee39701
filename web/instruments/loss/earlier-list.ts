/** Earlier runs by name: each can be shown, hidden, or taken away. */
import type { Words } from '../../i18n/index.ts';
import { arrange, el, setAttribute, setText, svg } from '../../kit/dom.ts';
import { lineStyle, unitFactor, unitKey } from '../../data/loss-data.ts';
import type { LossLine, LossLook } from '../../data/loss-data.ts';

export interface EarlierListOptions {
  readonly words: Words;
  readonly onShow: (id: number, shown: boolean) => void;
  readonly onRemove: (id: number) => void;
  /** The focus has to go somewhere: the list is gone with its last row. */
  readonly onLeave: () => void;
}

export interface EarlierListData {
  readonly lines: readonly LossLine[];
  readonly look: LossLook;
  /** The unit is not the chosen one, since tokens differ. */
  readonly forced: boolean;
}

interface Row {
  readonly root: HTMLElement;
  readonly show: (line: LossLine, look: LossLook) => void;
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

/** Creates the list in `container`, which is hidden while it is empty. */
export function createEarlierList(
  container: HTMLElement,
  { words, onShow, onRemove, onLeave }: EarlierListOptions,
): { update(data: EarlierListData): void } {
  const { t } = words;
  const list = el('ul', { class: 'earlier', 'aria-label': t('earlier.title') });
  const aside = el('p', { class: 'note', 'data-part': 'earlier-aside' }, t('earlier.aside'));
  const inBits = el('p', { class: 'note', 'data-part': 'earlier-bits' }, t('earlier.bits'));
  const texts = el('p', { class: 'note', 'data-part': 'earlier-texts' }, t('earlier.texts'));
  const dots = el('p', { class: 'note', 'data-part': 'earlier-dots' }, t('earlier.validation'));
  container.append(list, dots, inBits, texts, aside);
  container.hidden = true;
  /**
   * By the numbers of the runs: what stays in the list is not made anew, since it may have the
   * focus.
   */
  const rows = new Map<number, Row>();

  let made = '';

  function createRow(id: number): Row {
    const box = el('input', { type: 'checkbox' });
    const called = el('span');
    const end = el('span', { class: 'stamp' });
    const remove = el('button', { type: 'button', class: 'link' }, t('earlier.remove'));
    const root = el(
      'li',
      {},
      el('label', { class: 'tick' }, box, lineSample(id), called),
      el('span', { class: 'earlier-end' }, end, remove),
    );
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
    return {
      root,
      show({ name, history, shown, tokensPerCharacter }, look) {
        box.checked = shown;
        setText(called, name);
        const loss =
          (history.smoothedLast(look.smoothing) ?? NaN) *
          unitFactor(look, tokensPerCharacter.train);
        const at = {
          loss: words.number(loss, 2),
          step: words.number(history.length),
          unit: t(unitKey(look.unit)),
        };
        setText(end, t('earlier.end', at));
        setAttribute(remove, 'aria-label', t('earlier.remove.named', { name }));
      },
    };
  }

  return {
    update({ lines, look, forced }) {
      container.hidden = lines.length === 0;
      dots.hidden = !lines.some(({ shown, history }) => shown && history.validations.length > 0);
      inBits.hidden = !forced;
      texts.hidden = !lines.some((line) => line.shown && line.otherText);
      aside.hidden = !lines.some((line) => line.aside);
      const now = JSON.stringify([
        ...[look.unit, look.smoothing],
        ...lines.map(({ id, name, shown, history }) => [id, name, shown, history.length]),
      ]);
      // To smooth a whole run takes its time.
      if (now === made) return;
      made = now;
      for (const id of rows.keys()) if (!lines.some((line) => line.id === id)) rows.delete(id);
      const wanted = lines.map((line) => {
        const row = rows.get(line.id) ?? createRow(line.id);
        rows.set(line.id, row);
        row.show(line, look);
        return row.root;
      });
      arrange(list, wanted);
    },
  };
}
