/** What is folded away below the loss curve: zoom, unit, logarithmic axes, smoothing and more. */
import type { Words } from '../../i18n/index.ts';
import { disclosure, el, freshId, range, setAttribute, setText } from '../../kit/dom.ts';
import type { Folds } from '../../kit/folds.ts';
import { hint } from '../../kit/hint.ts';
import { heldOutKey, knownUnit, SMOOTHINGS, unitKey } from '../../data/loss-data.ts';
import type { LossChoice, LossState, TokensPerCharacter } from '../../data/loss-data.ts';
import { termButton } from '../../kit/term.ts';

export interface LossControlsOptions {
  readonly words: Words;
  readonly folds: Folds;
  readonly onChoice: (change: Partial<LossChoice>) => void;
  readonly onZoom: (factor: number) => void;
  /** All steps are to be in view. */
  readonly onAll: () => void;
  /** Stands below the choices. */
  readonly further: readonly HTMLElement[];
}

export interface LossControls {
  readonly more: HTMLElement;
  /**
   * Why the validation curve stands off from the other one, where bits per character are the
   * reason.
   */
  readonly heldOut: HTMLElement;
  update(look: LossState, tokensPerCharacter: TokensPerCharacter): void;
}

/** What is ticked, with its words. */
const TICKS = [
  ['logSteps', 'loss.log.steps'],
  ['logLoss', 'loss.log.loss'],
  ['beneath', 'loss.beneath'],
] as const;

/** Creates the controls; where they stand is the chart's to say. */
export function createLossControls(options: LossControlsOptions): LossControls {
  const { words, folds, onChoice, onZoom, onAll, further } = options;
  const { t, number, short } = words;
  const all = zoomButton(t('loss.zoom.all'), t('loss.zoom.all.help'), onAll);
  const out = zoomButton('−', t('loss.zoom.out'), onZoom.bind(null, 2));
  const into = zoomButton('+', t('loss.zoom.in'), onZoom.bind(null, 0.5));
  const zooms = { class: 'zooms', role: 'group', 'aria-label': t('loss.zoom') };
  const name = freshId('unit');
  const units = (['nats', 'bits'] as const).map((unit) => {
    // Known only once the text is cut into tokens: until then there is nothing to choose.
    const input = el('input', { type: 'radio', name, value: unit, disabled: unit === 'bits' });
    const take = (): void => {
      onChoice({ unit });
    };
    return { unit, input, label: choice('choice', input, t(unitKey(unit)), take) };
  });
  const ticks = TICKS.map(([what, key]) => {
    const box = el('input', { type: 'checkbox' });
    const take = (): void => {
      onChoice({ [what]: box.checked });
    };
    return { what, box, label: choice('tick', box, t(key), take) };
  });
  const id = freshId('smoothing');
  const smoothing = range({ id, min: 0, max: SMOOTHINGS.length - 1, value: 2 });
  smoothing.addEventListener('input', () => {
    onChoice({ smoothing: SMOOTHINGS[Number(smoothing.value)] ?? 1 });
  });
  const unitBox = { class: 'segments', role: 'radiogroup', 'aria-label': t('loss.unit') };
  const smoothingLabel = el('label', { for: id }, t('loss.smoothing'));
  const choices = el(
    'div',
    { class: 'loss-options' },
    el('div', zooms, out, into, all),
    el('div', unitBox, ...units.map(({ label }) => label)),
    el('div', { class: 'loss-smoothing' }, smoothingLabel, smoothing),
    ...ticks.map(({ label }) => label),
  );
  const heldOut = el('p', { class: 'note', 'data-part': 'bits-held-out' });
  const more = disclosure(
    'loss-more',
    t('loss.more'),
    () => undefined,
    choices,
    ...further,
    ...help(words),
  );
  return {
    more: folds.keep('loss.more', more).root,
    heldOut,
    update(look, tokensPerCharacter) {
      const { train, validation } = tokensPerCharacter;
      const key = look.unit === 'bits' ? heldOutKey(tokensPerCharacter) : null;
      heldOut.hidden = key === null;
      const share = { held: number(validation, 2), train: number(train, 2) };
      setText(heldOut, key === null ? '' : t(key, share));
      all.disabled = look.window === null;
      for (const { unit, input } of units) {
        input.checked = unit === look.unit;
        input.disabled = knownUnit(unit, tokensPerCharacter) !== unit;
      }
      for (const { what, box } of ticks) box.checked = look[what];
      const strength = SMOOTHINGS.indexOf(look.smoothing);
      smoothing.value = String(strength);
      const times = { times: short(look.smoothing) };
      const said = t(strength === 0 ? 'loss.smoothing.none' : 'loss.smoothing.times', times);
      setAttribute(smoothing, 'aria-valuetext', said);
    },
  };
}

function zoomButton(sign: string, name: string, press: () => void): HTMLButtonElement {
  const attributes = { type: 'button', class: 'zoom', 'aria-label': name, title: name };
  const button = el('button', attributes, sign);
  button.addEventListener('click', press);
  return button;
}

function choice(kind: string, box: HTMLElement, text: string, take: () => void): HTMLElement {
  box.addEventListener('change', take);
  return el('label', { class: kind }, box, el('span', {}, text));
}

/** What the choices mean. */
function help(words: Words): HTMLElement[] {
  const { t } = words;
  const terms = [
    termButton('smoothed_loss', t('loss.smoothed')),
    termButton('validation', t('loss.validation')),
    termButton('random_guessing', t('loss.random')),
    termButton('nat', t('loss.axis.loss')),
    termButton('bits_per_character', t('loss.axis.bits')),
    termButton('learning_rate', t('loss.rate')),
    termButton('gradient_norm', t('loss.norm')),
  ];
  return [
    el('p', { class: 'note loss-terms' }, ...terms),
    el('p', { class: 'note' }, t('loss.smoothing.help')),
    el('p', { class: 'note' }, t('loss.bits.help')),
    el('p', { class: 'note' }, hint(words, 'loss.zoom.help')),
  ];
}
