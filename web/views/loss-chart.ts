/** The loss curve with its legend, a summary in words and the table behind it. */
import uPlot from 'uplot';
import type { Words } from '../i18n/index.ts';
import { cssValue, disclosure, el, perFrame, setText, table } from './dom.ts';
import type { View } from './dom.ts';
import { LossHistory } from './loss-history.ts';

export interface LossData {
  readonly history: LossHistory;
  /** ln V, or NaN when it is not known. */
  readonly randomLoss: number;
  readonly steps: number;
  readonly hasValidation: boolean;
}

/** Points on screen: more would not be seen, and would be drawn in vain. */
const MOST_POINTS = 1500;

const EMPTY: LossData = {
  history: new LossHistory(),
  randomLoss: NaN,
  steps: 0,
  hasValidation: false,
};

/** Creates the loss chart in `container`. */
export function createLossChart(
  container: HTMLElement,
  options: { readonly words: Words },
): View<LossData> {
  const { words } = options;
  const { t } = words;
  let data = EMPTY;

  const legend = el('ul', { class: 'legend' });
  const plot = el('div', { class: 'loss-plot', 'aria-hidden': 'true' });
  const hint = el('p', { class: 'loss-hint' }, t('loss.empty'));
  const frame = el('div', { class: 'loss-frame' }, plot, hint);
  const summary = el('p', { class: 'summary', 'data-part': 'loss-summary' });
  const tableBox = el('div', { class: 'table-scroll', tabindex: '0', role: 'region' });
  tableBox.setAttribute('aria-label', t('loss.table'));
  const details = disclosure('data', t('loss.table'), () => draw.request(), tableBox);
  const head = el('div', { class: 'head-row' }, el('h2', {}, t('loss.title')), legend);
  container.append(head, frame, summary, details.root);

  const entry = (kind: string, text: string): HTMLLIElement =>
    el('li', { class: `key key-${kind}` }, text);
  const validationEntry = entry('validation', t('loss.validation'));
  legend.append(
    entry('train', t('loss.train')),
    entry('smoothed', t('loss.smoothed')),
    validationEntry,
    entry('random', t('loss.random')),
  );

  const colour = (property: string) => () => cssValue(container, property);
  const axis = (side: Partial<uPlot.Axis>): uPlot.Axis => ({
    stroke: colour('--muted'),
    font: `12px ${cssValue(container, '--sans')}`,
    labelFont: `12px ${cssValue(container, '--sans')}`,
    grid: { stroke: colour('--grid'), width: 1 },
    ticks: { show: false },
    labelSize: 18,
    ...side,
  });

  const size = (): { width: number; height: number } => ({
    width: Math.max(200, plot.clientWidth),
    height: Math.max(160, plot.clientHeight),
  });

  const chart = new uPlot(
    {
      ...size(),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      scales: {
        x: { time: false, range: () => [0, horizon(data)] },
        y: { range: (_, low, high) => paddedRange(low, high, data.randomLoss) },
      },
      axes: [
        axis({
          label: t('loss.axis.steps'),
          size: 28,
          values: (_, splits) => splits.map((value) => words.number(value)),
        }),
        axis({
          label: t('loss.axis.loss'),
          size: 40,
          values: (_, splits) => {
            const tenths = 10 * ((splits[1] ?? 1) - (splits[0] ?? 0));
            const digits = Math.abs(tenths - Math.round(tenths)) > 1e-6 ? 2 : 1;
            return splits.map((value) => words.number(value, digits));
          },
        }),
      ],
      series: [
        {},
        {
          stroke: colour('--loss-raw'),
          width: 0,
          paths: () => null,
          points: { show: true, size: 2.5, width: 0, fill: colour('--loss-raw') },
        },
        { stroke: colour('--accent'), width: 2 },
        {
          stroke: colour('--amber'),
          width: 1.5,
          dash: [5, 3],
          spanGaps: true,
          points: { show: true, size: 5, width: 0, fill: colour('--amber') },
        },
      ],
      hooks: {
        drawAxes: [
          (u) => {
            drawRandomLine(u, data.randomLoss, cssValue(container, '--muted'));
          },
        ],
        setCursor: [
          (u) => {
            describeCursor(u.cursor.idx ?? null);
          },
        ],
      },
    },
    [[], [], [], []],
    plot,
  );

  function describeCursor(index: number | null): void {
    const step = index === null ? undefined : chart.data[0][index];
    setText(summary, step === undefined ? sentence() : pointSentence(index ?? 0, step));
  }

  function pointSentence(index: number, step: number): string {
    const value = (series: number): string => {
      const found = chart.data[series]?.[index];
      return typeof found === 'number' ? words.number(found, 3) : '–';
    };
    return t('loss.point', { step: words.number(step), loss: value(1), smoothed: value(2) });
  }

  function sentence(): string {
    const { history, randomLoss } = data;
    const { first, last, smoothedLast, lastValidation } = history;
    if (first === undefined || last === undefined || smoothedLast === undefined) {
      return Number.isFinite(randomLoss)
        ? t('loss.summary.before', { random: words.number(randomLoss, 2) })
        : '';
    }
    const parts = [
      t('loss.summary', {
        step: history.length,
        smoothed: words.number(smoothedLast, 2),
        first: words.number(first, 2),
        random: words.number(randomLoss, 2),
      }),
    ];
    // The exponential of the loss: so many equally likely choices would leave the same doubt.
    const choices = words.short(Math.exp(smoothedLast));
    if (smoothedLast < randomLoss) parts.push(t('loss.summary.choices', { choices }));
    else if (smoothedLast > randomLoss + 0.5) parts.push(t('loss.summary.worse'));
    if (lastValidation !== undefined) {
      const loss = words.number(lastValidation.loss, 2);
      const step = words.number(lastValidation.step);
      parts.push(t('loss.summary.validation', { loss, step }));
    }
    return parts.join(words.lang === 'zh' ? '' : ' ');
  }

  function fillTable(): void {
    const { history, hasValidation } = data;
    const blocks = history.blocks(history.blockSize());
    const heads = [t('loss.col.steps'), t('loss.col.mean'), t('loss.col.low'), t('loss.col.high')];
    if (hasValidation) heads.push(t('loss.validation'));
    const rows = blocks.map((block) => {
      const cells = [
        `${words.number(block.from)}–${words.number(block.to)}`,
        words.number(block.mean, 4),
        words.number(block.lowest, 4),
        words.number(block.highest, 4),
      ];
      const validation = history.validationIn(block.from - 1, block.to);
      if (hasValidation) {
        cells.push(validation === undefined ? '–' : words.number(validation, 4));
      }
      return cells;
    });
    // All digits: the same text, settings and seed must give exactly these again.
    const exact = el('p', {}, t('loss.first'), ' ');
    const digits = el('code', { 'data-part': 'first-loss' }, String(history.first ?? '–'));
    exact.append(digits);
    tableBox.replaceChildren(exact, table(t('loss.table.caption'), heads, rows));
  }

  const draw = perFrame(() => {
    const columns = data.history.columns(MOST_POINTS);
    chart.setData([columns.steps, columns.losses, columns.smoothed, columns.validation]);
    hint.hidden = data.history.length > 0 || !Number.isFinite(data.randomLoss);
    validationEntry.hidden = !data.hasValidation;
    setText(summary, sentence());
    if (details.isOpen()) fillTable();
  });

  return {
    update(next) {
      data = next;
      draw.request();
    },
    resize() {
      const next = size();
      // A new size redraws; the same size with new colours must be asked to.
      if (next.width !== chart.width || next.height !== chart.height) chart.setSize(next);
      draw.request();
    },
    destroy() {
      draw.cancel();
      chart.destroy();
      container.replaceChildren();
    },
  };
}

/** The last step on the axis: a round one not far ahead, so that the curve always fills its space. */
function horizon({ history, steps }: LossData): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(100, history.length)));
  const rungs = [1, 2, 5, 10].map((rung) => rung * magnitude);
  const ahead = rungs.find((rung) => rung >= history.length) ?? history.length;
  const end = history.length === 0 ? steps : Math.min(steps, ahead);
  return Math.max(end, history.length, 10);
}

/** A range that holds all losses and the line of random guessing, with a little air. */
function paddedRange(low: number | null, high: number | null, random: number): [number, number] {
  const known = [low, high, random].filter(
    (value): value is number => value !== null && Number.isFinite(value),
  );
  if (known.length === 0) return [0, 4];
  const bottom = Math.min(...known);
  const top = Math.max(...known);
  // Before the first loss there is only the line: leave room for the curve below it.
  if (top - bottom < 0.5) return [Math.max(0, bottom - top * 0.4), top * 1.15];
  const air = (top - bottom) * 0.06;
  return [Math.max(0, bottom - air), top + air];
}

function drawRandomLine(u: uPlot, random: number, colour: string): void {
  if (!Number.isFinite(random)) return;
  const y = Math.round(u.valToPos(random, 'y', true));
  const { left, width } = u.bbox;
  const { ctx } = u;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(left, y);
  ctx.lineTo(left + width, y);
  ctx.stroke();
  ctx.restore();
}
