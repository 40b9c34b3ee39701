/** What will be made of the text, in one line of figures, before and during training. */
import { TRACES } from '../../base/form.ts';
import type { Words } from '../../i18n/index.ts';
import { disclosure, el, setText } from '../../kit/dom.ts';
import type { View } from '../../kit/dom.ts';
import { knownUnit, unitFactor } from '../../data/loss-data.ts';
import type { LossUnit, TokensPerCharacter } from '../../data/loss-data.ts';
import type { Folds } from '../../kit/folds.ts';
import { termButton } from '../../kit/term.ts';
import { createUnitMark } from '../../kit/unit-mark.ts';

export interface PlanData {
  readonly vocab: number;
  readonly tokens: number;
  readonly parameters: number;
  readonly totalBytes: number;
  /** Of an index of the text. */
  readonly indexBytes: number;
  readonly randomLoss: number;
}

export interface PlanLineData {
  /** Of the run that there is, or of what is wanted; null means that there is no plan (yet). */
  readonly plan: PlanData | null;
  /** Of the run that could be begun instead, when it is another. */
  readonly next: PlanData | null;
  /** The unit in which losses are shown elsewhere. */
  readonly unit: LossUnit;
  /** Of the text of `plan`. */
  readonly tokensPerCharacter: TokensPerCharacter;
  /** Targets over characters of `next`, as far as the plans tell; NaN where nobody knows. */
  readonly nextTokens: number;
}

/** Creates the plan line in `container`. */
export function createPlanLine(
  container: HTMLElement,
  options: {
    readonly words: Words;
    readonly folds: Folds;
    readonly unfolded: boolean;
    /** Bytes that looking back takes, by the number of parameters. */
    readonly pastBytes: (parameters: number) => number;
  },
): View<PlanLineData> {
  const { words, folds, unfolded, pastBytes } = options;
  const { t } = words;
  const figure = (name: string, label: HTMLElement, help: string): [HTMLElement, HTMLElement] => {
    const value = el('dd', { 'data-part': `plan-${name}` }, '–');
    return [el('div', { title: help }, el('dt', {}, label), value), value];
  };
  const [vocabBox, vocab] = figure(
    'vocab',
    termButton('vocabulary', t('plan.vocab')),
    t('plan.vocab.help'),
  );
  const [tokensBox, tokens] = figure(
    'tokens',
    termButton('token', t('plan.tokens')),
    t('plan.tokens.help'),
  );
  const [parametersBox, parameters] = figure(
    'parameters',
    termButton('parameters', t('plan.parameters')),
    t('plan.parameters.help'),
  );
  const [memoryBox, memory] = figure(
    'memory',
    termButton('memory', t('plan.memory')),
    t('plan.memory.help'),
  );
  const [indexBox, index] = figure('index', el('span', {}, t('plan.index')), t('plan.index.help'));
  const [pastBox, past] = figure('past', el('span', {}, t('plan.past')), t('plan.past.help'));
  const unitMark = createUnitMark(words);
  const [randomBox, random] = figure(
    'random',
    el('span', {}, termButton('random_guessing', t('plan.random')), ' ', unitMark.root),
    t('plan.random.help'),
  );
  const list = el(
    'dl',
    { class: 'plan' },
    vocabBox,
    tokensBox,
    parametersBox,
    memoryBox,
    ...(TRACES ? [indexBox, pastBox] : []),
    randomBox,
  );
  list.setAttribute('aria-label', t('plan.title'));
  const fold = folds.keep(
    'plan',
    disclosure('plan-fold', '', () => undefined, list),
    unfolded,
  );
  const title = fold.root.querySelector('button')!;
  container.append(fold.root);

  return {
    update({ plan, next, unit: wanted, tokensPerCharacter, nextTokens }) {
      const show = (
        place: HTMLElement,
        format: (of: PlanData) => string,
        coming: PlanData | null = next,
      ): void => {
        const now = plan === null ? '–' : format(plan);
        const then = plan === null || coming === null ? now : format(coming);
        setText(place, now === then ? now : t('plan.becomes', { now, then }));
      };
      show(vocab, (of) => words.number(of.vocab));
      // A model that only writes has no text of its own.
      show(tokens, (of) => (of.tokens === 0 ? '–' : words.number(of.tokens)));
      show(parameters, (of) => words.number(of.parameters));
      setText(title, t('plan.fold', { parameters: parameters.textContent }));
      show(memory, (of) => words.bytes(of.totalBytes));
      show(index, (of) => words.bytes(of.indexBytes));
      show(past, (of) => words.bytes(pastBytes(of.parameters)));
      const unit = knownUnit(wanted, tokensPerCharacter);
      const factor = unitFactor({ unit }, tokensPerCharacter.train);
      unitMark.show(unit);
      const nextFactor = unitFactor({ unit }, nextTokens);
      show(
        random,
        (of) => words.number(of.randomLoss * (of === plan ? factor : nextFactor), 2),
        Number.isFinite(nextFactor) ? next : null,
      );
      container.classList.toggle('stale', plan === null);
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}
