/** The chosen part: its explanation, its options, and its present numbers. */
import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ShownEntry } from '../../docs/shown-entry.ts';
import { PlainTable } from '../../kit/data-table.tsx';
import { LockedPart } from '../../kit/locked-part.tsx';
import { TermButton } from '../../kit/term-button.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { engineName, sizeOf, sizesOf } from '../../store/training/architecture.ts';
import type { Architecture, ModelPart } from '../../store/training/architecture.ts';
import type { Session } from '../../store/training/session.ts';
import { useWords } from '../component.tsx';
import { ModelOption } from './choice-table.tsx';
import type { ModelOptions } from './choice-table.tsx';
import { Formulas, lacksOf, PlainWords } from './explanation.tsx';
import { PartNumbers } from './part-numbers.tsx';
import { partName, shapeText } from './part-names.ts';

export interface PartPanelProps {
  readonly session: Session;
  readonly model: Architecture;
  readonly part: ModelPart;
  readonly block: number;
  readonly options: ModelOptions;
  /** Documentation of the part; undefined until loaded. */
  readonly entry: ShownEntry | undefined;
  /** Notice that the settings are locked; empty if they are not. */
  readonly locked: string;
  readonly box: RefObject<HTMLDivElement | null>;
  /** CSS pixels of space above the panel, so that it begins at the top of the window. */
  readonly above: number;
  readonly isLed: Signal<boolean>;
  /** Returns to the diagram. */
  readonly onBack: () => void;
}

export function PartPanel(props: PartPanelProps) {
  const { session, model, part, block, options, entry, locked, box, above, isLed, onBack } = props;
  const words = useWords();
  const { t } = words;
  const id = useFreshId('part');
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const growth = new ResizeObserver(() => {
      const { current } = panel;
      current?.style.setProperty('--tall', `${String(current.offsetHeight)}px`);
    });
    growth.observe(panel.current!);
    return () => growth.disconnect();
  }, []);
  const isInBlock = model.block.includes(part);
  const name = partName(part, words);
  const fields = options.fields.filter((one) => part.options.includes(one.name));
  const explanation =
    entry === undefined
      ? null
      : {
          entry,
          lacks: lacksOf(part),
          sizes: sizesOf(model, part, options.values['batch'] ?? NaN),
        };
  return (
    <div ref={box} class="parts-right">
      <div style={{ height: `${String(above)}px` }} />
      <div ref={panel} class="parts-panel" role="region" aria-labelledby={id}>
        <button type="button" class="link parts-back" onClick={onBack}>
          {t('parts.back')}
        </button>
        <h3 id={id} data-part="part-title">
          {isInBlock && model.layers > 1 ? t('parts.in', { part: name, block: block + 1 }) : name}
        </h3>
        {part.id === 'text' ? null : (
          <p class="note">
            <span data-part="part-about">
              {t('parts.out', { shape: shapeText(part.tensors[0]?.shape ?? [], words) })}
            </span>{' '}
            <TermButton id="shape" text={t('glossary.more')} />
          </p>
        )}
        {/* Above the options: a field that appears moves only content below it. */}
        <div class="part-explanation">
          {explanation === null ? null : <PlainWords {...explanation} />}
        </div>
        {fields.length === 0 ? null : <h4>{t('parts.change')}</h4>}
        <LockedPart text={locked}>
          <div class="fields part-fields">
            {part.options.map((option) => {
              const field = fields.find((one) => one.name === option);
              return field === undefined || !options.isShown(field) ? null : (
                <ModelOption key={option} option={field} options={options} />
              );
            })}
          </div>
        </LockedPart>
        <Parameters part={part} block={block} />
        <PartNumbers session={session} part={part} block={isInBlock ? block : -1} isLed={isLed} />
        <h4>{t('parts.explain')}</h4>
        <div class="part-explanation">
          {explanation === null ? null : <Formulas {...explanation} />}
        </div>
      </div>
    </div>
  );
}

/** Table of the parameters that the part owns or borrows. */
function Parameters({ part, block }: { readonly part: ModelPart; readonly block: number }) {
  const words = useWords();
  const { t, number } = words;
  if (part.parameters.length === 0) return null;
  return (
    <div class="part-owns">
      <PlainTable
        caption={t('parts.owns')}
        heads={[t('parts.parameter'), t('parts.shape'), t('parts.count')]}
        rows={part.parameters.map(({ name, shape, borrowed }) => [
          engineName(name, block),
          shapeText(shape, words),
          borrowed ? t('parts.shared') : number(sizeOf(shape)),
        ])}
      />
    </div>
  );
}
