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
}

/** Creates the list in `container`, which is hidden while there are none. */
export function createEarlierList(
  container: HTMLElement,
  { words, onShow, onRemove }: EarlierListOptions,
): { update(data: EarlierListData): void } {
  const { t } = words;
  const list = el('ul', { class: 'earlier', 'aria-label': t('earlier.title') });
  container.append(list);
  let made = '';

  function row({ id, name, history, shown, tokensPerCharacter }: LossLine, look: LossLook): Node {
    const { dash, colour } = lineStyle(id);
    const sample = svg(
      'svg',
      { class: 'earlier-line', viewBox: '0 0 28 8', 'aria-hidden': 'true' },
      svg('path', {
        class: `earlier-line-${String(colour)}`,
        d: 'M0 4h28',
        'stroke-dasharray': dash.join(' '),
      }),
    );
    const box = el('input', { type: 'checkbox' });
    box.checked = shown;
    box.addEventListener('change', () => {
      onShow(id, box.checked);
    });
    const loss = (history.smoothedLast ?? NaN) * unitFactor(look, tokensPerCharacter.train);
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
      el('label', { class: 'tick' }, box, sample, el('span', {}, name)),
      el('span', { class: 'stamp' }, end),
      remove,
    );
  }

  return {
    update({ lines, look }) {
      container.hidden = lines.length === 0;
      const wanted = JSON.stringify([
        look.unit,
        ...lines.map(({ id, name, shown, history }) => [id, name, shown, history.length]),
      ]);
      if (wanted === made) return;
      made = wanted;
      list.replaceChildren(...lines.map((line) => row(line, look)));
    },
  };
}
