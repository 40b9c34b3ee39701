/** Two runs once more with other seeds: the button, how far that is, a table and what it says. */
import { unitKey } from '../../data/loss-data.ts';
import type { LossUnit } from '../../data/loss-data.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';
import { judge, MORE_SEEDS } from './seeds.ts';
import type { SeedsProgress, SeedRow, Two } from './seeds.ts';

export interface SeedsData {
  /** Whether there is a pair that can be trained again. */
  readonly offered: boolean;
  readonly names: Two<string>;
  readonly unit: LossUnit;
  /** The first is the pair that is shown; empty before the button was pressed. */
  readonly rows: readonly SeedRow[];
  /** Null while nothing is trained. */
  readonly progress: SeedsProgress | null;
  readonly error: string;
}

export interface SeedsFormOptions {
  readonly words: AllWords;
  readonly onTrain: () => void;
  readonly onStop: () => void;
}

export class SeedsForm {
  readonly root: HTMLElement;
  readonly #words: AllWords;
  readonly #go: HTMLButtonElement;
  readonly #progress = el('span', { class: 'note' });
  readonly #stop: HTMLButtonElement;
  readonly #said = el('p', { class: 'twin-verdict', role: 'status', 'data-part': 'seeds' });
  readonly #table = el('div', { class: 'table-scroll', tabindex: '0', role: 'region' });
  #shown = '';

  constructor({ words, onTrain, onStop }: SeedsFormOptions) {
    const { t } = words;
    this.#words = words;
    const count = MORE_SEEDS;
    this.#go = el('button', { type: 'button', class: 'secondary' }, t('twin.seeds', { count }));
    this.#stop = el('button', { type: 'button', class: 'secondary' }, t('twin.seeds.stop'));
    this.#go.addEventListener('click', () => {
      onTrain();
      // The button that is there instead.
      this.#stop.focus();
    });
    this.#stop.addEventListener('click', () => {
      onStop();
      this.#go.focus();
    });
    this.#table.setAttribute('aria-label', t('twin.seeds.table'));
    const line = el('div', { class: 'twin-controls' }, this.#go, this.#stop, this.#progress);
    this.root = el('div', { class: 'twin-seeds' }, line, this.#said, this.#table);
  }

  update({ offered, names, unit, rows, progress, error }: SeedsData): void {
    const { t, number } = this.#words;
    this.root.hidden = !offered;
    this.#go.hidden = progress !== null || rows.length > MORE_SEEDS;
    this.#stop.hidden = this.#progress.hidden = progress === null;
    if (progress !== null) {
      const { run, runs, step, steps } = progress;
      const values = { run, runs, step: number(step), steps: number(steps) };
      // Before the first run has begun, nothing is known of it.
      setText(this.#progress, steps === 0 ? '' : t('twin.seeds.progress', values));
    }
    const shown = JSON.stringify([names, unit, rows, error]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#said.classList.toggle('error', error !== '');
    setText(this.#said, error !== '' ? error : this.#verdict(names, unit, rows));
    this.#said.hidden = this.#said.textContent === '';
    this.#table.hidden = rows.length < 2;
    if (!this.#table.hidden) this.#table.replaceChildren(this.#createTable(names, unit, rows));
  }

  #verdict(names: Two<string>, unit: LossUnit, rows: readonly SeedRow[]): string {
    if (rows.length <= MORE_SEEDS) return '';
    const { t, number } = this.#words;
    const { mean, deviation, isReal } = judge(rows);
    if (!Number.isFinite(mean)) return t('twin.seeds.diverged');
    const [best, other] = mean < 0 ? [names[1], names[0]] : names;
    const said = t('twin.seeds.mean', {
      count: rows.length,
      best,
      other,
      unit: t(unitKey(unit)),
      mean: number(Math.abs(mean), 3),
      deviation: number(deviation, 3),
    });
    return sentences([said, t(isReal ? 'twin.seeds.real' : 'twin.seeds.chance')], this.#words);
  }

  #createTable(names: Two<string>, unit: LossUnit, rows: readonly SeedRow[]): HTMLTableElement {
    const { t, number } = this.#words;
    const heads = [t('twin.seeds.seed'), ...names, t('twin.seeds.gap')];
    const cell = (at: number, value: number): HTMLElement =>
      el('td', { role: 'cell', class: 'figure', 'data-label': heads[at] ?? '' }, number(value, 3));
    return el(
      'table',
      { class: 'twin-table stacked', role: 'table' },
      el('caption', {}, t('twin.seeds.caption', { unit: t(unitKey(unit)) })),
      el(
        'thead',
        { role: 'rowgroup' },
        el(
          'tr',
          { role: 'row' },
          ...heads.map((head) => el('th', { scope: 'col', role: 'columnheader' }, head)),
        ),
      ),
      el(
        'tbody',
        { role: 'rowgroup' },
        ...rows.map(({ seed, values: [first, second] }) =>
          el(
            'tr',
            { role: 'row' },
            el('th', { scope: 'row', role: 'rowheader' }, t('twin.seeds.of', { seed })),
            ...[first, second, second - first].map((value, at) => cell(at + 1, value)),
          ),
        ),
      ),
    );
  }
}
