/**
 * Notes below the curve: advice after a learning rate that was too high, memorisation, text too
 * short to hold out, capped or thinned losses, and the offset of the validation curve in bits.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { heldOutKey, unitFactor } from '../../data/loss-data.ts';
import { TermButton } from '../../kit/term-button.tsx';
import { canChange, TAB_SECTION } from '../../store/address/lesson.ts';
import { unheldShown } from '../../store/training/held-out.ts';
import { isWorse, lossNotes, memorisingSince } from '../../store/training/loss-reading.ts';
import { ratesOf } from '../../store/training/rates.ts';
import { useShown } from './losses.ts';
import type { Losses, LossProps } from './losses.ts';

/** A loss above this multiple of the loss of guessing means that the learning rate was too high. */
const EXPLODED = 3;

interface NoteProps {
  /** The `data-part` attribute. */
  readonly part: string;
  /** Text of the note; empty for no note. */
  readonly text: string;
  readonly children?: ComponentChildren;
}

export function Note({ part, text, children }: NoteProps) {
  if (text === '') return null;
  return (
    <p class="note" data-part={part}>
      {text}
      {children}
    </p>
  );
}

export function Notes({ losses }: LossProps) {
  const { actions, offers, session, words } = losses;
  const { t } = words;
  const advice = useShown(losses, () => adviceOn(losses));
  const memorising = useShown(losses, () => memorisingNote(losses));
  const unheld = useShown(losses, () => unheldShown(session(), words));
  const odd = useShown(losses, () => lossNotes(losses.data.value, losses.look.value, words));
  const heldOut = useShown(losses, () => heldOutNote(losses));
  const advised = useRef('');
  useEffect(() => {
    // Announces new advice. Clears advice that no longer applies, but keeps a sentence on a step.
    if (advice !== '' || losses.spoken.peek() === advised.current) losses.spoken.value = advice;
    advised.current = advice;
  }, [advice]);
  return (
    <>
      <Note part="loss-advice" text={advice}>
        {' '}
        <button
          type="button"
          class="link"
          onClick={() => {
            losses.focusTitle();
            actions.onGentler();
          }}
        >
          {t('run.gentler')}
        </button>
      </Note>
      {/* Announces advice, and the step selected by keys; the pointer is too fast for speech. */}
      <p class="visually-hidden" aria-live="polite">
        {losses.spoken.value}
      </p>
      <Note part="loss-memorising" text={memorising}>
        {' '}
        {offers('tokens') ? (
          <button type="button" class="link" onClick={() => compare(losses)}>
            {t('loss.memorising.compare')}
          </button>
        ) : null}{' '}
        <TermButton id="memorising" text={t('glossary.more')} />
      </Note>
      <Note part="loss-unheld" text={unheld} />
      <Note part="loss-notes" text={odd} />
      <Note part="bits-held-out" text={heldOut} />
    </>
  );
}

/** Shows the losses of the held-out text token by token. */
function compare({ actions, goTo, session }: Losses): void {
  actions.onTab('tokens');
  import('../../store/text/held-out-part.ts')
    .then(({ heldOutPart }) => {
      const part = heldOutPart(session()?.current ?? null);
      if (part !== '') actions.onScored(part, false);
    })
    // The tab opens anyway and reports an error of the network itself.
    .catch(() => undefined)
    .finally(() => goTo(TAB_SECTION));
}

/**
 * Advice to lower the learning rate of a finished run; empty for none. The rate must be above the
 * usual one, and the loss either worse than guessing or, after an explosion, hardly better.
 */
function adviceOn({ data, lesson, session, words: { t, short } }: Losses): string {
  const { history, randomLoss } = data.value;
  const now = session();
  if (now?.current?.data.state !== 'finished' || now.pending().length > 0) return '';
  const [rates, loss] = [ratesOf(now), history.smoothedLast() ?? NaN];
  if (rates === null || rates.rate <= rates.usual) return '';
  const cameBack = history.highest > EXPLODED * randomLoss && isWorse(loss + 1, randomLoss);
  if (!isWorse(loss, randomLoss) && !cameBack) return '';
  if (!canChange(lesson, 'settings') || lesson.hide.has('rewind')) return '';
  return t('runs.good.rate', { rate: short(rates.rate), usual: short(rates.usual) });
}

function memorisingNote({ data, look, words: { t, number } }: Losses): string {
  const { history, tokensPerCharacter } = data.value;
  const best = memorisingSince(history);
  if (best === null) return '';
  const loss = best.loss * unitFactor(look.value, tokensPerCharacter.validation);
  return t('loss.memorising', { loss: number(loss, 2), step: number(best.step) });
}

/**
 * Note that the validation curve is offset in bits per character, because its text has more or
 * fewer tokens per character; empty if it is not.
 */
function heldOutNote({ data, look, words: { t, number } }: Losses): string {
  const { tokensPerCharacter } = data.value;
  const { train, validation } = tokensPerCharacter;
  const key = look.value.unit === 'bits' ? heldOutKey(tokensPerCharacter) : null;
  return key === null ? '' : t(key, { held: number(validation, 2), train: number(train, 2) });
}
