/** Controls: the run of now once more, on its text in random order. */
import { valueOf } from '../../engine/options.ts';
import { knownUnit, unitKey } from '../../data/loss-data.ts';
import { canChange } from '../../store/address/lesson.ts';
import { hasWords, shuffled } from '../../store/text/shuffled.ts';
import type { Shuffle } from '../../store/text/shuffled.ts';
import { textKey } from '../../store/text/text-key.ts';
import type { Session } from '../../store/training/session.ts';
import type { LaterContext } from '../panel.ts';
import { bestPossible, ControlState, SHUFFLED_LENGTH } from './control.ts';
import { ControlForm } from './control-form.ts';
import type { ControlData } from './control-form.ts';

export class ControlPart {
  readonly #context: LaterContext;
  readonly #state: ControlState;
  readonly #form: ControlForm;
  readonly #changed: () => void;

  /** `begins` hears that another run will begin here, `changed` that there is more to say. */
  constructor(context: LaterContext, begins: () => void, changed: () => void) {
    const { words, layers, session } = context;
    this.#context = context;
    this.#state = context.kept(ControlState);
    this.#changed = changed;
    this.#form = new ControlForm({
      words,
      onShuffle: (kind) => {
        begins();
        void this.#shuffle(kind);
      },
      onBack: () => {
        const { control } = this.#state;
        control?.back?.();
        if (control !== null) control.back = null;
        changed();
      },
    });
    layers.set('control', () => {
      const current = session()?.current ?? null;
      const one = this.#state.of(current);
      if (one === null || current === null || one.kind === 'lines') return [];
      const label = words.t('twin.control.level');
      return [{ level: bestPossible(one, current), label, isLeast: true }];
    });
  }

  get root(): HTMLElement {
    return this.#form.root;
  }

  update(now: Session): void {
    this.#form.update({ ...this.#data(now), busy: now.run?.state === 'running' });
  }

  destroy(): void {
    this.#context.layers.set('control', () => []);
  }

  async #shuffle(kind: Shuffle): Promise<void> {
    const { session, actions } = this.#context;
    const now = session();
    if (now === null || now.current === null) return;
    const { madeRecipe, current } = now;
    const look = this.#state;
    const text = await actions.readText();
    // In the place of another control, a control is of the text from before that, which comes back.
    const before = look.control?.made.text === text ? look.control : null;
    const whole = before?.whole ?? text;
    const isLong = whole.length > SHUFFLED_LENGTH;
    const wrong = kind === 'words' && !hasWords(whole) ? 'no-words' : null;
    look.wrong = isLong ? 'long' : wrong;
    if (look.wrong === null) {
      const seed = valueOf(now.table, madeRecipe, 'seed');
      const made = shuffled(whole, kind, current.info.documents, seed);
      const key = await textKey({ content: new Blob([made.text]) });
      const back = actions.onMend(made.text);
      look.control = { kind, key, whole, made, back: before?.back ?? back };
      // What may be left out are places of the text as it was.
      const { preset, changes } = madeRecipe;
      actions.onTwin({ preset, changes });
    }
    this.#changed();
  }

  #data(now: Session): Omit<ControlData, 'busy'> {
    const { words, lesson, state } = this.#context;
    const { current } = now;
    const offered = canChange(lesson, 'text') && current !== null;
    const { wrong } = this.#state;
    const one = this.#state.of(current);
    const hasBefore = one !== null && one.back !== null;
    if (wrong !== null) {
      const said = words.t(`twin.control.${wrong}`, { most: SHUFFLED_LENGTH });
      return { offered, said, hasBefore };
    }
    if (one === null || current === null) return { offered, said: '', hasBefore: false };
    const isSame = one.kind === 'lines' && current.info.documents;
    const unit = knownUnit(state.lossChoice.unit, now.tokensPerCharacter);
    const said = words.t(`twin.control.said.${isSame ? 'documents' : one.kind}`, {
      best: words.number(bestPossible(one, current)[unit], 3),
      unit: words.t(unitKey(unit)),
    });
    return { offered, said, hasBefore };
  }
}
