/** The field of the probe text, with its error or the number of tokens that do not fit. */
import { useRef } from 'preact/hooks';
import type { AttentionToken } from '../../data/attention-data.ts';
import { sentences } from '../../i18n/index.ts';
import { asTyped } from '../../kit/dom.ts';
import { useFreshId } from '../../kit/use-id.ts';
import { PROBE_TOKENS, suitedProbe } from '../../store/training/probe-choice.ts';
import { useFirstInstrument } from '../component.tsx';

interface ProbeFieldProps {
  /** Tokens of the probe that fit; null before the first answer. */
  readonly tokens: readonly AttentionToken[] | null;
  /** Number of tokens that do not fit. */
  readonly omitted: number;
  /** Error message; empty for none. */
  readonly error: string;
}

export function ProbeField({ tokens, omitted, error }: ProbeFieldProps) {
  const { words, state, session, actions } = useFirstInstrument();
  const { t } = words;
  const [id, noteId] = [useFreshId('probe'), useFreshId('probe-note')];
  const field = useRef<HTMLInputElement | null>(null);
  const now = session();
  // The default probe suits only the shown text: none if the run uses another text, or no text.
  const isOther = now?.pending().includes('text') === true || now?.model?.purpose === 'generate';
  const suited = isOther ? '' : suitedProbe(state);
  const leftOut = (): string => {
    const all = { room: tokens?.length ?? 0 };
    // The BOS token, which the reader did not type, takes a position, too.
    const begun = tokens?.[0]?.kind === 'bos' ? t('attention.omitted.room', all) : '';
    const isLimit = (now?.current?.info.context ?? 0) > PROBE_TOKENS;
    const room = isLimit ? t('attention.omitted.maps', all) : begun;
    return sentences([t('attention.omitted', { omitted }), room], words);
  };
  return (
    <>
      <div class="probe-head">
        <label for={id} class="field-label">
          {t('attention.probe')}
        </label>
        {suited === '' || suited === state.probe ? null : (
          <button
            type="button"
            class="link"
            onClick={() => {
              // The button disappears, so the focus moves to the field.
              field.current?.focus();
              actions.onProbe(null);
            }}
          >
            {t('attention.probe.back', { text: suited })}
          </button>
        )}
      </div>
      <input
        ref={(input) => {
          field.current = input;
          asTyped(input);
        }}
        id={id}
        type="text"
        maxLength={400}
        aria-describedby={noteId}
        aria-invalid={error !== ''}
        value={state.probe}
        onInput={({ currentTarget }) => actions.onProbe(currentTarget.value)}
      />
      <p id={noteId} class={error === '' ? 'note' : 'note error'} role="status">
        {error === '' && omitted > 0 ? leftOut() : error}
      </p>
    </>
  );
}
