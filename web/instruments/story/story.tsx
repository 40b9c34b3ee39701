/** How the model works, in five pictures of the reader's own run. */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { axisLabel } from '../../data/attention-data.ts';
import { chanceText, comingLabel, textBefore } from '../../data/token-data.ts';
import type { AnalysedToken, Analysis, Attention } from '../../engine/trainer.ts';
import { capitalised, docsLang } from '../../i18n/index.ts';
import { ProbabilityTable } from '../../kit/probabilities.tsx';
import { spokenLabels } from '../../kit/row-labels.ts';
import { colourScale, weightCell } from '../../kit/weight-colour.ts';
import type { ColourScale } from '../../kit/weight-colour.ts';
import { hasUnreadable } from '../../kit/unreadable.ts';
import { question, together } from '../../store/ask.ts';
import { messageOf } from '../../store/messages.ts';
import { shownSample } from '../../store/timeline.ts';
import { PROBE_TOKENS } from '../../store/training/probe-choice.ts';
import { shownPlan } from '../../store/training/shown-plan.ts';
import { panelWith, useAsk, useInstrument } from '../component.tsx';
import { chosenToken, gazeBefore } from './chosen-place.ts';

/** Number of bars of a picture. */
const BARS = 5;
/** Maximum tokens of the written text. */
const WRITTEN_TOKENS = 12;

export const createStory = panelWith(Story);

function Story() {
  const { words, session, site } = useInstrument();
  const { t } = words;
  return (
    <>
      <p class="lead">{t('story.lead')}</p>
      <Pictures key={session()?.run?.number ?? 0} />
      {site === null ? null : (
        <a
          href={new URL(`docs/${docsLang(words.lang)}/index.html`, site).href}
          target="_blank"
          rel="noopener"
        >
          {t('story.docs')}
        </a>
      )}
    </>
  );
}

function Pictures() {
  const { words, session, state } = useInstrument();
  const { t, number } = words;
  const probe = question('analyse', state.probe, PROBE_TOKENS, false);
  const now = useAsk(together(question('probe', state.probe, PROBE_TOKENS), probe));
  const firstStep = session()?.lookedAt.firstStep ?? null;
  const first = useAsk(firstStep === null ? null : probe, firstStep).value;
  const [attention, analysis] = now.value ?? [null, null];
  // The newest text whose tokens can be found again: unreadable characters stand for lost bytes.
  const written = shownSample(session(), state.lookedAt)?.texts.find(
    (text) => text.trim() !== '' && !hasUnreadable(text),
  );
  const sample = useAsk(
    written === undefined ? null : question('analyse', written, WRITTEN_TOKENS, false),
  ).value;
  const last = useRef<number | null>(null);
  const at = analysis === null ? null : chosenToken(first, analysis, last.current);
  last.current = at;
  const untrained = first ?? analysis;
  const isTrained = analysis !== null && analysis.step > (first?.step ?? 0);
  const wait = <p class="muted">{t('story.wait')}</p>;
  const weights = shownPlan(session())?.parameters ?? 0;
  return (
    <>
      {now.error === null || now.error.code === 'empty' ? null : (
        <p class="note error">{messageOf(now.error, words)}</p>
      )}
      <ol class="story">
        <Picture name="numbers">
          {analysis === null ? null : <Numbers tokens={analysis.tokens} />}
        </Picture>
        <Picture name="look">
          {attention === null || at === null ? null : (
            <Look at={at} tokens={analysis.tokens} attention={attention} />
          )}
        </Picture>
        <Picture name="guess">
          {untrained === null || at === null ? null : <Guess at={at} analysis={untrained} />}
        </Picture>
        <Picture name="learn" values={{ count: number(weights) }}>
          {!isTrained || at === null ? wait : <Guess at={at} analysis={analysis} />}
        </Picture>
        <Picture name="write">
          {sample === null ? wait : <Writing tokens={sample.tokens} />}
        </Picture>
      </ol>
    </>
  );
}

interface PictureProps {
  readonly name: 'numbers' | 'look' | 'guess' | 'learn' | 'write';
  readonly values?: Readonly<Record<string, string>>;
  readonly children: ComponentChildren;
}

function Picture({ name, values = {}, children }: PictureProps) {
  const { t } = useInstrument().words;
  return (
    <li data-part={`story-${name}`}>
      <h3>{t(`story.${name}`)}</h3>
      <p>{t(`story.${name}.text`, values)}</p>
      {children}
    </li>
  );
}

/** A token in a row. */
interface Shown {
  readonly label: string;
  /** Text below the token; undefined for none. */
  readonly figure?: string;
  /** Attention weight that colours the token; undefined for none. */
  readonly weight?: number;
}

function TokenRow({ tokens }: { readonly tokens: readonly Shown[] }) {
  const { isDark } = useInstrument();
  const scale = colourScale(isDark());
  return (
    <ol class="story-tokens" translate={false}>
      {tokens.map(({ label, figure, weight }) => (
        <li>
          <span class="glyph" style={styleOf(weight, scale)}>
            {label}
          </span>
          {figure === undefined ? null : <span class="muted">{figure}</span>}
        </li>
      ))}
    </ol>
  );
}

function styleOf(weight: number | undefined, scale: ColourScale) {
  if (weight === undefined) return {};
  const { background, ink } = weightCell(scale, weight);
  return { backgroundColor: background, color: ink };
}

/** Label of a token that was predicted or begins a text. */
const labelOf = ({ token, score }: AnalysedToken): string =>
  score === null ? axisLabel(token) : comingLabel(token);

function Numbers({ tokens }: { readonly tokens: readonly AnalysedToken[] }) {
  const { number } = useInstrument().words;
  return (
    <TokenRow
      tokens={tokens.map((one) => ({ label: labelOf(one), figure: number(one.token.id) }))}
    />
  );
}

interface LookProps {
  readonly at: number;
  readonly tokens: readonly AnalysedToken[];
  readonly attention: Attention;
}

function Look({ at, tokens, attention }: LookProps) {
  const { words } = useInstrument();
  const { t, percent } = words;
  const gaze = gazeBefore(at, tokens, attention);
  if (gaze === null) return null;
  const { weights, to } = gaze;
  const names = spokenLabels(attention.tokens.slice(0, at), words);
  const share = percent(weights[to]!);
  const said = { from: names[at - 1]!, to: names[to]!, share };
  return (
    <>
      <TokenRow
        tokens={[...weights].map((weight, index) => ({
          label: labelOf(tokens[index]!),
          weight,
        }))}
      />
      <p>{capitalised(t('story.look.cell', said))}</p>
    </>
  );
}

/** The likeliest tokens at a place of the text, and the one that came next. */
function Guess({ at, analysis }: { readonly at: number; readonly analysis: Analysis }) {
  const { words } = useInstrument();
  const { t, number } = words;
  const one = analysis.tokens[at];
  if (one === undefined || one.score === null) return null;
  const { token, score } = one;
  const likeliest = score.candidates.slice(0, BARS);
  const isAmong = likeliest.some((other) => other.token.id === token.id);
  if (!isAmong) likeliest.splice(BARS - 1, 1, { token, probability: score.probability });
  return (
    <ProbabilityTable
      words={words}
      tokenHead={t('story.token')}
      columns={[t('story.chance')]}
      brief={BARS}
      caption={t('story.after', {
        text: textBefore(analysis.tokens, at, words),
        step: number(analysis.step),
      })}
      rows={likeliest.map((row) => ({ token: row.token, values: [row.probability] }))}
      marked={{ id: token.id, text: t('story.real') }}
      cut={null}
      rest={null}
      complete={false}
      fullBar={1}
    />
  );
}

/** A written text with the chance that each token had. */
function Writing({ tokens }: { readonly tokens: readonly AnalysedToken[] }) {
  const { words } = useInstrument();
  return (
    <TokenRow
      tokens={tokens.map((one) => ({
        label: labelOf(one),
        figure: one.score === null ? '' : chanceText(one.score.probability, words),
      }))}
    />
  );
}
