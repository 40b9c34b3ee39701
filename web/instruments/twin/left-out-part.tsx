/** Trains a twin without some lines, and measures these lines by the run and by its twin. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { characters } from '../../base/characters.ts';
import { asError } from '../../engine/errors.ts';
import { valueOf } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { TermButton } from '../../kit/term-button.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import type { Question } from '../../store/ask.ts';
import { messageOf } from '../../store/messages.ts';
import type { CurrentRun } from '../../store/training/current-run.ts';
import { LinesToLeave } from '../../store/training/lines-to-leave.ts';
import type { Session } from '../../store/training/session.ts';
import { useAsk, useInstrument } from '../component.tsx';
import type { LaterContext } from '../panel.ts';
import {
  beginningOf,
  bytesOfLines,
  LeftOutState,
  lineNumbers,
  meanLoss,
  measureLines,
  MOST_LINES,
} from './left-out.ts';
import type { LeftOutLine, LineFacts } from './left-out.ts';
import type { Pair } from './seeds.ts';
import { SeedsPart } from './seeds-part.tsx';
import { StackedTable } from './stacked-table.tsx';

const HEADS = ['line', 'seen', 'unseen', 'writes.seen', 'writes.unseen'] as const;
/** Maximum characters of a line in the table. */
const SHOWN = 60;

/** Reason why lines cannot be left out; null if they can. */
type Wrong = 'numbers' | 'many' | 'unread' | 'early' | null;

interface PartProps {
  /** Called before the training of another run begins. */
  readonly onBegin: () => void;
}

export function LeftOutPart({ onBegin }: PartProps) {
  const { session, kept } = useInstrument();
  const now = session();
  const wrong = now === null ? null : wrongOf(kept(LeftOutState), now);
  const isOffered =
    now !== null && now.current !== null && now.trains && !now.pending().includes('text');
  return (
    <div class="twin-left-out">
      {isOffered ? <LinesForm onBegin={onBegin} /> : null}
      {now === null ? null : (
        <Measured key={now.run?.number ?? 0} now={now} wrong={wrong}>
          {wrong === 'unread' && now.run?.state !== 'running' ? (
            <WholeButton onBegin={onBegin} />
          ) : null}
        </Measured>
      )}
    </div>
  );
}

/** Error of the last request. Replaces `run` by the shown run's present fault; null if none. */
function wrongOf(state: LeftOutState, { run, madeRecipe }: Session): Wrong {
  const wrong = state.wrong.value;
  if (wrong !== 'run') return wrong;
  // The shown run has not read all lines.
  if ((madeRecipe.leftOut ?? []).length > 0) return 'unread';
  // A twin trains all its steps, so the run must have finished.
  return run?.state === 'finished' ? null : 'early';
}

function LinesForm({ onBegin }: PartProps) {
  const context = useInstrument();
  const { words, session, kept, inSight } = context;
  const { t } = words;
  const id = useFreshId('left-out');
  const field = useRef<HTMLInputElement>(null);
  const go = useRef<HTMLButtonElement>(null);
  const [typed, setTyped] = useState('');
  const state = kept(LeftOutState);
  const now = session();
  const isBusy = now?.run?.state === 'running';
  const isInvalid = now !== null && errorText(state, wrongOf(state, now), words) !== '';
  useLayoutEffect(() => {
    if (!inSight.value) return;
    // Fills in lines chosen in another panel; the reader presses the button.
    const asked = kept(LinesToLeave).take();
    if (asked === null) return;
    setTyped(asked);
    go.current!.focus();
  });
  return (
    <form
      class="twin-controls"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // Reads the field itself: the last input may not be rendered yet.
        if (!isBusy) void leaveOut(field.current!.value, onBegin, context);
      }}
    >
      <label for={id}>{t('twin.left-out')}</label>
      <input
        ref={field}
        id={id}
        type="text"
        autocomplete="off"
        placeholder="3, 8–10"
        aria-invalid={isInvalid}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <button ref={go} type="submit" class="secondary" aria-disabled={isBusy}>
        {t('twin.left-out.go')}
      </button>
    </form>
  );
}

/** Measures the lines by the shown run, then starts a twin without them. */
async function leaveOut(
  typed: string,
  onBegin: () => void,
  { session, actions, kept }: LaterContext,
): Promise<void> {
  const now = session();
  if (now === null || now.current === null || now.run?.state === 'running') return;
  const state = kept(LeftOutState);
  const { madeRecipe, trainer } = now;
  try {
    const all = (await actions.readText()).split('\n');
    const numbers = lineNumbers(typed, all.length) ?? [];
    const ranges = bytesOfLines(all, numbers);
    state.error.value = null;
    const many = numbers.length > MOST_LINES ? 'many' : 'run';
    state.wrong.value = ranges.length === 0 ? 'numbers' : many;
    if (wrongOf(state, now) !== null) return;
    state.wrong.value = null;
    onBegin();
    const chosen = numbers.flatMap((number) => {
      const text = all[number - 1] ?? '';
      return text.trim() === '' ? [] : { number, text };
    });
    const seen = await measureLines(trainer, chosen);
    state.twin.value = {
      lines: chosen.map((line, at) => ({ ...line, seen: seen[at]! })),
      ranges: JSON.stringify(ranges),
      wasChanged: now.run?.changed.length !== 0,
    };
    actions.onTwin({ ...madeRecipe, leftOut: ranges });
  } catch (thrown) {
    const error = asError(thrown);
    // Errors of a replaced run and of a closed worker are not shown.
    if (error.code !== 'cancelled' && error.code !== 'worker') state.error.value = error;
  }
}

/** A button that starts a run with all lines. */
function WholeButton({ onBegin }: PartProps) {
  const { words, session, actions } = useInstrument();
  return (
    <button
      type="button"
      class="secondary"
      onClick={() => {
        const now = session();
        if (now === null) return;
        onBegin();
        const { preset, changes } = now.madeRecipe;
        actions.onTwin({ preset, changes });
      }}
    >
      {words.t('twin.left-out.whole')}
    </button>
  );
}

interface MeasuredProps {
  readonly now: Session;
  readonly wrong: Wrong;
  /** Rendered between the sentence and the table. */
  readonly children: ComponentChildren;
}

/** Measurements by the run that has read the lines and by its twin, while the twin is shown. */
function Measured({ now, wrong, children }: MeasuredProps) {
  const { words, kept } = useInstrument();
  const { t } = words;
  const state = kept(LeftOutState);
  const { ranges, lines: measured } = state.twin.value;
  const lines = leavesOut(now.current, ranges) ? measured : [];
  const isWanted = lines.length > 0 && now.run?.state === 'finished';
  const { value: unseen, error } = useAsk(isWanted ? linesQuestion(lines) : null, null);
  const failed = error !== null && error.code !== 'worker' ? messageOf(error, words) : '';
  const own = errorText(state, wrong, words);
  const mistake = own !== '' ? own : failed;
  return (
    <>
      {mistake !== '' ? (
        <p class="note error" role="status" data-part="left-out">
          {mistake}
        </p>
      ) : unseen === null || lines.length === 0 ? null : (
        <p class="note" role="status" data-part="left-out">
          {verdictText(lines, unseen, now, words)}{' '}
          <TermButton id="left_out" text={t('glossary.more')} />
        </p>
      )}
      {children}
      {lines.length === 0 ? null : <LinesTable lines={lines} unseen={unseen} />}
      <SeedsPart seeds={state.seeds} pair={pairOf(now, state, unseen, words)} />
    </>
  );
}

/** Error message of the last request; empty for none. */
function errorText(state: LeftOutState, wrong: Wrong, words: AllWords): string {
  const error = state.error.value;
  if (error !== null) return messageOf(error, words);
  return wrong === null ? '' : words.t(`twin.left-out.${wrong}`, { most: MOST_LINES });
}

/** Asked once per run: the twin must be measured after as many steps as the original run. */
function linesQuestion(lines: readonly LeftOutLine[]): Question<readonly LineFacts[]> {
  const texts = lines.map(({ text }) => text);
  return {
    key: JSON.stringify(['lines', texts]),
    isConstant: true,
    ask: (model) => measureLines(model, lines),
  };
}

/** The twin and its original run; null unless both are measured, finished and unchanged. */
function pairOf(
  { current, madeRecipe, run }: Session,
  state: LeftOutState,
  unseen: readonly LineFacts[] | null,
  { t }: AllWords,
): Pair | null {
  const { ranges, lines, wasChanged } = state.twin.value;
  const isWhole = run?.state === 'finished' && run.changed.length === 0;
  // A recipe cannot repeat changes made during a run.
  if (!leavesOut(current, ranges) || unseen === null || !isWhole || wasChanged) return null;
  // New seeds train from random weights, not from those of an opened model.
  if (current === null || current.text === null || current.model !== null) return null;
  const { preset, changes } = madeRecipe;
  return {
    text: current.text,
    recipes: [{ preset, changes }, madeRecipe],
    names: [t('twin.left-out.with'), t('twin.left-out.without')],
    unit: 'nats',
    values: [meanLoss(lines.map(({ seen }) => seen)), meanLoss(unseen)],
    measure: async ({ trainer }) => meanLoss(await measureLines(trainer, lines)),
  };
}

/** Whether `run` is the twin without these ranges. */
function leavesOut(run: CurrentRun | null, ranges: string): boolean {
  return run !== null && ranges !== '' && JSON.stringify(run.recipe.leftOut ?? []) === ranges;
}

function verdictText(
  lines: readonly LeftOutLine[],
  facts: readonly LineFacts[],
  now: Session,
  words: AllWords,
): string {
  const { t, number } = words;
  const count = lines.length;
  // Equal losses: the run never came to the lines that its twin leaves out.
  if (lines.every(({ seen }, at) => seen.loss === facts[at]?.loss)) {
    return t('twin.left-out.same', { count });
  }
  const [seen, unseen] = [meanLoss(lines.map((line) => line.seen)), meanLoss(facts)];
  const said = t(unseen > seen ? 'twin.left-out.more' : 'twin.left-out.less', {
    count,
    seen: number(seen, 3),
    unseen: number(unseen, 3),
    gap: number(Math.abs(unseen - seen), 3),
  });
  const read = documentsRead(now);
  return sentences([said, read === null ? '' : t('twin.left-out.part', read)], words);
}

/**
 * Number of lines that the run reads, and of all its training lines; null if it reads all, or if
 * lines are not separate documents.
 */
function documentsRead({ current, table }: Session): { read: number; all: number } | null {
  if (current === null || !current.info.documents) return null;
  const { plan, recipe, data } = current;
  const read = data.steps * valueOf(table, recipe, 'batch');
  const all = plan.documents - Math.floor(plan.documents * valueOf(table, recipe, 'validation'));
  return read < all ? { read, all } : null;
}

interface LinesTableProps {
  readonly lines: readonly LeftOutLine[];
  /** Measurements by the twin; null until it is measured. */
  readonly unseen: readonly LineFacts[] | null;
}

function LinesTable({ lines, unseen }: LinesTableProps) {
  const { words } = useInstrument();
  const { t, number } = words;
  const loss = (facts: LineFacts | undefined): string =>
    facts === undefined ? '…' : number(facts.loss, 3);
  const written = (text: string, facts: LineFacts | undefined): string =>
    facts === undefined ? '…' : shortened(beginningOf(text) + facts.written);
  return (
    <StackedTable
      label={t('twin.left-out.table')}
      caption={t('twin.left-out.caption')}
      heads={HEADS.map((head) => t(`twin.left-out.${head}`))}
      kinds={['figure', 'figure', 'written', 'written']}
      isOfText
      rows={lines.map(({ number: line, text, seen }, at) => [
        `${number(line)}: ${shortened(text)}`,
        loss(seen),
        loss(unseen?.[at]),
        written(text, seen),
        written(text, unseen?.[at]),
      ])}
    />
  );
}

function shortened(text: string): string {
  const all = characters(text);
  return all.length <= SHOWN ? text : `${all.slice(0, SHOWN).join('')}…`;
}
