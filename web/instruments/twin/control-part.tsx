/**
 * Control runs: the same training on a shuffled text. If letters or words are shuffled, entropy
 * gives the lowest possible loss.
 */
import { knownUnit, unitKey } from '../../data/loss-data.ts';
import { valueOf } from '../../engine/options.ts';
import { canChange } from '../../store/address/lesson.ts';
import { hasWords, shuffled } from '../../store/text/shuffled.ts';
import type { Shuffle } from '../../store/text/shuffled.ts';
import { textKey } from '../../store/text/text-key.ts';
import type { Session } from '../../store/training/session.ts';
import { useChartMarks, useInstrument } from '../component.tsx';
import type { LaterContext } from '../panel.ts';
import { bestPossible, ControlState, SHUFFLED_LENGTH } from './control.ts';

const KINDS: readonly Shuffle[] = ['letters', 'words', 'lines'];

export function ControlPart({ onBegin }: { readonly onBegin: () => void }) {
  const context = useInstrument();
  const { words, lesson, session, kept } = context;
  const { t } = words;
  const state = kept(ControlState);
  const now = session();
  const current = now?.current ?? null;
  const isBusy = now?.run?.state === 'running';
  const shown = state.of(current);
  const key = `${shown?.key ?? ''} ${String(now?.run?.number)}`;
  useChartMarks('control', key, () => {
    const run = session()?.current ?? null;
    const one = state.of(run);
    if (one === null || run === null || one.kind === 'lines') return [];
    return [{ level: bestPossible(one, run), label: t('twin.control.level'), isLeast: true }];
  });
  const said = now === null ? '' : statusText(state, now, context);
  const back = shown?.back ?? null;
  return (
    <div class="twin-control">
      {canChange(lesson, 'text') && current !== null ? (
        <div class="twin-controls" role="group" aria-label={t('twin.control')}>
          <span>{t('twin.control')}</span>
          {KINDS.map((kind) => (
            <button
              key={kind}
              type="button"
              class="secondary"
              aria-disabled={isBusy}
              onClick={() => {
                if (isBusy) return;
                onBegin();
                void trainControl(kind, state, context);
              }}
            >
              {t(`twin.control.${kind}`)}
            </button>
          ))}
        </div>
      ) : null}
      {said === '' && back === null ? null : (
        <p class="note" role="status" data-part="control">
          <span>{said}</span>{' '}
          {back === null ? null : (
            <button
              type="button"
              class="link"
              onClick={() => {
                back();
                state.control.value = { ...shown!, back: null };
              }}
            >
              {t('twin.control.back')}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

async function trainControl(
  kind: Shuffle,
  state: ControlState,
  { session, actions }: LaterContext,
): Promise<void> {
  const now = session();
  if (now === null || now.current === null) return;
  const { madeRecipe, current } = now;
  const text = await actions.readText();
  const { control } = state;
  // A second control shuffles the original text, which can still be restored.
  const before = control.value?.made.text === text ? control.value : null;
  const whole = before?.whole ?? text;
  const isLong = whole.length > SHUFFLED_LENGTH;
  const wrong = kind === 'words' && !hasWords(whole) ? 'no-words' : null;
  state.wrong.value = isLong ? 'long' : wrong;
  if (state.wrong.value !== null) return;
  const seed = valueOf(now.table, madeRecipe, 'seed');
  const made = shuffled(whole, kind, current.info.documents, seed);
  const key = await textKey({ content: new Blob([made.text]) });
  const back = actions.onMend(made.text);
  control.value = { kind, key, whole, made, back: before?.back ?? back };
  // Drops the ranges to leave out, which are positions in the original text.
  const { preset, changes } = madeRecipe;
  actions.onTwin({ preset, changes });
}

/**
 * Says why no control was trained, or the lowest possible loss of the shown control; empty for
 * neither.
 */
function statusText(
  state: ControlState,
  now: Session,
  { words, state: { lossChoice } }: LaterContext,
): string {
  const { t } = words;
  const wrong = state.wrong.value;
  if (wrong !== null) return t(`twin.control.${wrong}`, { most: SHUFFLED_LENGTH });
  const { current } = now;
  const one = state.of(current);
  if (one === null || current === null) return '';
  const isSame = one.kind === 'lines' && current.info.documents;
  const unit = knownUnit(lossChoice.unit, now.tokensPerCharacter);
  return t(`twin.control.said.${isSame ? 'documents' : one.kind}`, {
    best: words.number(bestPossible(one, current)[unit], 3),
    unit: t(unitKey(unit)),
  });
}
