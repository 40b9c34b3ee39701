/** Earlier runs by name: each can be shown, hidden, or taken away. */
import type { Words } from '../i18n/index.ts';
import { el, svg } from './dom.ts';
import { lineStyle, unitFactor, unitKey } from './loss-data.ts';
import type { LossLine, LossLook } from './loss-data.ts';

export interface EarlierListOptions {
  readonly words: Words;
  readonly onShow: (id: number, shown: boolean) => void;
  readonly onRemove: (id: number) => void;
}

export interface EarlierListData {
  readonly lines: readonly LossLine[];
  readonly look: LossLook;
  /** The unit is not the chosen one, since tokens differ. */
  readonly forced: boolean;
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

/** Creates the list in `container`, which is hidden while there are none. */
export function createEarlierList(
  container: HTMLElement,
  { words, onShow, onRemove }: EarlierListOptions,
): { update(data: EarlierListData): void } {
  const { t } = words;
  const list = el('ul', { class: 'earlier', 'aria-label': t('earlier.title') });
  const aside = el('p', { class: 'note', 'data-part': 'earlier-aside' }, t('earlier.aside'));
  const inBits = el('p', { class: 'note', 'data-part': 'earlier-bits' }, t('earlier.bits'));
  container.append(list, inBits, aside);
  let made = '';

  function row({ id, name, history, shown, tokensPerCharacter }: LossLine, look: LossLook): Node {
    const box = el('input', { type: 'checkbox' });
    box.checked = shown;
    box.addEventListener('change', () => {
      onShow(id, box.checked);
    });
    const loss =
      (history.smoothedLast(look.smoothing) ?? NaN) * unitFactor(look, tokensPerCharacter.train);
    const end = t('earlier.end', {
      loss: words.number(loss, 2),
      step: words.number(history.length),
      unit: t(unitKey(look.unit)),
    });
    const remove = el('button', { type: 'button', class: 'link' }, t('earlier.remove'));
    remove.setAttribute('aria-label', t('earlier.remove.named', { name }));
    remove.addEventListener('click', () => {
      onRemove(id);
    });
    return el(
      'li',
      {},
      el('label', { class: 'tick' }, box, lineSample(id), el('span', {}, name)),
      el('span', { class: 'earlier-end' }, el('span', { class: 'stamp' }, end), remove),
    );
  }

  return {
    update({ lines, look, forced }) {
      container.hidden = lines.length === 0;
      inBits.hidden = !forced;
      aside.hidden = !lines.some((line) => line.aside);
      const wanted = JSON.stringify([
        ...[look.unit, look.smoothing],
        ...lines.map(({ id, name, shown, history }) => [id, name, shown, history.length]),
      ]);
      if (wanted === made) return;
      made = wanted;
      list.replaceChildren(...lines.map((line) => row(line, look)));
    },
  };
}
