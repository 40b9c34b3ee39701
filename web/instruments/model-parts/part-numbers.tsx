/**
 * The present numbers of a part: a choice of tensor, value or gradient, and head; statistics, a
 * map, and the origin of a chosen number.
 */
import type { Signal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { axisLabel } from '../../data/attention-data.ts';
import { findOption } from '../../engine/options.ts';
import type { NamedTensor } from '../../engine/trainer.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { PlainTable } from '../../kit/data-table.tsx';
import { scrollBehavior } from '../../kit/dom.ts';
import { ExportRow } from '../../kit/export-row.tsx';
import { Folds } from '../../kit/folds.ts';
import { useHeldHeight } from '../../kit/held-height.ts';
import { Note } from '../../kit/note.tsx';
import { SliderRow } from '../../kit/slider.tsx';
import { numberText, TensorMap } from '../../kit/tensor-map.tsx';
import { TermButton } from '../../kit/term-button.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { messageOf } from '../../store/messages.ts';
import type { ModelPart } from '../../store/training/architecture.ts';
import { optionText } from '../../store/training/run-name.ts';
import type { Session } from '../../store/training/session.ts';
import { useAsk, useInstrument, usePanelSight, useWords } from '../component.tsx';
import { PartsState } from '../parts-state.ts';
import type { NumberChoice } from '../parts-state.ts';
import { originTables } from './origin-tables.ts';
import { numbersQuestion } from './read-numbers.ts';
import type { Numbers } from './read-numbers.ts';
import { numbersOf, sideNamesOf } from './tensor-names.ts';
import type { NamedNumbers } from './tensor-names.ts';

/** Maximum characters of a quoted text. */
const QUOTED = 40;

export interface PartNumbersProps {
  readonly session: Session;
  readonly part: ModelPart;
  /** Index of the block; -1 outside of the blocks. */
  readonly block: number;
  /** Set when another panel leads the reader here; cleared when a number is explained. */
  readonly isLed: Signal<boolean>;
}

export function PartNumbers({ session, part, block, isLed }: PartNumbersProps) {
  const { words, state, kept } = useInstrument();
  const { t } = words;
  const { run } = session;
  const known = numbersOf(part, block, words);
  const chosen = kept(PartsState).numbers.value;
  const named = known.find(({ name }) => name === chosen.tensor) ?? known[0];
  const last = useRef<Numbers | null>(null);
  const before = last.current;
  const choice = named === undefined ? null : choiceOf(chosen, named, before);
  const wish =
    run === null || choice === null
      ? null
      : { run: run.number, probe: state.probe, choice, isTraceable: named!.isComputed && !choice.gradient }; // prettier-ignore
  const isSeen = usePanelSight();
  const { value, error } = useAsk(wish !== null && isSeen ? numbersQuestion(session, wish) : null);
  last.current = value;
  const shown = value?.wish.run === run?.number ? value : null;
  const tensor = shown?.list.tensors.find(({ name }) => name === named?.name);
  const isListed = shown !== null && tensor !== undefined && wish !== null;
  const message = error === null ? '' : messageOf(error, words);
  const note = ((): string => {
    if (wish === null) return noNumbers(part, value, words);
    if (shown === null) return message === '' ? t('values.wait') : message;
    // The settings may have changed since the run began.
    if (tensor === undefined) return t('values.other');
    const { omitted } = shown.list;
    const left = omitted > 0 ? t('attention.omitted', { omitted }) : '';
    return sentences([otherModel(session, words), message === '' ? left : message], words);
  })();
  const box = useRef<HTMLDivElement>(null);
  const isThere = isListed && isOf(shown, wish.choice);
  const held = useHeldHeight(box, isThere, isListed ? wish.choice.tensor : null);
  return (
    <div
      ref={box}
      class={held === null ? 'part-values' : 'part-values reserves-space'}
      style={{ '--reserved': `${String(held ?? 0)}px` }}
    >
      <h4>{t('values.title')}</h4>
      <Note part="values-note">{note}</Note>
      {isListed ? (
        <Body
          known={known.filter(({ name }) => shown.list.tensors.some((one) => one.name === name))}
          named={named!}
          tensor={tensor}
          shown={shown}
          {...wish}
          context={session.current?.info.context ?? 0}
          isLed={isLed}
        />
      ) : null}
    </div>
  );
}

/** The chosen numbers, with defaults where the choice does not apply to this tensor. */
function choiceOf(
  chosen: NumberChoice,
  { name }: NamedNumbers,
  before: Numbers | null,
): NumberChoice {
  // Shows the values of a tensor without a gradient.
  const tensor = before?.list.tensors.find((one) => one.name === name);
  const gradient = chosen.gradient && tensor?.gradients !== null;
  const isOther = chosen.tensor !== name && chosen.tensor !== '';
  const whole = isOther ? { matrix: 0, cell: null, around: null } : {};
  return { ...chosen, ...whole, tensor: name, gradient };
}

/** Whether the numbers read are of the wanted tensor and matrix; cell and window may differ. */
function isOf({ wish: { choice }, values }: Numbers, wanted: NumberChoice): boolean {
  const { tensor, gradient, matrix } = wanted;
  const isSame = choice.tensor === tensor && choice.gradient === gradient;
  return values !== null && isSame && choice.matrix === matrix;
}

/** The reason why a part has no numbers. */
function noNumbers(part: ModelPart, last: Numbers | null, { t }: AllWords): string {
  if (part.id === 'text') return t('values.none.text');
  const tokens = last?.list.tokens ?? [];
  if (part.id !== 'tokens' || tokens.length === 0) return t('values.none');
  const isMarked = tokens.some(({ kind }) => kind === 'bos');
  return t(isMarked ? 'values.none.tokens.bos' : 'values.none.tokens', {
    tokens: tokens.map(axisLabel).join(' '),
  });
}

/** Names the run's settings if the chosen ones differ; else empty. */
function otherModel(session: Session, words: AllWords): string {
  const { table, current } = session;
  const names = session.pending().filter((name) => findOption(table, name)?.group === 'model');
  if (current === null || names.length === 0) return '';
  const list = names.map((name) => optionText(table, current.recipe, name, words));
  return words.t('values.old', { list: list.join(words.t('list.separator')) });
}

interface BodyProps {
  /** The tensors to choose from. */
  readonly known: readonly NamedNumbers[];
  readonly named: NamedNumbers;
  readonly tensor: NamedTensor;
  readonly shown: Numbers;
  readonly choice: NumberChoice;
  readonly isTraceable: boolean;
  /** The context length of the model. */
  readonly context: number;
  readonly isLed: Signal<boolean>;
}

function Body(props: BodyProps) {
  const { known, named, tensor, shown, choice, isTraceable, context, isLed } = props;
  const { words, kept, isDark } = useInstrument();
  const { t, number } = words;
  const state = kept(PartsState);
  const [tensorId, gradientId] = [useFreshId('tensor'), useFreshId('gradient')];
  const canvas = useRef<HTMLCanvasElement>(null);
  const originBox = useRef<HTMLDivElement>(null);
  /** Whether the reader chose a cell that is not explained yet. */
  const isAsked = useRef(false);
  const [spoken, say] = useState('');

  const { list } = shown;
  const part = isOf(shown, choice) ? shown.values : null;
  const { rowStride: rows = 1, columnStride: columns = 1 } = part ?? {};
  const isThinned = rows > 1 || columns > 1;
  const { cell } = shown.wish.choice;
  const isExplained = cell?.row === choice.cell?.row && cell?.column === choice.cell?.column;
  const origin = part !== null && isExplained ? shown.origin : null;
  const names = useMemo(
    () => sideNamesOf(named.shape, tensor.kind, list.tokens, words),
    [named.name, list],
  );
  const tables = useMemo(
    () => (origin === null ? [] : originTables(origin, names, words)),
    [origin, names],
  );
  const focus = (): void => canvas.current?.focus({ preventScroll: true });
  const behavior = scrollBehavior();
  useLayoutEffect(() => {
    if (!isLed.value || part === null) return;
    focus();
    canvas.current?.scrollIntoView({ block: 'start', behavior });
  }, [isLed.value, part !== null, origin !== null]);
  useLayoutEffect(() => {
    if (origin === null || !(isLed.value || isAsked.current)) return;
    // The explanation is below the map. For a reader led here, the effect above scrolls to the map.
    if (!isLed.value) originBox.current?.scrollIntoView({ block: 'nearest', behavior });
    // Screen readers do not announce changes in tables.
    const [how, value] = [tables[0]?.caption ?? '', numberText(origin.result, words)];
    say(t('origin.told', { how, result: t('origin.result'), value }));
    isLed.value = false;
    isAsked.current = false;
  });

  const facts = choice.gradient ? tensor.gradients : tensor.values;
  const name = choice.gradient ? t('values.name.gradient', { name: named.label }) : named.label;
  const shape = tensor.shape.map((size) => number(size)).join(' × ');
  const heads = tensor.shape.slice(0, -2).reduce((product, n) => product * n, 1);
  const head = Math.min(choice.matrix, heads - 1);
  const isOfText = tensor.kind === 'node' && named.shape.some(({ letter }) => letter === 'T');
  const letters = Array.from(shown.wish.probe);
  const text = letters.length > QUOTED ? `${letters.slice(0, QUOTED).join('')}…` : letters.join('');
  return (
    <div class="values-body">
      <div class="values-row">
        <label for={tensorId}>{t('values.tensor')}</label>
        <select
          id={tensorId}
          value={choice.tensor}
          onChange={({ currentTarget }) => state.chooseNumbers({ tensor: currentTarget.value })}
        >
          {known.map((one) => (
            <option key={one.name} value={one.name}>
              {one.label}
            </option>
          ))}
        </select>
        <span class="values-gradient">
          <input
            id={gradientId}
            type="checkbox"
            class="switch"
            checked={choice.gradient}
            disabled={tensor.gradients === null}
            onChange={({ currentTarget: { checked } }) =>
              state.chooseNumbers({ gradient: checked })
            }
          />
          <label for={gradientId}>{t('values.gradient')}</label>{' '}
          <TermButton id="gradient" text={t('glossary.more')} />
        </span>
        <span class="stamp" data-part="values-step">
          {t('attention.step', { step: list.step })}
        </span>
      </div>
      {heads === 1 ? null : (
        <SliderRow
          label={t('values.head')}
          max={heads - 1}
          value={head}
          valueText={t('values.head.of', { head: head + 1, heads })}
          onValue={(matrix) => state.chooseNumbers({ matrix })}
        />
      )}
      {/* The text may fill only part of the context that the model is drawn with. */}
      <Note part="values-about">
        {isOfText ? t('values.about', { text, count: list.tokens.length, context }) : ''}
      </Note>
      {facts === null ? null : <Statistics {...facts} />}
      <Note part="values-thinned">{isThinned ? t('values.thinned', { rows, columns }) : ''}</Note>
      {choice.around === null ? null : (
        <button
          type="button"
          class="link"
          onClick={() => {
            // The button disappears when pressed.
            focus();
            state.chooseNumbers({ around: null, cell: null });
          }}
        >
          {t('values.whole')}
        </button>
      )}
      <TensorMap
        words={words}
        isDark={isDark()}
        part={part}
        range={facts ?? { min: 0, max: 0 }}
        name={t('values.name', { name, shape })}
        names={names}
        isTraceable={isTraceable || isThinned}
        marked={origin?.cell ?? null}
        canvas={canvas}
        table={kept(Folds).isOpen('values.table')}
        onCell={(at) => {
          isAsked.current = isTraceable;
          // A press on a thinned picture shows the surroundings of the cell.
          state.chooseNumbers(isThinned ? { around: at } : { cell: at });
        }}
      />
      <div ref={originBox} class="number-origin" data-part="number-origin">
        <Note>{origin === null && isTraceable && part !== null ? t('origin.hint') : ''}</Note>
        {tables.map((table) =>
          table.rows.length === 0 ? <Note>{table.caption}</Note> : <PlainTable {...table} />,
        )}
      </div>
      <p class="visually-hidden" aria-live="polite">
        {spoken}
      </p>
      {part === null ? null : (
        <ExportRow
          words={words}
          what={t('export.what.values')}
          name={() => `glasshouse-values-${choice.tensor.replaceAll(/[^\w.-]+/g, '-')}`}
          canvas={() => canvas.current}
        />
      )}
    </div>
  );
}

function Statistics({ min, max, mean, deviation, zeros, nans }: NamedTensor['values']) {
  const words = useWords();
  const { t, number, percent } = words;
  const text = (value: number): string => numberText(value, words);
  const figures = [
    [t('values.min'), text(min)],
    [t('values.max'), text(max)],
    [t('values.mean'), text(mean)],
    [<TermButton id="deviation" text={t('values.deviation')} />, text(deviation)],
    [t('values.zeros'), zeros < 1 && zeros > 0.99 ? '>99%' : percent(zeros)],
    [t('values.nans'), number(nans)],
  ];
  return (
    <dl class="plan values-statistics">
      {figures.map(([name, value], at) => (
        <div key={at}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
