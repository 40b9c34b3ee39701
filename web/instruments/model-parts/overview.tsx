/** The whole model: its dimensions, its blocks, its diagram, and its parts as a table. */
import type { RefObject } from 'preact';
import { cssValue } from '../../kit/dom.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { ExportRow } from '../../kit/export-row.tsx';
import { SliderRow } from '../../kit/slider.tsx';
import { standaloneDrawing } from '../../kit/standalone-drawing.ts';
import type { Architecture, ModelPart } from '../../store/training/architecture.ts';
import { KeptFold, useWords } from '../component.tsx';
import { Diagram } from './diagram.tsx';
import type { DiagramProps } from './diagram.tsx';
import { partName, shapeText } from './part-names.ts';

export interface OverviewProps extends DiagramProps {
  readonly box: RefObject<HTMLDivElement | null>;
  /** Whether the present settings have an error; the drawn model may be of earlier settings. */
  readonly isStale: boolean;
}

/** Dimension letters used in the diagram. */
const LETTERS = ['T', 'C', 'H', 'V'] as const;

export function Overview({ box, isStale, ...diagram }: OverviewProps) {
  const { model, part, block, picture, onChoose } = diagram;
  const words = useWords();
  const { t } = words;
  const meanings = [
    ...LETTERS.map(
      (letter) => [letter, t(`parts.letter.${letter}`, { count: model.sizes[letter] })] as const,
    ),
    ['MLP', t('parts.letter.MLP')] as const,
  ];
  return (
    <div ref={box} class={isStale ? 'parts-left stale' : 'parts-left'}>
      <dl class="part-letters">
        {meanings.map(([name, meaning]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      {model.layers < 2 ? null : (
        <SliderRow
          label={t('parts.which')}
          max={model.layers - 1}
          value={block}
          valueText={t('parts.block.of', { block: block + 1, layers: model.layers })}
          onValue={(to) => onChoose(part, to, false)}
        />
      )}
      <Diagram {...diagram} />
      <ExportRow
        words={words}
        what={t('export.what.diagram')}
        name={() => 'glasshouse-model'}
        draw={() =>
          picture.current &&
          standaloneDrawing(picture.current, cssValue(picture.current, '--paper'))
        }
      />
      <KeptFold name="parts.table" kind="data" title={t('parts.table')}>
        {() => <PartsTable model={model} />}
      </KeptFold>
    </div>
  );
}

function PartsTable({ model }: { readonly model: Architecture }) {
  const words = useWords();
  const { number, t } = words;
  const row = (part: ModelPart, times = 1): readonly string[] => [
    partName(part, words),
    part.tensors[0] === undefined ? '–' : shapeText(part.tensors[0].shape, words),
    times === 1 ? number(part.count) : t('parts.times', { times, count: part.count }),
  ];
  return (
    <DataTable
      label={t('parts.table')}
      caption={t('parts.diagram')}
      heads={[t('parts.part'), t('parts.shape'), t('parts.count')]}
      rows={[
        ...model.before.map((part) => row(part)),
        ...model.block.map((part) => row(part, model.layers)),
        ...model.after.map((part) => row(part)),
        [t('parts.total'), '', number(model.parameters)],
      ]}
    />
  );
}
