/**
 * The attention section: the text that is looked at, what one head does there, that head large as a
 * map or as arcs, and the others small. It shows the step of the run that is looked at.
 */
import { placeWithin } from '../../data/attention-data.ts';
import type { AttentionData, HeadPlace } from '../../data/attention-data.ts';
import { AttentionGrid } from './attention-grid.ts';
import { AttentionHabits } from './attention-habits.ts';
import { LargeHead } from './large-head.ts';
import type { LargeHeadOptions } from './large-head.ts';
import { keptSince, shownProbe } from './looked-at.ts';
import type { LookedAtData } from './looked-at.ts';
import { ProbeField } from './probe-field.ts';
import type { ProbeFieldData } from './probe-field.ts';
import { disclosure, el, setText, standAt } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import type { HeadMeasures, UntrainedHeads } from '../../store/training/head-habits.ts';

export interface AttentionPanelOptions extends LargeHeadOptions {
  readonly probe: string;
  /** Another text is looked at; null for the one that suits the text to learn. */
  readonly onProbe: (text: string | null) => void;
  /** Another head is to be shown large. */
  readonly onHead: (place: HeadPlace) => void;
  /** All heads of a probe, layer by layer, in plain statistics. */
  readonly measure: (attention: AttentionData) => readonly HeadMeasures[];
  /**
   * From the form in the column to the wide one, or back; null where there is no other. `at` is
   * where the button was pressed, in CSS pixels below the top of the window.
   */
  readonly onOther: ((at: number) => void) | null;
}

export interface AttentionPanelData extends LookedAtData, Omit<ProbeFieldData, 'tokens'> {
  /** Which run it is: pictures of another one say nothing of it. */
  readonly run: number;
  /** The head that is shown large, where the model has it. */
  readonly head: HeadPlace;
  readonly untrained: UntrainedHeads;
}

export class AttentionPanel implements View<AttentionPanelData> {
  readonly #container: HTMLElement;
  readonly #options: AttentionPanelOptions;
  readonly #root: HTMLElement;
  readonly #probe: ProbeField;
  readonly #empty: HTMLElement;
  /** Why one can look back no further. */
  readonly #since = el('p', { class: 'note' });
  readonly #other: HTMLElement;
  readonly #grid: AttentionGrid;
  readonly #large: LargeHead;
  readonly #habits: AttentionHabits;
  #data: AttentionPanelData = {
    run: -1,
    head: { layer: 0, head: 0 },
    untrained: 'awaited',
    attention: null,
    history: [],
    lookBack: null,
    omitted: 0,
    fits: false,
    suited: '',
    error: '',
  };

  constructor(container: HTMLElement, options: AttentionPanelOptions) {
    const { words, isDark, wide, onHead } = options;
    const { t } = words;
    this.#container = container;
    this.#options = options;
    this.#probe = new ProbeField(words, options.probe, options.onProbe);
    this.#other = this.#createOther();
    this.#large = new LargeHead(options, this.#other);
    this.#empty = el('p', { class: 'muted' }, t('attention.empty'));
    const gridBox = el('div', { class: 'grid-box' });
    this.#habits = new AttentionHabits(words);
    const { beginning, how, files, switcher } = this.#large;
    const more = [how, beginning, ...this.#habits.parts, ...files];
    this.#large.root.append(
      ...(wide
        ? more
        : [
            options.folds.keep(
              'attention.more',
              disclosure('attention-more', t('attention.more'), () => undefined, switcher, ...more),
            ).root,
          ]),
    );
    this.#large.pictures.before(this.#habits.verdict);
    const field = el(
      'div',
      { class: 'attention-controls' },
      ...this.#probe.parts,
      this.#empty,
      this.#since,
    );
    this.#root = el(
      'div',
      { class: wide ? 'attention-wide' : 'attention-panel' },
      ...(wide
        ? []
        : [
            el('div', { class: 'head-row' }, el('h2', {}, t('attention.title')), this.#other),
            el('p', { class: 'lead' }, t('attention.lead')),
          ]),
      field,
      this.#large.root,
    );
    if (wide) field.append(gridBox);
    else this.#large.pictures.after(gridBox);
    container.append(this.#root);
    this.#grid = new AttentionGrid(gridBox, { words, isDark, onChoose: onHead });
    this.#show();
  }

  update(next: AttentionPanelData): void {
    // An error keeps the run's last picture, so that a slip of the finger does not blank it.
    const kept = next.error !== '' && next.run === this.#data.run ? this.#data.attention : null;
    this.#data = { ...next, attention: next.attention ?? kept };
    this.#show();
  }

  /** Shows another text in the field, as when a new sample text comes with one of its own. */
  setProbe(text: string): void {
    this.#probe.set(text);
  }

  /** Comes into sight, with the way back where the way here was pressed. */
  enter(at: number): void {
    // After the frame in which the heads above are drawn, which moves what stands below them.
    requestAnimationFrame(() => {
      requestAnimationFrame(() => {
        standAt(this.#other, this.#options.wide ? this.#large.end : this.#other, at);
        this.#other.focus({ preventScroll: true });
      });
    });
  }

  resize(): void {
    this.#grid.resize();
    this.#large.resize();
  }

  destroy(): void {
    for (const view of [this.#grid, this.#large]) view.destroy();
    this.#container.replaceChildren();
  }

  /** The button to the other form. */
  #createOther(): HTMLElement {
    const { words, wide, onOther } = this.#options;
    const name = words.t(wide ? 'attention.reduce' : 'attention.enlarge');
    const other = el('button', { type: 'button', class: 'link' }, name);
    other.hidden = onOther === null;
    other.addEventListener('click', () => onOther?.(other.getBoundingClientRect().top));
    return other;
  }

  #show(): void {
    const { head, error } = this.#data;
    const attention = shownProbe(this.#data);
    const chosen = attention === null ? head : placeWithin(head, attention);
    const measures = attention === null ? [] : this.#options.measure(attention);
    const past = attention === this.#data.attention ? null : (attention?.step ?? null);
    this.#grid.update({ attention, chosen, measures });
    this.#large.update({ attention, chosen, past });
    this.#probe.update({ ...this.#data, tokens: attention?.tokens ?? null });
    this.#empty.hidden = attention !== null || error !== '';
    // What is drawn is of the text before the mistake.
    this.#root.classList.toggle('of-before', error !== '');
    setText(this.#since, keptSince(this.#data, this.#options.words));
    this.#since.hidden = this.#since.textContent === '';
    const index = attention === null ? 0 : chosen.layer * attention.heads + chosen.head;
    this.#showHabits(measures[index] ?? null, index, past);
  }

  #showHabits(now: HeadMeasures | null, index: number, past: number | null): void {
    const { untrained, history } = this.#data;
    const { words, measure } = this.#options;
    this.#habits.update({
      now,
      at: past === null ? null : words.t('attention.step', { step: words.number(past) }),
      untrained: typeof untrained === 'string' ? untrained : (untrained[index] ?? 'unknown'),
      course: history.flatMap((entry) => {
        const one = measure(entry)[index];
        return one === undefined ? [] : [{ step: entry.step, measures: one }];
      }),
    });
  }
}
