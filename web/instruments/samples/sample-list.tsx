/**
 * Texts in rows, one row per step. Rows keep their places and show new entries, because moving rows
 * are hard to read.
 */
import { Fragment } from 'preact';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { reserveSpace } from '../../kit/dom.ts';
import { useResize } from '../../kit/resize.ts';
import { isCut } from '../../kit/written.ts';
import type { SampleEntry } from '../../kit/written.ts';
import { useFirstInstrument, Written } from '../component.tsx';
import { NewestNote } from '../newest-note.ts';

interface SampleListProps {
  readonly id: string;
  /** Entries by row, the large row first. */
  readonly rows: readonly SampleEntry[];
  /** The first entry of the shown run, which identifies the run; undefined before it. */
  readonly run: SampleEntry | undefined;
  /** Whether rows show their whole texts. */
  readonly isWhole: boolean;
}

export function SampleList({ id, rows, run, isWhole }: SampleListProps) {
  const large = useRef<HTMLLIElement>(null);
  useReservedHeight(large, run);
  return (
    <ol id={id} class={isWhole ? 'samples whole' : 'samples'} reversed>
      {rows.map((entry, at) => (
        // Marks would be out of sight in a row cut to one line.
        <Row
          key={at}
          entry={entry}
          isMarked={isWhole || at === 0}
          element={at === 0 ? large : null}
        />
      ))}
    </ol>
  );
}

/**
 * Keeps the large row at its greatest height in this run at this width, so that the rows below do
 * not move. A ResizeObserver reports the height without forcing a layout.
 */
function useReservedHeight(
  row: RefObject<HTMLLIElement | null>,
  run: SampleEntry | undefined,
): void {
  const width = useRef(0);
  const observer = useRef<ResizeObserver | null>(null);
  const begin = (): void => {
    observer.current?.disconnect();
    if (row.current === null) return;
    observer.current = new ResizeObserver((told) => {
      for (const { target, contentRect } of told) {
        reserveSpace(target as HTMLElement, contentRect.height);
        width.current = contentRect.width;
      }
    });
    reserveSpace(row.current, null);
    observer.current.observe(row.current);
  };
  useLayoutEffect(begin, [run]);
  useLayoutEffect(() => () => observer.current?.disconnect(), []);
  useResize(() => {
    if (Math.abs((row.current?.clientWidth ?? 0) - width.current) > 1) begin();
  });
}

interface RowProps {
  readonly entry: SampleEntry;
  readonly isMarked: boolean;
  readonly element: RefObject<HTMLLIElement | null> | null;
}

function Row({ entry, isMarked, element }: RowProps) {
  const { t, number } = useFirstInstrument().words;
  return (
    <li ref={element}>
      <span class="stamp">{t('samples.step', { step: number(entry.step) })}</span>
      <div class={entry.texts.length > 1 ? 'many' : 'one'}>
        {entry.texts.map((text, at) => (
          <Fragment key={at}>
            {/* Space between texts, for screen readers and copying. */}
            {at === 0 ? null : ' '}
            {text.trim() === '' ? (
              <span key="empty" class="written muted">
                {t('samples.nothing')}
              </span>
            ) : (
              <span key="text" class="written" translate={false} dir="auto">
                <Written text={text} isMarked={isMarked} />
                {isCut(entry, at) ? <span class="muted">…</span> : null}
              </span>
            )}
          </Fragment>
        ))}
      </div>
      {element === null ? null : <Note />}
    </li>
  );
}

/** The sentence of another instrument about the texts; reserves its line. */
function Note() {
  const { parts } = useFirstInstrument().kept(NewestNote);
  return (
    <p class="newest-note">
      {parts.value.map((part, at) =>
        typeof part === 'string' ? (
          part
        ) : (
          <button
            key={at}
            type="button"
            class="link"
            onClick={({ currentTarget }) => part.onPress(currentTarget)}
          >
            {part.text}
          </button>
        ),
      )}
    </p>
  );
}
