/** The text whose tokens are scored: a field, buttons that fill it, and notes. */
import { findOption, valueOf } from '../../engine/options.ts';
import type { AllWords } from '../../i18n/index.ts';
import { asTyped } from '../../kit/dom.ts';
import { useFreshId } from '../../kit/use-id.ts';
import { SCORED_LENGTH } from '../../store/address/page-settings.ts';
import { heldOutPart } from '../../store/text/held-out-part.ts';
import type { Session } from '../../store/training/session.ts';
import { useInstrument } from '../component.tsx';

export interface ScoredTextProps {
  readonly text: string;
  /** Error of the text, or a note about omitted parts. */
  readonly note: string;
  readonly isError: boolean;
}

export function ScoredText({ text, note, isError }: ScoredTextProps) {
  const { words, state, session, actions, home, lesson } = useInstrument();
  const { t } = words;
  const [id, noteId, aboutId] = [
    useFreshId('scored'),
    useFreshId('scored-note'),
    useFreshId('scored-about'),
  ];
  const now = session();
  // Texts of the buttons; empty if unavailable.
  const sources = [
    { title: t('tokens.source.probe'), text: state.probe },
    { title: t('tokens.source.heldOut'), text: heldOutPart(now?.current ?? null) },
    { title: t('tokens.source.written'), text: writtenText(now) },
  ];
  return (
    <>
      <label for={id} class="field-label">
        {t('tokens.field')}
      </label>
      <textarea
        id={id}
        ref={asTyped}
        rows={3}
        aria-describedby={`${aboutId} ${noteId}`}
        aria-invalid={isError}
        value={text}
        onInput={({ currentTarget }) => actions.onScored(currentTarget.value, true)}
      />
      <p id={noteId} class={isError ? 'note error' : 'note'} role="status">
        {note}
      </p>
      {/* An embedded page has the address of its host. */}
      {home === null ? null : (
        <p id={aboutId} class="note">
          {t('tokens.addressed', { count: SCORED_LENGTH })}
        </p>
      )}
      <div class="fillers">
        {sources.map((source) => (
          <button
            type="button"
            class="secondary small"
            disabled={source.text === ''}
            onClick={() => actions.onScored(source.text, false)}
          >
            {source.title}
          </button>
        ))}
      </div>
      <p class="note" data-part="tokens-missing">
        {sources[1]?.text === '' && !lesson.lock.has('settings') ? whyNoneHeldOut(now, words) : ''}
      </p>
    </>
  );
}

/** Why held-out text cannot be shown; empty if it is only not ready yet. */
function whyNoneHeldOut(session: Session | null, { t }: AllWords): string {
  const { current = null, table = null } = session ?? {};
  if (current === null || table === null || current.data.hasValidation) return '';
  const known = findOption(table, 'validation') !== undefined;
  const share = known ? valueOf(table, current.recipe, 'validation') : 0;
  return t(share > 0 ? 'tokens.heldOut.short' : 'tokens.heldOut.none');
}

/** The newest text written by the model. */
function writtenText(session: Session | null): string {
  const answer = session?.answers.last ?? null;
  if (answer !== null && answer.error === null && answer.text !== '') {
    return answer.request.prompt + answer.text;
  }
  return session?.run?.samples.at(-1)?.texts.join('\n').trim() ?? '';
}
