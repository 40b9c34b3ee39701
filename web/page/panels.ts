/**
 * The registry of instruments: every panel of the page, where it stands, how it is loaded, and in
 * which forms it is there. Tabs stand below the columns; their code comes once the
 * page is ready.
 */
import { ADVICE, SITE, TRACES } from '../base/form.ts';
import { createAsk } from '../instruments/ask/panel.ts';
import { createAttention, createAttentionWide } from '../instruments/attention/panel.ts';
import { lazily, whenAsked } from '../instruments/lazily.ts';
import { createLessonReceipt } from '../instruments/receipt/lesson-receipt.ts';
import { createLoss } from '../instruments/loss/panel.ts';
import { createModel } from '../instruments/model/panel.ts';
import { createNotice } from '../instruments/notice/panel.ts';
import { createNothing } from '../instruments/panel.ts';
import type { TabPanel, CreatePanel, TabGroup, MakeSection } from '../instruments/panel.ts';
import { PARTS_TAB } from '../instruments/parts-state.ts';
import { createPlan } from '../instruments/plan/panel.ts';
import { createRun } from '../instruments/run/panel.ts';
import { createSamplesPanel } from '../instruments/samples/panel.ts';
import { createSettings } from '../instruments/settings/panel.ts';
import { createText } from '../instruments/text/panel.ts';
import { TAB_SECTION } from '../store/address/lesson.ts';
import { ATTENTION_TAB } from '../store/address/page-settings.ts';

/** Code with the styles of what is opened by a press, which other forms have from the start. */
const styled = <Code>(code: Promise<Code>): Promise<Code> =>
  SITE ? Promise.all([code, import('../styles/later.css')]).then(([loaded]) => loaded) : code;

/**
 * The columns from left to right, their panels from top to bottom; names are the ids of sections.
 */
export const COLUMNS = {
  input: {
    text: createText,
    fit: lazily(() =>
      styled(import('../instruments/text/fit/panel.ts')).then((m) => m.createFitPanel),
    ),
    'text-check': ADVICE
      ? lazily(() =>
          styled(import('../instruments/text/text-check/panel.ts')).then(
            (m) => m.createTextCheckPanel,
          ),
        )
      : createNothing,
    'text-link': SITE
      ? lazily(() => import('../instruments/share/text-link.ts').then((m) => m.createTextLink))
      : createNothing,
    settings: createSettings,
    model: createModel,
  },
  run: {
    notice: createNotice,
    run: createRun,
    past: TRACES
      ? lazily(() => styled(import('../instruments/past/panel.ts')).then((m) => m.createPast))
      : createNothing,
    samples: createSamplesPanel,
    card: SITE
      ? whenAsked(() => import('../instruments/card/panel.ts').then((m) => m.createCard))
      : createNothing,
    ask: createAsk,
    loss: createLoss,
    'after-run': ADVICE
      ? lazily(() =>
          styled(import('../instruments/after-run/panel.ts')).then((m) => m.createAfterRun),
        )
      : createNothing,
    plan: createPlan,
    receipt: createLessonReceipt,
  },
  inside: { attention: createAttention },
} as const satisfies Readonly<Record<string, Readonly<Record<string, CreatePanel>>>>;

/** Panels that show how a run goes: while it trains, what it tells wakes these alone. */
export const FOLLOWING: ReadonlySet<string> = new Set([
  'run',
  'past',
  'loss',
  'samples',
  'attention',
  TAB_SECTION,
  'tour',
]);

/** Sections that instruments give to the report of a run, in its order. */
export const loadSections = (): Promise<readonly MakeSection[]> =>
  Promise.all([
    import('../instruments/samples/report-section.ts').then((m) => m.samplesSection),
    import('../instruments/attention/report-section.ts').then((m) => m.attentionSection),
    ...(TRACES
      ? [
          import('../instruments/past/report-section.ts').then((m) => m.pastSection),
          import('../instruments/copied/report-section.ts').then((m) => m.copiedSection),
        ]
      : []),
  ]);

/** What needs the documentation. */
const MODEL_PANELS: readonly TabPanel[] = SITE
  ? [
      {
        id: PARTS_TAB,
        group: 'understand',
        title: 'parts.title',
        load: () =>
          import('../instruments/model-parts/panel.ts').then((m) => m.createModelPartsPanel),
        preload: async (lang) => {
          const { loadEntries } = await import('../instruments/model-parts/docs-entries.ts');
          await Promise.all([loadEntries(lang), document.fonts.load("1em 'Docs Math'")]);
        },
      },
    ]
  : [];

/** What needs the module for questions. */
const TRACED_PANELS: readonly TabPanel[] = TRACES
  ? [
      {
        id: 'moments',
        group: 'understand',
        title: 'moments.title',
        load: () =>
          styled(import('../instruments/moments/moments.tsx')).then((m) => m.createMoments),
      },
      {
        id: 'copied',
        group: 'understand',
        title: 'copied.title',
        load: () => styled(import('../instruments/copied/copied.tsx')).then((m) => m.createCopied),
      },
    ]
  : [];

/** What needs the whole model, and so is not in the smallest form. */
const EMBEDDINGS_PANELS: readonly TabPanel[] = TRACES
  ? [
      {
        id: 'embeddings',
        group: 'understand',
        title: 'plane.title',
        load: () =>
          styled(import('../instruments/embeddings/embeddings.tsx')).then(
            (m) => m.createEmbeddings,
          ),
      },
    ]
  : [];

/** What needs the kept runs. */
const RUNS_PANELS: readonly TabPanel[] = SITE
  ? [
      {
        id: 'runs',
        group: 'keep',
        title: 'runs.title',
        load: async () => {
          const [{ createRuns }, { receiptBelow }] = await Promise.all([
            styled(import('../instruments/runs/runs.tsx')),
            import('../instruments/receipt/receipt.tsx'),
          ]);
          return createRuns(receiptBelow('h3'));
        },
        site: true,
      },
    ]
  : [];

/** What needs the other forms beside the page. */
const SHARE_PANELS: readonly TabPanel[] = SITE
  ? [
      {
        id: 'share',
        group: 'keep',
        title: 'share.title',
        load: () => styled(import('../instruments/share/panel.ts')).then((m) => m.createShare),
        site: true,
      },
    ]
  : [];

/** What the tabs are for, group by group. */
export const TAB_GROUPS: readonly TabGroup[] = ['play', 'understand', 'keep'];

/** The tabs, from left to right. */
export const TAB_PANELS: readonly TabPanel[] = [
  {
    id: 'write',
    group: 'play',
    title: 'write.title',
    load: () =>
      styled(import('../instruments/write/panel.ts')).then((m) => m.createTokenWriterPanel),
  },
  {
    id: 'tokens',
    group: 'play',
    title: 'tokens.title',
    load: () => styled(import('../instruments/tokens/tokens.tsx')).then((m) => m.createTokens),
  },
  ...MODEL_PANELS,
  {
    // What the column above shows, with more room.
    id: ATTENTION_TAB,
    group: 'understand',
    title: 'attention.title',
    load: () => Promise.resolve(createAttentionWide),
  },
  ...EMBEDDINGS_PANELS,
  ...TRACED_PANELS,
  {
    id: 'merges',
    group: 'understand',
    title: 'merges.title',
    load: () => styled(import('../instruments/merges/merges.tsx')).then((m) => m.createMerges),
  },
  {
    id: 'twin',
    group: 'understand',
    title: 'twin.title',
    changes: 'settings',
    load: () => styled(import('../instruments/twin/panel.ts')).then((m) => m.createTwin),
  },
  ...RUNS_PANELS,
  {
    id: 'take-away',
    group: 'keep',
    title: 'take.title',
    load: () =>
      styled(import('../instruments/take-away/take-away.tsx')).then((m) => m.createTakeAway),
    preload: loadSections,
  },
  ...SHARE_PANELS,
];
