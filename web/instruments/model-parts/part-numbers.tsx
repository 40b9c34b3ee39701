/**
 * The numbers of one part of the model as they are now: which tensor, value or gradient, which
 * head; its statistics, its map, and where one of its numbers comes from.
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
import { Slider } from '../../kit/slider.tsx';
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
import type { OriginTable } from './origin-tables.ts';
import { numbersQuestion } from './read-numbers.ts';
import type { Numbers } from './read-numbers.ts';
import { numbersOf, sideNamesOf } from './tensor-names.ts';
import type { PartNumbers } from './tensor-names.ts';
import { useHeldHeight } from './held-height.ts';

/** Letters of the text that are quoted. */
const QUOTED = 40;

export interface PartNumbersProps {
  readonly session: Session;
  readonly part: ModelPart;
  /** -1 outside of the blocks. */
  readonly block: number;
  /** Whether the reader was led here to a number that is not explained yet. */
  readonly isLed: Signal<boolean>;
}

export function PartNumbersNow({ session, part, block, isLed }: PartNumbersProps) {
  const { words, state, kept } = useInstrument();
  const { t } = words;
  const choice = kept(PartsState).numbers.value;
  const last = useRef<Numbers | null>(null);
  const known = numbersOf(part, block, words);
  const numbers = known.find(({ name }) => name === choice.tensor) ?? known[0];
  const { run } = session;
  const isSeen = usePanelSight();

  const asked =
    run !== null && numbers !== undefined ? wishOf(choice, numbers, last.current) : null;
  const wish = asked === null ? null : { ...asked, run: run!.number, probe: state.probe };
  const { value, error } = useAsk(
    session.past?.model?.step ?? null,
    wish !== null && isSeen ? numbersQuestion(session, wish, () => last.current) : null,
  );
  last.current = value;
  const shown = value?.wish.run === run?.number ? value : null;
  const listed = shown?.list.tensors.find(({ name }) => name === numbers?.name);
  const message = error === null ? '' : messageOf(error, words);

  let note: string;
  if (run === null || numbers === undefined) note = emptyNote(part, value, words);
  else if (shown === null) note = message === '' ? t('values.wait') : message;
  // Settings may have been changed since the run began.
  else if (listed === undefined) note = t('values.other');
  else {
    const { omitted } = shown.list;
    const left = omitted > 0 ? t('attention.omitted', { omitted }) : '';
    note = sentences([otherModel(session, words), message === '' ? left : message], words);
  }
  const isShown = numbers !== undefined && listed !== undefined && shown !== null && wish !== null;
  const isThere = isShown && isOf(shown, wish.choice);
  const box = useRef<HTMLDivElement>(null);
  const held = useHeldHeight(box, isThere, isShown ? numbers.name : null);
  return (
    <div
      ref={box}
      class={held === null ? 'part-values' : 'part-values reserves-space'}
      style={held === null ? undefined : { '--reserved': `${String(held)}px` }}
    >
      <h4>{t('values.title')}</h4>
      {note === '' ? null : (
        <p class="note" data-part="values-note">
          {note}
        </p>
      )}
      {isShown ? (
        <Body
          known={known.filter(({ name }) => shown.list.tensors.some((one) => one.name === name))}
          numbers={numbers}
          tensor={listed}
          shown={shown}
          choice={wish.choice}
          isTraceable={wish.isTraceable}
          about={aboutText(listed, numbers, shown, session, words)}
          isLed={isLed}
        />
      ) : null}
    </div>
  );
}

/** What is asked of a tensor: a choice of another one does not apply to it. */
function wishOf(
  choice: NumberChoice,
  { name, isComputed }: PartNumbers,
  last: Numbers | null,
): { readonly choice: NumberChoice; readonly isTraceable: boolean } {
  // Some tensors have no gradient.
  const listed = last?.list.tensors.find((one) => one.name === name);
  const gradient = choice.gradient && listed?.gradients !== null;
  const isChosen = name === choice.tensor || choice.tensor === '';
  const whole = isChosen ? {} : { matrix: 0, cell: null, around: null };
  return {
    choice: { ...choice, ...whole, tensor: name, gradient },
    isTraceable: isComputed && !gradient,
  };
}

/** Whether these are the wanted numbers, though perhaps around another cell. */
function isOf({ wish, values }: Numbers, { tensor, gradient, matrix }: NumberChoice): boolean {
  const { choice } = wish;
  const isSame = choice.tensor === tensor && choice.gradient === gradient;
  return values !== null && isSame && choice.matrix === matrix;
}

/** Why there are no numbers. */
function emptyNote(part: ModelPart, last: Numbers | null, { t }: AllWords): string {
  if (part.id === 'text') return t('values.none.text');
  const tokens = last?.list.tokens ?? [];
  if (part.id !== 'tokens' || tokens.length === 0) return t('values.none');
  const isMarked = tokens.some(({ kind }) => kind === 'bos');
  return t(isMarked ? 'values.none.tokens.bos' : 'values.none.tokens', {
    tokens: tokens.map(axisLabel).join(' '),
  });
}

/** Which model has these numbers, if the settings are for another one by now; else empty. */
function otherModel(session: Session, words: AllWords): string {
  const { table, current } = session;
  if (current === null) return '';
  const names = session.pending().filter((name) => findOption(table, name)?.group === 'model');
  if (names.length === 0) return '';
  const list = names.map((name) => optionText(table, current.recipe, name, words));
  return words.t('values.old', { list: list.join(words.t('list.separator')) });
}

/**
 * The text that was read, and how little of the context it fills: the model is drawn with all of
 * it. Empty for numbers of no text.
 */
function aboutText(
  { kind }: NamedTensor,
  { shape }: PartNumbers,
  { wish, list }: Numbers,
  { current }: Session,
  { t }: AllWords,
): string {
  if (kind !== 'node' || !shape.some(({ letter }) => letter === 'T')) return '';
  const letters = Array.from(wish.probe);
  const text = letters.length > QUOTED ? `${letters.slice(0, QUOTED).join('')}…` : wish.probe;
  const context = current?.info.context ?? 0;
  return t('values.about', { text, count: list.tokens.length, context });
}

interface BodyProps {
  readonly known: readonly PartNumbers[];
  readonly numbers: PartNumbers;
  readonly tensor: NamedTensor;
  readonly shown: Numbers;
  readonly choice: NumberChoice;
  readonly isTraceable: boolean;
  /** Empty for numbers of no text. */
  readonly about: string;
  readonly isLed: Signal<boolean>;
}

function Body(props: BodyProps) {
  const { known, numbers, tensor, shown, choice, isTraceable, about, isLed } = props;
  const { words, kept, isDark } = useInstrument();
  const { t, number } = words;
  const state = kept(PartsState);
  const [tensorId, gradientId] = [useFreshId('tensor'), useFreshId('gradient')];
  const canvas = useRef<HTMLCanvasElement>(null);
  const originBox = useRef<HTMLDivElement>(null);
  /** Whether a cell was chosen that is not explained yet. */
  const isAsked = useRef(false);
  const [spoken, say] = useState('');

  const isThere = isOf(shown, choice);
  const part = isThere ? shown.values : null;
  const { rowStride: rows = 1, columnStride: columns = 1 } = part ?? {};
  const isThinned = rows > 1 || columns > 1;
  const { cell } = shown.wish.choice;
  const isExplained =
    isThere && cell?.row === choice.cell?.row && cell?.column === choice.cell?.column;
  const origin = isExplained ? shown.origin : null;
  const names = useMemo(
    () => sideNamesOf(numbers.shape, tensor.kind, shown.list.tokens, words),
    [numbers.name, shown.list],
  );
  const tables = useMemo(
    () => (origin === null ? [] : originTables(origin, names, words)),
    [origin, names],
  );
  useLayoutEffect(() => {
    if (!isLed.value || part === null) return;
    canvas.current?.focus({ preventScroll: true });
    canvas.current?.scrollIntoView({ block: 'start', behavior: scrollBehavior() });
  }, [isLed.value, part !== null, origin !== null]);
  useLayoutEffect(() => {
    if (origin === null || !(isLed.value || isAsked.current)) return;
    // Below the map: not where it takes a search to find it.
    const [block, behavior] = ['nearest', scrollBehavior()] as const;
    if (!isLed.value) originBox.current?.scrollIntoView({ block, behavior });
    // Spoken, because it stands in tables.
    const value = numberText(origin.result, words);
    const how = tables[0]?.caption ?? '';
    say(t('origin.told', { how, result: t('origin.result'), value }));
    isLed.value = false;
    isAsked.current = false;
  });

  const facts = choice.gradient ? tensor.gradients : tensor.values;
  const name = choice.gradient ? t('values.name.gradient', { name: numbers.label }) : numbers.label;
  const shape = tensor.shape.map((size) => number(size)).join(' × ');
  const count = tensor.shape.slice(0, -2).reduce((product, n) => product * n, 1);
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
            onChange={({ currentTarget }) =>
              state.chooseNumbers({ gradient: currentTarget.checked })
            }
          />
          <label for={gradientId}>{t('values.gradient')}</label>{' '}
          <TermButton id="gradient" text={t('glossary.more')} />
        </span>
        <span class="stamp" data-part="values-step">
          {t('attention.step', { step: shown.list.step })}
        </span>
      </div>
      {count > 1 ? (
        <Heads
          index={Math.min(choice.matrix, count - 1)}
          count={count}
          onHead={(matrix) => state.chooseNumbers({ matrix })}
        />
      ) : null}
      {about === '' ? null : (
        <p class="note" data-part="values-about">
          {about}
        </p>
      )}
      <Statistics of={facts} />
      {isThinned ? (
        <p class="note" data-part="values-thinned">
          {t('values.thinned', { rows, columns })}
        </p>
      ) : null}
      {choice.around === null ? null : (
        <button
          type="button"
          class="link"
          onClick={() => {
            // The button goes with the press.
            canvas.current?.focus({ preventScroll: true });
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
        rowName={names.row}
        columnName={names.column}
        isTraceable={isTraceable || isThinned}
        marked={origin?.cell ?? null}
        canvas={canvas}
        table={kept(Folds).isOpen('values.table')}
        onCell={(at) => {
          isAsked.current = isTraceable;
          // In a thinned picture, shows what is around the cell.
          state.chooseNumbers(isThinned ? { around: at } : { cell: at });
        }}
      />
      <div ref={originBox} class="number-origin" data-part="number-origin">
        <Origin tables={tables} isOffered={isTraceable && part !== null} />
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

interface HeadsProps {
  readonly index: number;
  readonly count: number;
  readonly onHead: (index: number) => void;
}

function Heads({ index, count, onHead }: HeadsProps) {
  const { t } = useWords();
  const id = useFreshId('matrix');
  const text = t('values.head.of', { head: index + 1, heads: count });
  return (
    <div class="values-row">
      <label for={id}>{t('values.head')}</label>
      <Slider id={id} max={count - 1} value={index} valueText={text} onValue={onHead} />
      <output for={id} class="stamp">
        {text}
      </output>
    </div>
  );
}

function Statistics({ of }: { readonly of: NamedTensor['gradients'] }) {
  const words = useWords();
  const { t, number, percent } = words;
  const text = (value: number): string => numberText(value, words);
  if (of === null) return <dl class="plan values-statistics" />;
  const { min, max, mean, deviation, zeros, nans } = of;
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

interface OriginProps {
  readonly tables: readonly OriginTable[];
  /** Whether a cell can be asked. */
  readonly isOffered: boolean;
}

function Origin({ tables, isOffered }: OriginProps) {
  const { t } = useWords();
  if (tables.length === 0) return isOffered ? <p class="note">{t('origin.hint')}</p> : null;
  return (
    <>
      {tables.map((table) =>
        table.rows.length === 0 ? <p class="note">{table.caption}</p> : <PlainTable {...table} />,
      )}
    </>
  );
}
