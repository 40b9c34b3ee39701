/** Notices above the run, such as a run to resume, a diverged run, or storage that fails. */
import { valueOf } from '../../engine/options.ts';
import { sentences } from '../../i18n/index.ts';
import type { Words } from '../../i18n/index.ts';
import { messageOf } from '../../store/messages.ts';
import { runPhrase } from '../../store/training/run-name.ts';
import { ratesOf } from '../../store/training/rates.ts';
import type { RunFile } from '../../store/runs/run-files.ts';
import type { Runs } from '../../store/runs/run-keeper.ts';
import type { Session } from '../../store/training/session.ts';
import { saveRun } from '../common/save-run.ts';
import type { PanelContext } from '../panel.ts';

export interface Notice {
  readonly text: string;
  readonly actions: readonly NoticeAction[];
}

interface NoticeAction {
  readonly label: string;
  readonly primary: boolean;
  readonly act: () => void;
}

/** Multiple of the preset's learning rate from which the rate is the likeliest cause. */
const LARGE_RATE = 3;
/** Minimum gradient norm that counts as a cause. */
const LARGE_NORM = 10;

/** The most urgent notice; null for none. `all`: all words once loaded, else the first screen's. */
export function noticeOf(context: PanelContext, all: Words): Notice | null {
  const { words, session, runs } = context;
  return (
    wayBack(context) ??
    lost(context) ??
    newer(context) ??
    problem(context, all) ??
    recognised(session(), runs, words) ??
    unknownParams(context) ??
    slowed(context, all) ??
    offer(session(), runs, words)
  );
}

const understood = ({ t }: Words, act: () => void): NoticeAction => ({
  label: t('runs.understood'),
  primary: false,
  act,
});

function offer(session: Session | null, runs: Runs, words: Words): Notice | null {
  const { t, number } = words;
  if (runs.opening) return { text: t('runs.opening'), actions: [] };
  const record = runs.offer;
  if (record === null) return null;
  // Records of earlier versions may not be "finished" at their last step.
  const done = record.state === 'finished' || record.step >= record.steps;
  const text = t(done ? 'runs.offer.done' : 'runs.offer.open', {
    run: runPhrase(record, session?.table ?? null, words),
    step: number(record.step),
    steps: number(record.steps),
    when: words.moment(record.updated),
  });
  return {
    text,
    actions: [
      {
        label: t(record.state === 'running' ? 'runs.goOn' : 'runs.offer.show'),
        primary: true,
        act: () => void runs.open(record.id),
      },
      { label: t('runs.dismiss'), primary: false, act: () => void runs.dismissOffer() },
    ],
  };
}

/** Notice on an opened run file that is already saved here. */
function recognised(session: Session | null, runs: Runs, words: Words): Notice | null {
  if (runs.recognised === null) return null;
  const { id } = runs.recognised;
  const run = runPhrase(runs.recognised, session?.table ?? null, words);
  return {
    text: words.t('runs.recognised', { run }),
    actions: [
      { label: words.t('runs.recognised.open'), primary: true, act: () => void runs.open(id) },
      understood(words, () => runs.dismissRecognised()),
    ],
  };
}

function problem({ session, runs }: PanelContext, words: Words): Notice | null {
  const { last } = runs.problems;
  if (last === null) return null;
  const actions = [understood(words, () => runs.problems.dismiss())];
  if (runs.isRefused) {
    actions.unshift(keepFile(words.t('runs.download.go'), session(), () => runs.file(null, true)));
  }
  return { text: messageOf(last, words), actions };
}

/** Notice on a run that was replaced although it could not be saved. */
function lost({ session: shown, runs, words }: PanelContext): Notice | null {
  const { lost: run } = runs;
  if (run === null) return null;
  const { t, number } = words;
  const session = shown();
  const phrase = runPhrase(run, session?.table ?? null, words);
  const dismiss = { label: t('runs.dismiss'), primary: false, act: () => runs.dismissLost() };
  const now = keepFile(t('runs.download.now'), session, () => runs.file(null, true));
  const handOver = async (): Promise<RunFile | null> => {
    const file = await runs.lostFile();
    if (file !== null) runs.dismissLost();
    return file;
  };
  return {
    text: sentences(
      [
        t('runs.lost', { run: phrase, step: number(run.step) }),
        runs.isRefused ? t('runs.lost.now') : '',
      ],
      words,
    ),
    actions: [
      keepFile(t('runs.download.go'), session, handOver),
      ...(runs.isRefused ? [{ ...now, primary: false }] : []),
      dismiss,
    ],
  };
}

const keepFile = (
  label: string,
  session: Session | null,
  write: () => Promise<RunFile | null>,
): NoticeAction => ({
  label,
  primary: true,
  act: () =>
    void write().then((found) => {
      if (found !== null) saveRun(found, session?.table);
    }),
});

/** Notice on a newer version of the site, which lacks the parts that this page has yet to load. */
function newer({ state, words }: PanelContext): Notice | null {
  if (!state.isReplaced) return null;
  const label = words.t('app.newer.reload');
  return {
    text: words.t('app.newer'),
    actions: [{ label, primary: true, act: () => location.reload() }],
  };
}

/** Notice on unknown link parameters, such as typing mistakes. */
function unknownParams({ state, words, actions }: PanelContext): Notice | null {
  if (state.unknownParams.length === 0) return null;
  const params = state.unknownParams.join(words.t('list.separator'));
  const text = words.t('embed.unknown', { params });
  return { text, actions: [understood(words, actions.onUnknownParamsSeen)] };
}

/** Notice on a run that the browser slowed down while the page was hidden. */
function slowed({ state, session, actions }: PanelContext, words: Words): Notice | null {
  const { slowed: what } = state;
  if (what === null || what.run !== session()?.run?.number) return null;
  const { done, expected, seconds } = what;
  const text = words.find('runs.slowed', { done, expected, time: words.duration(seconds) });
  return text === null ? null : { text, actions: [understood(words, actions.onSlowedSeen)] };
}

/** Notice on a diverged run: offers to continue from its last good state at a lower rate. */
function wayBack({ session: now, runs, words, lesson, actions }: PanelContext): Notice | null {
  const { good, gentler } = runs;
  const session = now();
  if (session?.run?.state !== 'diverged' || good === null || gentler === null || runs.opening)
    return null;
  if (lesson.lock.has('settings')) return null;
  const { t, number, short } = words;
  const step = number(good.step);
  const label = t('runs.back', { step, rate: short(gentler) });
  return {
    text: t('runs.good', { step, why: whyDiverged(session, words) }),
    actions: [{ label, primary: true, act: actions.onWayBack }],
  };
}

/** Names the likeliest cause of divergence: the learning rate, unclipped gradients, or unknown. */
function whyDiverged(session: Session, { t, short }: Words): string {
  const { table, current } = session;
  const rates = ratesOf(session);
  if (current === null || rates === null) return t('runs.good.unknown');
  const { rate, usual } = rates;
  if (rate >= LARGE_RATE * usual) {
    return t('runs.good.rate', { rate: short(rate), usual: short(usual) });
  }
  const norm = current.data.gradientNorm;
  if (valueOf(table, current.recipe, 'clip') === 0 && norm >= LARGE_NORM) {
    return t('runs.good.clip', { norm: short(norm) });
  }
  return t('runs.good.unknown');
}
