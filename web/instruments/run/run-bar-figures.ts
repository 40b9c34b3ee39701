/** The figures of the run bar: how far, how good, how fast, how long still; and the pace. */
import type { Words } from '../../i18n/index.ts';
import { el, setText } from '../../kit/dom.ts';
import { termButton } from '../../kit/term.ts';
import { createUnitMark } from '../../kit/unit-mark.ts';
import type { UnitMark } from '../../kit/unit-mark.ts';
import { WATCHED } from '../../store/address/page-settings.ts';
import type { RunBarData, RunBarOptions } from './run-bar-data.ts';

type FactName = 'step' | 'loss' | 'speed' | 'left';

interface Fact {
  readonly box: HTMLElement;
  readonly value: HTMLElement;
}

export class RunBarFigures {
  readonly root: HTMLElement;
  readonly #words: Words;
  readonly #unit: UnitMark;
  readonly #facts: Readonly<Record<FactName, Fact>>;
  readonly #pace: HTMLSelectElement;
  readonly #paceBox: HTMLElement;
  readonly #full: HTMLButtonElement;
  readonly #cutOff: IntersectionObserver;

  constructor({ words, paces, onPace, onKept }: RunBarOptions) {
    const { t } = words;
    this.#words = words;
    this.#unit = createUnitMark(words);
    this.#facts = {
      step: fact('step', termButton('step', t('run.fact.step'))),
      loss: fact(
        'loss',
        el('span', {}, termButton('loss', t('run.fact.loss')), ' ', this.#unit.root),
      ),
      speed: fact('speed', termButton('speed', t('run.fact.speed'))),
      left: fact('left', t('run.fact.left')),
    };
    this.#facts.loss.value.title = t('run.fact.loss.help');
    const list = el('dl', { class: 'facts' }, ...Object.values(this.#facts).map(({ box }) => box));
    this.#cutOff = hideIfCutOff(this.#facts.speed.box, list);
    // On a phone, in place of figures that say nothing yet: nothing else moves for it.
    const kept = el('button', { type: 'button', class: 'link run-bar-kept' }, t('run.kept'));
    kept.addEventListener('click', onKept);
    this.#pace = paceField(paces, words);
    this.#pace.addEventListener('change', () => {
      onPace(Number(this.#pace.value));
    });
    const label = { class: 'pace', 'data-control': 'pace' };
    this.#paceBox = el('label', label, el('span', {}, t('run.pace')), this.#pace);
    const full = { type: 'button', class: 'secondary', hidden: true } as const;
    this.#full = el('button', full, t('run.pace.full'));
    this.#full.addEventListener('click', () => {
      onPace(0);
    });
    this.root = el('div', { class: 'figures' }, kept, list, this.#paceBox, this.#full);
  }

  update(data: RunBarData): void {
    const { t, number, short } = this.#words;
    const { step, lookedAt, steps, loss, tokensPerSecond: speed, pace } = data;
    this.#pace.value = typeof pace === 'number' ? String(pace) : '0';
    this.#full.hidden = pace !== WATCHED;
    this.#paceBox.hidden = !this.#full.hidden;
    const facts = this.#facts;
    const at = number(lookedAt ?? step);
    setText(facts.step.value, steps > 0 ? t('run.of', { step: at, steps: number(steps) }) : at);
    this.#unit.show(data.unit);
    setText(facts.loss.value, loss === null ? '–' : number(loss, 2));
    setText(facts.speed.value, speed > 0 ? short(speed) : '–');
    setText(facts.left.value, this.#timeLeft(data));
  }

  #timeLeft({ state, lookedAt, secondsLeft }: RunBarData): string {
    // At a step of before it is not done.
    if (state === 'finished') return lookedAt === null ? this.#words.t('run.done') : '–';
    return Number.isNaN(secondsLeft) ? '–' : this.#words.duration(secondsLeft);
  }

  destroy(): void {
    this.#cutOff.disconnect();
  }
}

function fact(name: FactName, text: HTMLElement | string): Fact {
  const value = el('dd', { 'data-part': name });
  return { box: el('div', { class: `fact fact-${name}` }, el('dt', {}, text), value), value };
}

/** On a phone `box` may have no room in `list`: what nobody sees must not take the focus either. */
function hideIfCutOff(box: HTMLElement, list: HTMLElement): IntersectionObserver {
  const room = new IntersectionObserver(
    (entries) => {
      const seen = entries.at(-1)?.isIntersecting ?? true;
      box.style.visibility = seen ? '' : 'hidden';
    },
    { root: list },
  );
  room.observe(box);
  return room;
}

function paceField(paces: readonly number[], { t }: Words): HTMLSelectElement {
  const options = paces.map((steps) => {
    const text = steps === 0 ? t('run.pace.0') : t('run.pace.value', { steps });
    return el('option', { value: steps }, text);
  });
  return el('select', { title: t('run.pace.help') }, ...options);
}
