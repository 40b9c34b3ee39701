/** A row of the list of runs: its facts, a field for its name, and its buttons. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { knownUnit, unitFactor, unitKey, UNKNOWN_TOKENS } from '../../data/loss-data.ts';
import { keyOf } from '../../kit/keys.ts';
import { useFreshId } from '../../kit/use-id.ts';
import type { RunRecord } from '../../store/runs/run-record.ts';
import { useInstrument } from '../component.tsx';
import { DownloadForm } from './download-form.tsx';

/** Buttons of a row, in order. */
export const ACTIONS = ['open', 'rename', 'download', 'delete'] as const;

const NAME_LENGTH = 80;

/** Milliseconds after an Enter within which a second one is taken for a double press. */
const DOUBLE = 500;

/** Actions on a run. */
export interface RunActions {
  readonly onOpen: (id: string) => void;
  readonly onDownload: (id: string, withText: boolean) => void;
  readonly onDelete: (id: string) => void;
}

export interface RunRowProps extends RunActions {
  readonly record: RunRecord;
  /** Title of a run without a name. */
  readonly unnamed: string;
  /** Head of the loss column. */
  readonly lossHead: string;
  /** Result of opening, downloading or deleting the run, as a sentence; may be empty. */
  readonly told: string;
}

export function RunRow(props: RunRowProps) {
  const { record, unnamed, lossHead, told, onOpen, onDownload, onDelete } = props;
  const { words, runs } = useInstrument();
  const { t, number } = words;
  const { id, name, step, steps, recipe, text } = record;
  const [isEdited, edit] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const row = useRef<HTMLTableRowElement>(null);
  /**
   * Time of the last saved name. The focus then moves to a button, which a second Enter would
   * press.
   */
  const savedAt = useRef(-Infinity);
  const placeId = useFreshId('run-place');
  const title = name === '' ? unnamed : name;
  const focus = (action: 'rename' | 'download'): void => buttonOf(row.current!, action).focus();

  const elsewhere = runs.list.elsewhere.has(id) ? 'elsewhere' : '';
  const place = id === runs.current ? 'here' : elsewhere;
  const isOpen = runs.opening || place === 'here';
  const attributes = (action: (typeof ACTIONS)[number]) => ({
    type: 'button' as const,
    class: 'link',
    'aria-label': t('runs.on', { action: t(`runs.${action}`), name: title }),
  });
  return (
    <tr ref={row} role="row">
      <th scope="row" role="rowheader" class="runs-run">
        {isEdited ? (
          <NameForm
            title={title}
            onSave={(given) => {
              savedAt.current = performance.now();
              if (given !== null) void runs.list.rename(id, given);
            }}
            onClose={() => {
              edit(false);
              focus('rename');
            }}
          />
        ) : (
          <div>
            <span class="runs-name">{title}</span>
            <span id={placeId} class="runs-place">
              {place === '' ? '' : t(`runs.${place}`)}
            </span>
            <span class="runs-about muted">
              {name === ''
                ? recipe.preset
                : t('runs.about', { text: unnamed, preset: recipe.preset })}
            </span>
          </div>
        )}
      </th>
      <td role="cell" class="runs-step" data-label={t('runs.col.step')}>
        {t('runs.of', { step: number(step), steps: number(steps) })}
      </td>
      <td role="cell" class="runs-loss" data-label={lossHead}>
        <Loss record={record} />
      </td>
      <td role="cell" class="runs-saved" data-label={t('runs.col.saved')}>
        {words.moment(record.updated)}
      </td>
      <td role="cell" class="runs-size" data-label={t('runs.col.size')}>
        {words.bytes(record.bytes)}
      </td>
      <td role="cell" class="runs-actions">
        <button
          {...attributes('open')}
          // A disabled button would lose the focus.
          aria-disabled={isOpen}
          onClick={() => {
            if (!isOpen) onOpen(id);
          }}
        >
          {t('runs.open')}
        </button>
        <button
          {...attributes('rename')}
          onClick={() => edit(true)}
          onKeyDown={(event) => {
            const isDouble = event.repeat || performance.now() - savedAt.current < DOUBLE;
            if (keyOf(event) === 'Enter' && isDouble) event.preventDefault();
          }}
        >
          {t('runs.rename')}
        </button>
        <button {...attributes('download')} onClick={() => setAsking(!isAsking)}>
          {t('runs.download')}
        </button>
        <button
          {...attributes('delete')}
          aria-describedby={placeId}
          // The button stays enabled: a press reports the other tab of the run, or finds that tab closed.
          aria-disabled={place === 'elsewhere'}
          onClick={() => onDelete(id)}
        >
          {t('runs.delete')}
        </button>
        {isAsking ? (
          <DownloadForm
            bytes={text.bytes}
            isOwnText={text.source === 'own'}
            onDownload={(withText) => onDownload(id, withText)}
            onClose={() => {
              setAsking(false);
              focus('download');
            }}
          />
        ) : null}
        <p class="note runs-told" role="status">
          {told}
        </p>
      </td>
    </tr>
  );
}

/** Finds a button of a row. */
export function buttonOf(row: Element, action: (typeof ACTIONS)[number]): HTMLButtonElement {
  const buttons = row.querySelectorAll<HTMLButtonElement>('.runs-actions > button');
  return buttons[ACTIONS.indexOf(action)]!;
}

/** The loss, with its unit if that differs from the column's. */
function Loss({ record: { loss, tokensPerCharacter } }: { readonly record: RunRecord }) {
  const { words, state } = useInstrument();
  const { t, number } = words;
  if (loss === null) return <>–</>;
  const wanted = state.lossChoice.unit;
  const tokens = { ...UNKNOWN_TOKENS, train: tokensPerCharacter ?? NaN };
  const unit = knownUnit(wanted, tokens);
  const shown = number(loss * unitFactor({ unit }, tokens.train), 2);
  return <>{unit === wanted ? shown : t('runs.loss', { loss: shown, unit: t(unitKey(unit)) })}</>;
}

interface NameFormProps {
  readonly title: string;
  /** Called with null if the title is unchanged: a default title does not become a name. */
  readonly onSave: (name: string | null) => void;
  readonly onClose: () => void;
}

function NameForm({ title, onSave, onClose }: NameFormProps) {
  const { t } = useInstrument().words;
  const id = useFreshId('run-name');
  const [before] = useState(title.slice(0, NAME_LENGTH));
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current!.focus();
    field.current!.select();
  }, []);
  return (
    <form
      class="runs-form"
      onSubmit={(event) => {
        event.preventDefault();
        const { value } = field.current!;
        onSave(value === before ? null : value);
        onClose();
      }}
      onKeyDown={(event) => {
        if (keyOf(event) !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <input
        ref={field}
        id={id}
        type="text"
        maxLength={NAME_LENGTH}
        aria-label={t('runs.name')}
        defaultValue={before}
      />
      <button type="submit" class="secondary">
        {t('runs.name.save')}
      </button>
      <button type="button" class="link" onClick={onClose}>
        {t('runs.name.cancel')}
      </button>
    </form>
  );
}
