/** What will be made of the text, in one line of figures, before and during training. */
import type { Words } from '../i18n/index.ts';
import { el, setText } from './dom.ts';
import type { View } from './dom.ts';
import { termButton } from './term.ts';

export interface PlanData {
  readonly vocab: number;
  readonly tokens: number;
  readonly parameters: number;
  readonly totalBytes: number;
  readonly randomLoss: number;
}

/** Creates the plan line in `container`; null means that there is no plan (yet). */
export function createPlanLine(
  container: HTMLElement,
  options: { readonly words: Words },
): View<PlanData | null> {
  const { words } = options;
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
  const [randomBox, random] = figure(
    'random',
    termButton('random_guessing', t('plan.random')),
    t('plan.random.help'),
  );
  const list = el(
    'dl',
    { class: 'plan' },
    vocabBox,
    tokensBox,
    parametersBox,
    memoryBox,
    randomBox,
  );
  list.setAttribute('aria-label', t('plan.title'));
  container.append(list);

  return {
    update(plan) {
      setText(vocab, plan === null ? '–' : words.number(plan.vocab));
      setText(tokens, plan === null ? '–' : words.number(plan.tokens));
      setText(parameters, plan === null ? '–' : words.number(plan.parameters));
      setText(memory, plan === null ? '–' : words.bytes(plan.totalBytes));
      setText(random, plan === null ? '–' : words.number(plan.randomLoss, 2));
      container.classList.toggle('stale', plan === null);
    },
    resize: () => undefined,
    destroy() {
      container.replaceChildren();
    },
  };
}
