/**
 * Rows of texts, one row a step. Rows stay in their places and show one entry after the other: rows
 * that moved down would be hard to read.
 */
import { Fragment } from 'preact';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { reserveSpace } from '../../kit/dom.ts';
import { useResize } from '../../kit/resize.ts';
import { isCut } from '../../kit/written.ts';
import type { SampleEntry } from '../../kit/written.ts';
import { useFirstInstrument, Written } from '../component.tsx';

interface SampleListProps {
  readonly id: string;
  /** The large one first. */
  readonly rows: readonly SampleEntry[];
  /** The first entry of the shown run; undefined before it. */
  readonly run: SampleEntry | undefined;
  /** Whether no row is cut to a line. */
  readonly isWhole: boolean;
}

export function SampleList({ id, rows, run, isWhole }: SampleListProps) {
  const large = useRef<HTMLLIElement>(null);
  useReservedHeight(large, run);
  return (
    <ol id={id} class={isWhole ? 'samples whole' : 'samples'} reversed>
      {rows.map((entry, at) => (
        // Nobody could see a mark that they press in a row that is cut.
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
 * Keeps the large row as tall as it has been in this run at this width, so that the rows below it
 * stay put. The height is told after the layout, which so need not be asked for.
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
            {/* A blank between texts, for those who hear or copy them. */}
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
    </li>
  );
}
