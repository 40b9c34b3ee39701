/** Compares two steps of a run: the models of both answer the same questions. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { comingName } from '../../data/token-data.ts';
import type { GlasshouseError } from '../../engine/errors.ts';
import type { Analysis, Attention, SampleRequest } from '../../engine/trainer.ts';
import type { AllWords } from '../../i18n/index.ts';
import { NumberBox } from '../../kit/number-box.tsx';
import { useFreshId } from '../../kit/use-id.ts';
import { question, together } from '../../store/ask.ts';
import { messageOf } from '../../store/messages.ts';
import { STATE_BYTES } from '../../store/past/reach.ts';
import type { Going } from '../../store/past/way.ts';
import { ClearestHead } from '../../store/training/head-habits.ts';
import { PROBE_TOKENS } from '../../store/training/probe-choice.ts';
import type { RunData } from '../../store/training/run-data.ts';
import { shownPlan } from '../../store/training/shown-plan.ts';
import { Finding } from '../common/finding.tsx';
import { panelWith, useAsk, useChartMarks, useInstrument, Written } from '../component.tsx';
import type { ShownAnswer } from '../component.tsx';
import { ChangeMap } from './change-map.tsx';
import { stepsBetween } from './steps.ts';
import { TokenChanges } from './token-changes.tsx';

/** Attention and losses on the page's text. */
type Answers = readonly [Attention, Analysis];

/** Maximum tokens of a text, so that rows can be compared at a glance. */
const ROW_TOKENS = 80;

/** Step A and its run; null for the first step of the shown run. */
class ChosenStep {
  readonly a = signal<{ readonly run: number; readonly step: number } | null>(null);
}

export const createMoments = panelWith(Moments);

function Moments() {
  const { words, session } = useInstrument();
  const { t, bytes } = words;
  const { run = null, current = null, lookedAt, trains = true } = session() ?? {};
  const firstStep = lookedAt?.firstStep ?? null;
  let reason: string | null = null;
  if (run === null || current === null) reason = t('moments.none');
  else if (!trains || current.text === null) reason = t('moments.writes');
  else if (firstStep === null) {
    reason = t('moments.large', { size: bytes(STATE_BYTES * current.plan.parameters) });
  } else if (run.step <= firstStep) reason = t('moments.none');
  if (reason === null && run !== null && firstStep !== null) {
    return <Steps key={run.number} run={run} first={firstStep} />;
  }
  return (
    <>
      <p class="lead">{t('moments.lead')}</p>
      <p class="muted">{reason}</p>
    </>
  );
}

/** Texts at steps from A to the newest, and changes from step A to step B. */
function Steps({ run, first }: { readonly run: RunData; readonly first: number }) {
  const { words, session, state, kept } = useInstrument();
  const { t, number } = words;
  const chosen = kept(ChosenStep).a;
  const a = chosen.value?.run === run.number ? chosen.value.step : first;
  // Step B; null for the newest step.
  const b = session()?.lookedAt.pastStep ?? null;
  const newest = run.step;
  useChartMarks('moments', String(a), () => [{ step: a, label: t('moments.mark') }]);

  const both = together(
    question('probe', state.probe, PROBE_TOKENS),
    question('analyse', state.probe, PROBE_TOKENS, false),
  );
  const before = useAsk(both, a);
  const after = useAsk(both);
  const shownB = b ?? after.step ?? newest;
  const [changes, error] = [changesOf(before, after), before.error ?? after.error];
  const going = before.going ?? after.going;
  const tokens = useRef<HTMLDivElement>(null);
  const onShow = (): void => tokens.current?.scrollIntoView({ block: 'center' });
  return (
    <div>
      <Finding
        text={changes === null || error !== null ? '' : findingOf(changes, [a, shownB], words)}
        show={{ text: t('moments.finding.show'), onPress: onShow }}
      />
      <p class="lead">{t('moments.lead')}</p>
      <StepOfA
        a={a}
        first={first}
        newest={newest}
        onStep={(step) => {
          chosen.value = { run: run.number, step };
        }}
      >
        <p data-part="moments-b">
          {t(b === null ? 'moments.b.newest' : 'moments.b', { step: number(shownB) })}
        </p>
      </StepOfA>
      <p class="note" role="status">
        {going === null ? '' : wayText(going, words)}
      </p>
      <div class="moments-body">
        <Texts a={a} b={b} newest={newest} pressed={shownB} />
        <div>
          <Mistake error={error} />
          {changes !== null && error === null ? (
            <div
              ref={tokens}
              class={`moments-changes ${before.isStale || after.isStale ? 'awaited' : ''}`}
            >
              <TokenChanges
                before={changes.before[1]}
                after={changes.after[1]}
                guessing={shownPlan(session())?.randomLoss ?? 1}
              />
              <ChangeMap
                before={changes.before[0]}
                after={changes.after[0]}
                head={state.head ?? kept(ClearestHead).place}
              />
            </div>
          ) : null}
        </div>
      </div>
    </div>
  );
}

/** The answers at steps A and B; null until both have arrived. */
function changesOf<Value>(before: ShownAnswer<Value>, after: ShownAnswer<Value>) {
  if (before.value === null || after.value === null) return null;
  return { before: before.value, after: after.value };
}

/** Names the token of the text whose probability has risen most; empty if none has risen. */
function findingOf(
  { before, after }: { readonly before: Answers; readonly after: Answers },
  [a, b]: readonly [number, number],
  words: AllWords,
): string {
  const rises = after[1].tokens.map(({ token, score }, at) => {
    const [from, to] = [before[1].tokens[at]?.score?.probability ?? NaN, score?.probability ?? NaN];
    return { token, from, to };
  });
  const [most] = rises
    .filter(({ from, to }) => to > from)
    .sort((x, y) => y.to - y.from - x.to + x.from);
  if (most === undefined) return '';
  const { number, percent, t } = words;
  return t('moments.finding', {
    name: comingName(most.token, words),
    a: number(a),
    before: percent(most.from),
    b: number(b),
    after: percent(most.to),
  });
}

interface StepOfAProps {
  readonly a: number;
  readonly first: number;
  readonly newest: number;
  readonly onStep: (step: number) => void;
  /** Rendered after the field. */
  readonly children: ComponentChildren;
}

/** The field for step A. */
function StepOfA({ a, first, newest, onStep, children }: StepOfAProps) {
  const { t, number } = useInstrument().words;
  const [id, mistake] = [useFreshId('moments-step'), useFreshId('moments-a')];
  const [typed, setTyped] = useState<number | null>(null);
  const isStep = (step: number): boolean =>
    Number.isInteger(step) && step >= first && step <= newest;
  const isInvalid = !isStep(typed ?? a);
  return (
    <>
      <div class="moments-pair">
        <label for={id}>{t('moments.a')}</label>
        <NumberBox
          id={id}
          option={{ name: 'a', type: 'int', ladder: 'ones', min: first, max: newest }}
          value={a}
          onValue={(step) => {
            setTyped(step);
            if (step !== null && isStep(step)) onStep(step);
          }}
          isInvalid={isInvalid}
          describedBy={mistake}
        />
        {children}
      </div>
      <p id={mistake} class="note error" role="alert">
        {isInvalid ? t('moments.range', { first: number(first), last: number(newest) }) : ''}
      </p>
    </>
  );
}

interface TextsProps {
  readonly a: number;
  readonly b: number | null;
  readonly newest: number;
  /** The step whose row is marked. */
  readonly pressed: number;
}

/** Texts for the page's prompt, written at steps from A to the newest and at B. */
function Texts({ a, b, newest, pressed }: TextsProps) {
  const { words, state } = useInstrument();
  const { t } = words;
  const request = { ...state.ask, maxTokens: Math.min(ROW_TOKENS, state.ask.maxTokens) };
  // An error of the prompt is reported once, not in every row.
  const { error } = useAsk(question('sample', request));
  const steps = [...new Set([...stepsBetween(a, newest), a, b ?? newest])].sort((x, y) => x - y);
  return (
    <section>
      <h3>{t('moments.texts')}</h3>
      <p class="note">{t('moments.texts.lead')}</p>
      <Mistake error={error} />
      <ol class="moments-texts" translate={false}>
        {error === null
          ? steps.map((step) => (
              <Row
                key={step === newest ? 'newest' : step}
                step={step}
                isNewest={step === newest}
                request={request}
                isPressed={step === pressed}
              />
            ))
          : null}
      </ol>
    </section>
  );
}

interface RowProps {
  readonly step: number;
  readonly isNewest: boolean;
  readonly request: SampleRequest;
  readonly isPressed: boolean;
}

function Row({ step, isNewest, request, isPressed }: RowProps) {
  const { words, actions } = useInstrument();
  const { t, number } = words;
  const { value, going, isStale } = useAsk(question('sample', request), isNewest ? null : step);
  const text = isStale ? null : (value?.text ?? null);
  const isBlank = text !== null && text.trim() === '' && request.prompt === '';
  const awaited = going === null ? '…' : wayText(going, words);
  const look = (): void => actions.onLookAt(step);
  return (
    <li class={text === null ? 'awaited' : ''} data-step={step}>
      <button type="button" class="link" aria-pressed={isPressed} onClick={look}>
        {t('moments.row', { step: number(step) })}
      </button>
      <p
        class="written"
        dir="auto"
        onClick={({ target }) => {
          const isMark = target instanceof Element && target.closest('[role=button]') !== null;
          // Selecting text is not a press.
          if (!isMark && getSelection()?.isCollapsed !== false) look();
        }}
      >
        <span class="muted">{request.prompt}</span>
        <Written
          class={isBlank ? 'muted' : ''}
          text={isBlank ? t('moments.blank') : (text ?? awaited)}
          isMarked={text !== null && !isBlank}
        />
      </p>
    </li>
  );
}

function wayText({ from, done, to }: Going, { t, number }: AllWords): string {
  return t('moments.way', { step: number(to), done: number(done - from), count: to - from });
}

function Mistake({ error }: { readonly error: GlasshouseError | null }) {
  const { words } = useInstrument();
  // An empty field is not an error.
  const isSaid = error !== null && error.code !== 'empty';
  return <p class="note error">{isSaid ? messageOf(error, words) : ''}</p>;
}
