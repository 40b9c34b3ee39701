/** The opened file and how it was decoded. */
import { sentences } from '../../i18n/index.ts';
import { useFreshId } from '../../kit/use-id.ts';
import type { Reading, ReadingChoice } from '../../store/text/decode.ts';
import { ENCODINGS } from '../../store/text/encodings.ts';
import { useFirstInstrument } from '../component.tsx';

export function FileLine() {
  const { words, state, actions } = useFirstInstrument();
  const { fileName: name, fileSize, reading } = state;
  const id = useFreshId('encoding');
  if (name === '') return null;
  const { t } = words;
  return (
    <div class="notes" data-part="file">
      <p class="note file-line">
        <span>{t('text.file', { name, size: words.bytes(fileSize) })}</span>{' '}
        {reading === null ? null : (
          <span>
            <label for={id}>{t('text.encoding')}</label>{' '}
            <select
              id={id}
              value={reading.encoding}
              onChange={({ currentTarget: { value: encoding } }) =>
                actions.onReadAs({ ...reading, encoding })
              }
            >
              {[...new Set([...reading.candidates, ...ENCODINGS.keys()])].map((one) => (
                <option key={one} value={one}>
                  {ENCODINGS.get(one) ?? one}
                </option>
              ))}
            </select>
          </span>
        )}
      </p>
      {reading === null ? null : <ReadingNotes reading={reading} onReadAs={actions.onReadAs} />}
    </div>
  );
}

interface ReadingNotesProps {
  readonly reading: Reading;
  readonly onReadAs: (choice: ReadingChoice) => void;
}

/** Notes on undecodable bytes and on converted line ends. */
function ReadingNotes({ reading, onReadAs }: ReadingNotesProps) {
  const { words } = useFirstInstrument();
  const { t } = words;
  const { leftOver, unreadable, ends, keepsEnds } = reading;
  const { count } = ends;
  const names = ends.names.join(t('list.separator'));
  const lost = [
    leftOver === 0 ? '' : t('text.leftOver', { count: leftOver }),
    unreadable === 0 ? '' : t('text.unreadable', { count: unreadable }),
  ];
  const lostText = sentences(lost, words);
  return (
    <>
      {lostText === '' ? null : <p class="note">{lostText}</p>}
      {count === 0 ? null : (
        <p class="note">
          <span>{t(keepsEnds ? 'text.ends.kept' : 'text.ends', { count, names })}</span>{' '}
          <button
            type="button"
            class="link"
            onClick={() => onReadAs({ ...reading, keepsEnds: !keepsEnds })}
          >
            {t(keepsEnds ? 'text.ends.convert' : 'text.ends.undo')}
          </button>
        </p>
      )}
    </>
  );
}
