/** Loss of each token of a text, by the model of the shown step. */
import { useMemo } from 'preact/hooks';
import { TRACES } from '../../base/form.ts';
import { sentences } from '../../i18n/index.ts';
import { question } from '../../store/ask.ts';
import { messageOf } from '../../store/messages.ts';
import { KeptTrace } from '../../store/training/kept-trace.ts';
import { shownPlan } from '../../store/training/shown-plan.ts';
import { Finding } from '../common/finding.tsx';
import { panelWith, useAsk, useInstrument } from '../component.tsx';
import { besideTable, TableChoice } from './beside-table.ts';
import { findingOf, mostSurprising } from './named-token.ts';
import { ScoredText } from './scored-text.tsx';
import { TokenLosses } from './token-losses.tsx';
import { TokenPlace } from './token-place.ts';

/** Maximum tokens to analyse: more would interrupt training for too long. */
const MAX_TOKENS = 800;

export const createTokens = panelWith(Tokens);

function Tokens() {
  const { words, state, session, startQuestions, isDark, kept } = useInstrument();
  const { t } = words;
  const { scored, probe, shown } = state;
  const text = scored ?? probe;
  const trace = TRACES ? kept(KeptTrace).of({ session, startQuestions }) : null;
  // Null if no table is available.
  const choice = TRACES && trace?.refusal === null ? kept(TableChoice).isOn : null;
  const compares = choice?.value === true;
  // An excerpt of the training text may end within a line; typed text is complete.
  const isCut = useMemo(() => scored === null && isBeginning(text, shown), [scored, text, shown]);
  const asked = useMemo(() => {
    const analysis = question('analyse', text, MAX_TOKENS, isCut);
    return besideTable(analysis, TRACES && compares ? trace : null);
  }, [text, isCut, compares, trace]);
  const { value, error } = useAsk(asked);

  // An empty field is not an error.
  const isEmpty = error?.code === 'empty';
  const answer = isEmpty ? null : value;
  const { omitted = 0, cut = 0 } = answer?.[0] ?? {};
  const isMistake = error !== null && !isEmpty;
  const notes = isMistake
    ? // After an error, the cells of the previous text stay, which the second sentence says.
      [messageOf(error, words), answer === null ? '' : t('tokens.before')]
    : [
        omitted > 0 ? t('tokens.omitted', { count: omitted }) : '',
        cut > 0 ? t('tokens.cut', { count: cut }) : '',
      ];
  const guessing = shownPlan(session())?.randomLoss ?? 1;
  const dark = isDark();
  const result = useMemo(
    () =>
      answer === null ? null : (
        <TokenLosses
          analysis={answer[0]}
          table={answer[1]}
          guessing={guessing}
          isDark={dark}
          choice={choice}
          place={kept(TokenPlace)}
        />
      ),
    [answer, guessing, dark, choice],
  );
  const isBlank = text !== '' && text.trim() === '';
  const tokens = answer?.[0].tokens ?? [];
  const most = useMemo(() => mostSurprising(tokens), [answer]);
  return (
    <>
      <Finding
        text={findingOf(tokens[most ?? -1], words)}
        show={{
          text: t('tokens.finding.show'),
          onPress: () => {
            kept(TokenPlace).chosen.value = most ?? 0;
          },
        }}
      />
      <p class="lead">{t('tokens.lead')}</p>
      <ScoredText text={text} note={sentences(notes, words)} isError={isMistake} />
      {answer === null && !isMistake ? (
        <p class="muted">{t(isBlank ? 'tokens.blank' : 'tokens.empty')}</p>
      ) : null}
      {result}
    </>
  );
}

/** Whether the last line of `part` is the beginning of lines in `text`, but no whole line. */
function isBeginning(part: string, text: string): boolean {
  const last = part.slice(part.lastIndexOf('\n') + 1);
  const has = (line: string): boolean => text.startsWith(line) || text.includes(`\n${line}`);
  const whole = text === last || text.endsWith(`\n${last}`) || has(`${last}\n`);
  return last !== '' && !whole && has(last);
}
