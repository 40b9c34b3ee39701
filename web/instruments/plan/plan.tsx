/** Figures of the plan, such as tokens of the text, parameters and memory, in a fold. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { TRACES } from '../../base/form.ts';
import { fairUnit, knownUnit, UNKNOWN_TOKENS, unitFactor } from '../../data/loss-data.ts';
import { ignore } from '../../engine/errors.ts';
import type { Plan } from '../../engine/trainer.ts';
import type { Key } from '../../i18n/index.ts';
import { UnitMark } from '../../kit/loss-unit.tsx';
import { TermButton } from '../../kit/term-button.tsx';
import { pastBytes } from '../../store/past/reach.ts';
import { shownPlan } from '../../store/training/shown-plan.ts';
import type { Session } from '../../store/training/session.ts';
import { firstPanelWith, KeptFold, useFirstInstrument } from '../component.tsx';
import { nextTokensOf, tokensOf } from './plan-tokens.ts';

export const createPlan = firstPanelWith(PlanLine);

/** `now`: plan of the shown run. `next`: plan of the run that Start would begin, null if equal. */
interface Plans {
  readonly now: Plan | null;
  readonly next: Plan | null;
}

function PlanLine() {
  const { words, session, home } = useFirstInstrument();
  const { t, number } = words;
  const shown = session();
  const large = useTooLarge(shown);
  const isChanged = shown !== null && shown.pending().length > 0;
  const plans: Plans = {
    now: shownPlan(shown) ?? large,
    next: isChanged ? (shown.plan ?? large) : null,
  };
  const figure = (format: (of: Plan) => string, { now, next } = plans): string => {
    if (now === null) return '–';
    const [before, then] = [format(now), format(next ?? now)];
    return before === then ? before : t('plan.becomes', { now: before, then });
  };
  const parameters = figure((of) => number(of.parameters));
  return (
    <KeptFold
      name="plan"
      kind="plan-fold"
      title={t('plan.fold', { parameters })}
      isOpen={home === null}
    >
      {() => <Figures plans={plans} figure={figure} />}
    </KeptFold>
  );
}

interface FiguresProps {
  readonly plans: Plans;
  /** Formats a figure of the plans, and its value in the next run if that differs. */
  readonly figure: (format: (of: Plan) => string, plans?: Plans) => string;
}

function Figures({ plans, figure }: FiguresProps) {
  const { words, state, session } = useFirstInstrument();
  const { t, number, bytes } = words;
  const shown = session();
  const tokensPerCharacter = shown?.tokensPerCharacter ?? UNKNOWN_TOKENS;
  const lines = shown?.earlier.all ?? [];
  const wanted = fairUnit(state.lossChoice.unit, { tokensPerCharacter, lines });
  const unit = knownUnit(wanted, tokensPerCharacter);
  const factor = unitFactor({ unit }, tokensPerCharacter.train);
  const nextFactor = unitFactor({ unit }, nextTokensOf(shown, plans.now, plans.next));
  const random = figure(
    (of) => number(of.randomLoss * (of === plans.now ? factor : nextFactor), 2),
    Number.isFinite(nextFactor) ? plans : { ...plans, next: null },
  );
  const term = (id: string, key: Key) => <TermButton id={id} text={t(key)} />;
  return (
    <dl class="plan" aria-label={t('plan.title')}>
      <Figure name="vocab" label={term('vocabulary', 'plan.vocab')}>
        {figure((of) => number(of.vocab))}
      </Figure>
      <Figure name="tokens" label={term('token', 'plan.tokens')}>
        {/* A model that can only generate has no training text. */}
        {figure((of) => (of.tokens === 0 ? '–' : number(of.tokens)))}
      </Figure>
      <Figure name="parameters" label={term('parameters', 'plan.parameters')}>
        {figure((of) => number(of.parameters))}
      </Figure>
      <Figure name="memory" label={term('memory', 'plan.memory')}>
        {figure((of) => bytes(of.totalBytes))}
      </Figure>
      {TRACES ? (
        <>
          <Figure name="index" label={<span>{t('plan.index')}</span>}>
            {figure((of) => bytes(of.indexBytes))}
          </Figure>
          <Figure name="past" label={<span>{t('plan.past')}</span>}>
            {figure((of) => bytes(pastBytes(of.parameters)))}
          </Figure>
        </>
      ) : null}
      <Figure
        name="random"
        label={
          <span>
            {term('random_guessing', 'plan.random')} <UnitMark unit={unit} words={words} />
          </span>
        }
      >
        {random}
      </Figure>
    </dl>
  );
}

interface FigureProps {
  readonly name: 'vocab' | 'tokens' | 'parameters' | 'memory' | 'index' | 'past' | 'random';
  readonly label: ComponentChildren;
  readonly children: string;
}

function Figure({ name, label, children }: FigureProps) {
  const { t } = useFirstInstrument().words;
  return (
    <div title={t(`plan.${name}.help`)}>
      <dt>{label}</dt>
      <dd data-part={`plan-${name}`}>{children}</dd>
    </div>
  );
}

/**
 * The known part of a plan for a model too large for this tab: the text as in the last plan, and
 * the memory from the engine's error. Null for any other model, and while tokens or parameters are
 * unknown.
 */
function useTooLarge(shown: Session | null): Plan | null {
  const { state } = useFirstInstrument();
  const last = useRef<{ readonly plan: Plan; readonly tokens: string } | null>(null);
  const [counted, setCounted] = useState({ of: '', parameters: NaN });
  const tokens = shown === null ? '' : tokensOf(shown, state.version);
  if (shown !== null && shown.plan !== null) last.current = { plan: shown.plan, tokens };
  const { current } = last;
  const error = shown?.plan === null ? shown.error : null;
  const isLarge = error?.code === 'memory' && current?.tokens === tokens;
  const of = isLarge ? JSON.stringify([shown?.recipe, current.plan.vocab]) : '';
  useEffect(() => {
    if (!isLarge || shown === null) return;
    shown.trainer.parameterCounts([shown.recipe], current.plan.vocab).then(([parameters = NaN]) => {
      setCounted({ of, parameters });
    }, ignore);
  }, [of]);
  if (!isLarge || counted.of !== of) return null;
  const { parameters } = counted;
  return { ...current.plan, parameters, totalBytes: error.values[0] ?? NaN };
}
