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

export interface LossControls {
  readonly zoom: HTMLElement;
  readonly more: HTMLElement;
  /**
   * Why the validation curve stands off from the other one, where bits per character are the
   * reason.
   */
  readonly heldOut: HTMLElement;
  update(look: LossLook, tokensPerCharacter: TokensPerCharacter): void;
}

/** Creates the controls; where they stand is the chart's to say. */
export function createLossControls(options: LossControlsOptions): LossControls {
  const { words, onChoice, onZoom, onAll } = options;
  const { t } = words;
  const button = (sign: string, name: string, press: () => void): HTMLButtonElement => {
    const made = el('button', { type: 'button', class: 'zoom' }, sign);
    made.setAttribute('aria-label', name);
    made.setAttribute('title', name);
    made.addEventListener('click', press);
    return made;
  };
  const all = button(t('loss.zoom.all'), t('loss.zoom.all.help'), onAll);
  const zoom = el(
    'div',
    { class: 'zooms', role: 'group', 'aria-label': t('loss.zoom') },
    button('−', t('loss.zoom.out'), () => {
      onZoom(2);
    }),
    button('+', t('loss.zoom.in'), () => {
      onZoom(0.5);
    }),
    all,
  );

  const name = freshId('unit');
  const units = (['nats', 'bits'] as const).map((unit) => {
    const input = el('input', { type: 'radio', name, value: unit });
    input.addEventListener('change', () => {
      onChoice({ unit });
    });
    const text = t(unitKey(unit));
    return { unit, input, label: el('label', { class: 'choice' }, input, el('span', {}, text)) };
  });
  const tick = (
    text: string,
    take: (checked: boolean) => void,
  ): { box: HTMLInputElement; label: HTMLElement } => {
    const box = el('input', { type: 'checkbox' });
    box.addEventListener('change', () => {
      take(box.checked);
    });
    return { box, label: el('label', { class: 'tick' }, box, el('span', {}, text)) };
  };
  const logSteps = tick(t('loss.log.steps'), (checked) => {
    onChoice({ logSteps: checked });
  });
  const logLoss = tick(t('loss.log.loss'), (checked) => {
    onChoice({ logLoss: checked });
  });
  const beneath = tick(t('loss.beneath'), (checked) => {
    onChoice({ beneath: checked });
  });
  const smoothingId = freshId('smoothing');
  const smoothing = range({ id: smoothingId, min: 0, max: SMOOTHINGS.length - 1, value: 2 });
  smoothing.addEventListener('input', () => {
    onChoice({ smoothing: SMOOTHINGS[Number(smoothing.value)] ?? 1 });
  });
  const unitBox = el(
    'div',
    { class: 'segments', role: 'radiogroup', 'aria-label': t('loss.unit') },
    ...units.map((unit) => unit.label),
  );
  const heldOut = el('p', { class: 'note', 'data-part': 'bits-held-out' });
  const more = disclosure(
    'loss-more',
    t('loss.more'),
    () => undefined,
    el(
      'div',
      { class: 'loss-options' },
      unitBox,
      el(
        'div',
        { class: 'loss-smoothing' },
        el('label', { for: smoothingId }, t('loss.smoothing')),
        smoothing,
      ),
      logSteps.label,
      logLoss.label,
      beneath.label,
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
  );
  const fold = options.folds.keep('loss.more', more);

  return {
    zoom,
    more: fold.root,
    heldOut,
    update(look, tokensPerCharacter) {
      const { train, validation } = tokensPerCharacter;
      const bits = knownUnit('bits', tokensPerCharacter) === 'bits';
      const key = look.unit === 'bits' ? heldOutKey(tokensPerCharacter) : null;
      heldOut.hidden = key === null;
      const share = { held: words.number(validation, 2), train: words.number(train, 2) };
      setText(heldOut, key === null ? '' : t(key, share));
      all.disabled = look.window === null;
      for (const { unit, input } of units) {
        input.checked = unit === look.unit;
        input.disabled = unit === 'bits' && !bits;
      }
      logSteps.box.checked = look.logSteps;
      logLoss.box.checked = look.logLoss;
      beneath.box.checked = look.beneath;
      const strength = SMOOTHINGS.indexOf(look.smoothing);
      smoothing.value = String(strength);
      setAttribute(
        smoothing,
        'aria-valuetext',
        t(strength === 0 ? 'loss.smoothing.none' : 'loss.smoothing.times', {
          times: words.short(look.smoothing),
        }),
      );
    },
  };
}
