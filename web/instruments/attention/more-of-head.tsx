/** Below the large head: its statistics, its weights as a table, and its pictures as files. */
import type { RefObject } from 'preact';
import type { Cell } from '../../base/cell.ts';
import { fileName } from '../../base/file-name.ts';
import { headWeights } from '../../data/attention-data.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { cssValue } from '../../kit/dom.ts';
import { ExportRow } from '../../kit/export-row.tsx';
import { strongestCell } from '../../kit/head-map.tsx';
import { listLabels } from '../../kit/row-labels.ts';
import { TAB_SECTION } from '../../store/address/lesson.ts';
import { shownFile } from '../../store/training/shown-name.ts';
import { KeptFold, useFirstInstrument } from '../component.tsx';
import { PARTS_TAB, PartsState } from '../parts-state.ts';
import { HabitTable } from './habits.tsx';
import type { Habits } from './habits.tsx';
import type { ColumnView, HeadProps } from './shown-head.ts';

/** The pictures of the large head; null for one that is not shown. */
interface Pictures {
  readonly map: RefObject<(() => HTMLCanvasElement) | null> | null;
  readonly arcs: RefObject<SVGSVGElement | null> | null;
  /** The map cell selected last; null if none was. */
  readonly last: RefObject<Cell | null>;
}

interface MoreOfHeadProps extends HeadProps {
  /** Step of `attention`; null if it is the newest. */
  readonly past: number | null;
  readonly habits: Habits;
  readonly shape: ColumnView['shape'];
  readonly pictures: Pictures;
}

export function MoreOfHead(props: MoreOfHeadProps) {
  const { attention, chosen, read, isWide, past, habits, shape, pictures } = props;
  const { words, session, runs, kept, actions, goTo, offers, container } = useFirstInstrument();
  const { t } = words;
  const { map, arcs, last } = pictures;
  const nameOf = (what: string): string => {
    const place = `layer-${String(chosen.layer + 1)}-head-${String(chosen.head + 1)}`;
    return fileName(`${what}-${place}`, shownFile(session(), runs), attention.step);
  };
  return (
    <>
      {isWide ? null : <Switcher shape={shape} />}
      {map !== null && offers(PARTS_TAB) ? (
        <button
          type="button"
          class="link weight-how"
          // Weights of an earlier step cannot be explained. The hidden button keeps its place.
          style={{ visibility: past === null ? '' : 'hidden' }}
          onClick={() => {
            const { current } = last;
            const weights = headWeights(attention, chosen);
            const strongest = strongestCell(weights, attention.tokens.length, read);
            kept(PartsState).askWeight(chosen, current?.row === read ? current : strongest);
            actions.onTab(PARTS_TAB);
            goTo(TAB_SECTION, 0);
          }}
        >
          {t('attention.how')}
        </button>
      ) : null}
      {attention.tokens[0]?.kind === 'bos' ? <p class="note">{t('attention.beginning')}</p> : null}
      <HabitTable habits={habits} />
      <KeptFold
        name={isWide ? 'attention.table wide' : 'attention.table'}
        kind="data"
        title={t('attention.table')}
      >
        {() => <WeightTable attention={attention} chosen={chosen} />}
      </KeptFold>
      {map === null ? null : (
        <ExportRow
          words={words}
          title={t('attention.save.map')}
          what={t('export.what.map')}
          name={() => nameOf('attention')}
          canvas={() => map.current?.() ?? null}
        />
      )}
      {arcs === null ? null : (
        <ExportRow
          words={words}
          title={t('attention.save.arcs')}
          what={t('export.what.arcs')}
          name={() => nameOf('arcs')}
          draw={async () => {
            // Loads at a press, to keep the first visit small.
            const { standaloneDrawing } = await import('../../kit/standalone-drawing.ts');
            const paper = cssValue(container, '--paper');
            return arcs.current === null ? null : standaloneDrawing(arcs.current, paper);
          }}
        />
      )}
    </>
  );
}

/** The choice between map and arcs, in the column, where only one of them fits. */
function Switcher({ shape }: Pick<MoreOfHeadProps, 'shape'>) {
  const { t } = useFirstInstrument().words;
  return (
    <div class="segmented" role="group" aria-label={t('attention.as')}>
      {(['map', 'arcs'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          class="segment"
          aria-pressed={kind === shape.value}
          onClick={() => {
            shape.value = kind;
          }}
        >
          {t(`attention.as.${kind}`)}
        </button>
      ))}
    </div>
  );
}

function WeightTable({ attention, chosen }: Pick<HeadProps, 'attention' | 'chosen'>) {
  const { t, number } = useFirstInstrument().words;
  const weights = headWeights(attention, chosen);
  const labels = listLabels(attention.tokens);
  return (
    <DataTable
      label={t('attention.table')}
      caption={t('attention.table.caption', { layer: chosen.layer + 1, head: chosen.head + 1 })}
      heads={[t('attention.table.from'), ...labels]}
      rows={labels.map((label, row) => [
        label,
        ...labels.map((_, column) =>
          column > row ? '' : number(weights[row * labels.length + column] ?? 0, 3),
        ),
      ])}
    />
  );
}
