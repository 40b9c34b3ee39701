/** Embeddings in the plane: the picture, a chosen point with its neighbours, and a table. */
import type { Signal } from '@preact/signals';
import { useMemo, useRef, useState } from 'preact/hooks';
import { lengthsOf, nearest } from '../../data/cosine.ts';
import type { Neighbour } from '../../data/cosine.ts';
import { sentences } from '../../i18n/index.ts';
import { ExportRow } from '../../kit/export-row.tsx';
import { hint } from '../../kit/hint.ts';
import { drawChanges } from '../../kit/render.ts';
import { useFreshId } from '../../kit/use-id.ts';
import { KeptFold, useWords } from '../component.tsx';
import { PlaneCanvas } from './plane-canvas.tsx';
import { namesOf } from './point-names.ts';
import type { Names } from './point-names.ts';
import type { Points } from './points.ts';
import { PointsTable } from './points-table.tsx';
import { KIND_COLOURS, KINDS } from './token-kinds.ts';
import type { Kind } from './token-kinds.ts';

/** Neighbours in the list, and neighbours joined to the point by lines. */
const LISTED = 8;
const JOINED = 4;

export interface PlaneProps {
  readonly points: Points;
  readonly isDark: boolean;
  /** Chosen row, by key of the points. */
  readonly chosen: Signal<Readonly<Record<string, number>>>;
  /** Replaces the axes by the principal axes of the shown step. */
  readonly onAxes: () => void;
  /** File name of the picture. */
  readonly fileName: () => string;
}

export function Plane({ points, isDark, chosen, onAxes, fileName }: PlaneProps) {
  const words = useWords();
  const { t, number, percent } = words;
  const { key, matrix, step, frame, seen } = points;
  const id = useFreshId('point');
  const box = useRef<HTMLDivElement>(null);
  const [pointed, point] = useState({ key, row: -1 });
  const [spoken, say] = useState('');
  const names = useMemo(() => namesOf(points, words), [key, matrix.rows]);
  const lengths = useMemo(() => lengthsOf(matrix), [matrix]);
  const options = useMemo(
    () => names.spoken.map((name, index) => <option value={String(index)}>{name}</option>),
    [names],
  );
  const row = Math.min(chosen.value[key] ?? beginning(points, names), matrix.rows - 1);
  const near = useMemo(() => nearest(matrix, lengths, row, LISTED), [matrix, row]);
  const neighbourText = (one: Neighbour): string =>
    `${names.spoken[one.row] ?? ''} ${number(one.cosine, 2)}`;
  const sentence = (of: number, count: number): string =>
    t('plane.read', {
      name: names.spoken[of] ?? '',
      near: nearest(matrix, lengths, of, count).map(neighbourText).join(t('list.separator')),
    });
  const choose = (to: number): void => {
    chosen.value = { ...chosen.value, [key]: to };
    say(sentences([sentence(to, JOINED)], words));
    // Renders before the next key press, which starts at this point.
    drawChanges();
  };
  const isOnPoint = pointed.key === key && pointed.row >= 0 && pointed.row < matrix.rows;
  const [first, second] = seen.shares;
  const said = Number.isNaN(first)
    ? t('plane.said.alike', { step: number(step) })
    : t('plane.said', {
        step: number(step),
        axes: number(frame.step),
        share: percent(first + second),
        first: percent(first),
        second: percent(second),
      });
  return (
    <>
      <div class="plane-result" ref={box}>
        <div class="plane-main">
          <PlaneCanvas
            x={seen.x}
            y={seen.y}
            bounds={frame.bounds}
            pointsKey={key}
            labels={names.labels}
            kinds={names.kinds}
            chosen={row}
            near={near.slice(0, JOINED).map((one) => one.row)}
            isDark={isDark}
            label={`${said} ${sentences([sentence(row, JOINED)], words)} ${t('plane.keys')}`}
            isOnPoint={isOnPoint}
            onChoose={choose}
            onPoint={(to) => point({ key, row: to })}
          />
          <p class="readout" data-part="plane-readout">
            {isOnPoint ? sentence(pointed.row, 3) : hint(words, 'plane.hint')}
          </p>
          <p class="visually-hidden" aria-live="polite">
            {spoken}
          </p>
          <Legend kinds={names.kinds} />
          <div class="plane-row">
            <p data-part="plane-said">{said}</p>
            <button type="button" class="link" disabled={frame.step === step} onClick={onAxes}>
              {t('plane.axes')}
            </button>
          </div>
          <ExportRow
            words={words}
            what={t('plane.picture')}
            name={fileName}
            canvas={() => box.current?.querySelector('canvas') ?? null}
          />
        </div>
        <section class="plane-chosen" aria-label={t('plane.chosen')}>
          <label class="field-label" for={id}>
            {t('plane.chosen')}
          </label>
          <select
            id={id}
            data-part="plane-point"
            value={String(row)}
            onChange={({ currentTarget }) => choose(currentTarget.selectedIndex)}
          >
            {options}
          </select>
          <h3>
            {near.length === 0
              ? t('plane.near.none')
              : t('plane.near', { name: names.spoken[row] ?? '' })}
          </h3>
          <ol class="plane-near" data-part="plane-near">
            {near.map((one, index) => (
              <li key={index}>
                <button type="button" class="link" onClick={() => choose(one.row)}>
                  {names.spoken[one.row]}
                </button>
                <span
                  class="plane-bar"
                  aria-hidden="true"
                  style={{ '--share': String(Math.max(0, one.cosine)) }}
                />
                <span class="figure">{number(one.cosine, 2)}</span>
              </li>
            ))}
          </ol>
          <p class="note">{t('plane.cosine')}</p>
        </section>
      </div>
      <KeptFold name="plane.table" kind="data" title={t('plane.table')}>
        {() => (
          <PointsTable
            points={points}
            names={names}
            lengths={lengths}
            neighbourText={neighbourText}
          />
        )}
      </KeptFold>
    </>
  );
}

/** The row chosen at first: the last position of a text, or the first letter of the token table. */
function beginning({ shown }: Points, { spoken, kinds }: Names): number {
  if (typeof shown === 'number') return spoken.length - 1;
  return Math.max(0, kinds?.findIndex((kind) => kind !== 'sign' && kind !== 'digit') ?? 0);
}

function Legend({ kinds }: { readonly kinds: readonly Kind[] | null }) {
  const { t } = useWords();
  const here = KINDS.filter((kind) => kinds?.includes(kind) === true);
  return (
    <ul class="legend plane-legend">
      {kinds === null ? <li>{t('plane.kind.place')}</li> : null}
      {here.map((kind) => (
        <li key={kind}>
          <span
            class="plane-key"
            aria-hidden="true"
            style={{ background: `var(${KIND_COLOURS[kind]})` }}
          />
          {t(`plane.kind.${kind}`)}
        </li>
      ))}
    </ul>
  );
}
