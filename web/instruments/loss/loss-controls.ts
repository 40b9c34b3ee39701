/** The buttons and choices above the loss curve: zoom, unit, logarithmic axes, smoothing. */
import type { Words } from '../../i18n/index.ts';
import { disclosure, el, freshId, range, setAttribute, setText } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { hint } from '../../kit/hint.ts';
import { heldOutKey, knownUnit, SMOOTHINGS, unitKey } from '../../data/loss-data.ts';
import type { LossChoice, LossLook, TokensPerCharacter } from '../../data/loss-data.ts';
import { termButton } from '../../kit/term.ts';

export interface LossControlsOptions {
  readonly words: Words;
  readonly folds: Folds;
  readonly onChoice: (change: Partial<LossChoice>) => void;
  readonly onZoom: (factor: number) => void;
  /** All steps are to be in view. */
  readonly onAll: () => void;
}

/** What is ticked, with its words. */
const TICKS = [
  ['logSteps', 'loss.log.steps'],
  ['logLoss', 'loss.log.loss'],
  ['beneath', 'loss.beneath'],
] as const;

/** The controls; where they stand is the chart's to say. */
export class LossControls {
  readonly zoom: HTMLElement;
  readonly more: HTMLElement;
  /**
   * Why the validation curve stands off from the other one, where bits per character are the
   * reason.
   */
  readonly heldOut = el('p', { class: 'note', 'data-part': 'bits-held-out' });
  readonly #options: LossControlsOptions;
  readonly #all: HTMLButtonElement;
  readonly #units = {
    nats: el('input', { type: 'radio', value: 'nats' }),
    bits: el('input', { type: 'radio', value: 'bits' }),
  };
  readonly #ticks = {
    logSteps: el('input', { type: 'checkbox' }),
    logLoss: el('input', { type: 'checkbox' }),
    beneath: el('input', { type: 'checkbox' }),
  };
  readonly #smoothing: HTMLInputElement;

  constructor(options: LossControlsOptions) {
    const { words, folds, onZoom, onAll } = options;
    const { t } = words;
    this.#options = options;
    this.#all = zoomButton(t('loss.zoom.all'), t('loss.zoom.all.help'), onAll);
    this.zoom = el(
      'div',
      { class: 'zooms', role: 'group', 'aria-label': t('loss.zoom') },
      zoomButton('−', t('loss.zoom.out'), () => {
        onZoom(2);
      }),
      zoomButton('+', t('loss.zoom.in'), () => {
        onZoom(0.5);
      }),
      this.#all,
    );
    const id = freshId('smoothing');
    this.#smoothing = range({ id, min: 0, max: SMOOTHINGS.length - 1, value: 2 });
    const fold = disclosure('loss-more', t('loss.more'), () => undefined, ...this.#choices(id));
    this.more = folds.keep('loss.more', fold).root;
  }

  update(look: LossLook, tokensPerCharacter: TokensPerCharacter): void {
    const { t, number, short } = this.#options.words;
    const { train, validation } = tokensPerCharacter;
    const key = look.unit === 'bits' ? heldOutKey(tokensPerCharacter) : null;
    this.heldOut.hidden = key === null;
    const share = { held: number(validation, 2), train: number(train, 2) };
    setText(this.heldOut, key === null ? '' : t(key, share));
    this.#all.disabled = look.window === null;
    this.#units[look.unit].checked = true;
    this.#units.bits.disabled = knownUnit('bits', tokensPerCharacter) !== 'bits';
    for (const [name] of TICKS) this.#ticks[name].checked = look[name];
    const strength = SMOOTHINGS.indexOf(look.smoothing);
    this.#smoothing.value = String(strength);
    const times = { times: short(look.smoothing) };
    const said = t(strength === 0 ? 'loss.smoothing.none' : 'loss.smoothing.times', times);
    setAttribute(this.#smoothing, 'aria-valuetext', said);
  }

  #choices(smoothingId: string): HTMLElement[] {
    const { words, onChoice } = this.#options;
    const { t } = words;
    this.#smoothing.addEventListener('input', () => {
      onChoice({ smoothing: SMOOTHINGS[Number(this.#smoothing.value)] ?? 1 });
    });
    const smoothingLabel = el('label', { for: smoothingId }, t('loss.smoothing'));
    return [
      el(
        'div',
        { class: 'loss-options' },
        this.#unitChoice(),
        el('div', { class: 'loss-smoothing' }, smoothingLabel, this.#smoothing),
        ...TICKS.map(([name, key]) => this.#tick(name, t(key))),
      ),
      el(
        'p',
        { class: 'note loss-terms' },
        termButton('learning_rate', t('loss.rate')),
        termButton('gradient_norm', t('loss.norm')),
      ),
      el('p', { class: 'note' }, t('loss.smoothing.help')),
      el('p', { class: 'note' }, t('loss.bits.help')),
      el('p', { class: 'note' }, hint(words, 'loss.zoom.help')),
    ];
  }

  #unitChoice(): HTMLElement {
    const { words, onChoice } = this.#options;
    const name = freshId('unit');
    const labels = (['nats', 'bits'] as const).map((unit) => {
      const input = this.#units[unit];
      input.name = name;
      input.addEventListener('change', () => {
        onChoice({ unit });
      });
      return el('label', { class: 'choice' }, input, el('span', {}, words.t(unitKey(unit))));
    });
    const attributes = { class: 'segments', role: 'radiogroup' };
    return el('div', { ...attributes, 'aria-label': words.t('loss.unit') }, ...labels);
  }

  #tick(name: (typeof TICKS)[number][0], text: string): HTMLElement {
    const box = this.#ticks[name];
    box.addEventListener('change', () => {
      this.#options.onChoice({ [name]: box.checked });
    });
    return el('label', { class: 'tick' }, box, el('span', {}, text));
  }
}

function zoomButton(sign: string, name: string, press: () => void): HTMLButtonElement {
  const attributes = { type: 'button', class: 'zoom', 'aria-label': name, title: name };
  const button = el('button', attributes, sign);
  button.addEventListener('click', press);
  return button;
}
