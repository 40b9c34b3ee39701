/** A short text that is merged step by step, from its bytes to its tokens. */
import { signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { axisLabel, spokenLabel } from '../../data/attention-data.ts';
import type { AttentionToken } from '../../data/attention-data.ts';
import type { Merge } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import { asTyped } from '../../kit/dom.ts';
import { Slider } from '../../kit/slider.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { useInstrument } from '../component.tsx';
import { mergeSteps, ranksOf } from './bpe-steps.ts';
import type { MergeStep } from './bpe-steps.ts';
import { MoveButton } from './move-button.tsx';

/** Maximum length of the text to merge; a longer one would be hard to follow. */
const TEXT_LENGTH = 120;

class Walk {
  /** The text to merge; null until the reader types, which shows the text of the attention maps. */
  readonly text = signal<string | null>(null);
  readonly step = signal(0);
}

export function MergeWalk({ merges }: { readonly merges: readonly Merge[] }) {
  const { words, state, kept } = useInstrument();
  const { t } = words;
  const walk = kept(Walk);
  const [textId, sliderId] = [useFreshId('merge-text'), useFreshId('merge-step')];
  const slider = useRef<HTMLInputElement>(null);
  const text = (walk.text.value ?? state.probe).slice(0, TEXT_LENGTH);
  const ranks = useMemo(() => ranksOf(merges), [merges]);
  const steps = useMemo(() => mergeSteps(text, ranks), [text, ranks]);
  const end = steps.length - 1;
  const at = Math.min(Math.max(0, walk.step.value), end);
  const now = steps[at]!;
  const go = (step: number): void => {
    walk.step.value = step;
  };
  const told = (): string => {
    const { rank, pieces } = now;
    const merge = rank === null ? undefined : merges[rank];
    if (rank === null || merge === undefined) return t('merges.bytes', { count: pieces.length });
    return t('merges.step', {
      step: at,
      steps: end,
      left: spokenLabel(merge.left, words),
      right: spokenLabel(merge.right, words),
      rank: rank + 1,
      count: pieces.length,
    });
  };
  const move = (name: 'first' | 'back' | 'next' | 'last', to: number, can: boolean) => (
    <MoveButton can={can} other={slider} onMove={() => go(to)}>
      {t(`merges.${name}`)}
    </MoveButton>
  );
  return (
    <div class="merges-walk">
      <h3>{t('merges.walk')}</h3>
      <label for={textId} class="field-label">
        {t('merges.text')}
      </label>
      <input
        ref={asTyped}
        id={textId}
        type="text"
        maxLength={TEXT_LENGTH}
        value={text}
        onInput={({ currentTarget }) => {
          walk.text.value = currentTarget.value;
          go(0);
        }}
      />
      <div class="merges-moves">
        {move('first', 0, at > 0)}
        {move('back', at - 1, at > 0)}
        {move('next', at + 1, at < end)}
        {move('last', end, at < end)}
      </div>
      <label for={sliderId} class="visually-hidden">
        {t('merges.slider')}
      </label>
      <Slider element={slider} id={sliderId} max={end} value={at} valueText={told()} onValue={go} />
      <p class="note" role="status" data-part="merge-told">
        {sentences([told(), at === end ? t('merges.done') : ''], words)}
      </p>
      <Pieces step={now} />
    </div>
  );
}

function Pieces({ step: { pieces, made } }: { readonly step: MergeStep }) {
  const { words } = useInstrument();
  const { t } = words;
  return (
    <ol class="pieces" translate={false} aria-label={t('merges.pieces')}>
      {pieces.map(({ hex, word }, index) => {
        const token = tokenOf(hex);
        const begins = index > 0 && pieces[index - 1]?.word !== word;
        const fresh = made.has(index);
        const spoken = spokenLabel(token, words);
        return (
          <li class={`merge-piece${begins ? ' begins' : ''}${fresh ? ' fresh' : ''}`}>
            <span aria-hidden="true">{axisLabel(token)}</span>
            <span class="visually-hidden">
              {fresh ? t('merges.fresh', { token: spoken }) : spoken}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** Makes a token from its bytes: text if they are whole characters. */
function tokenOf(hex: string): AttentionToken {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, kind: 'text', hex };
  } catch {
    return { text: '', kind: 'bytes', hex };
  }
}
