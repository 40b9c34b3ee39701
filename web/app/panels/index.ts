/**
 * Every panel of the page and where it stands. To add one: write `panels/<name>.ts`, and name it here.
 * Those to look closer with are tabs below the columns; their code comes once the page is ready.
 */
import { createAsk } from './ask.ts';
import { ATTENTION_TAB, createAttention, createAttentionWide } from './attention.ts';
import { lazily } from './lazily.ts';
import { createLessonReceipt } from './lesson-receipt.ts';
import { createLoss } from './loss.ts';
import { createModel } from './model.ts';
import { createNotice } from './notice.ts';
import type { CloserPanel, CreatePanel } from './panel.ts';
import { MODEL_PANELS, SITE_PANELS } from './site-panels.ts';
import { createPlan } from './plan.ts';
import { createRun } from './run.ts';
import { createSamplesPanel } from './samples.ts';
import { createSettings } from './settings.ts';
import { createText } from './text.ts';

/** The columns from left to right, their panels from top to bottom; names are the ids of sections. */
export const COLUMNS = {
  input: {
    text: createText,
    fit: lazily(() => import('./fit.ts').then((m) => m.createFitPanel)),
    doctor: lazily(() => import('./doctor.ts').then((m) => m.createDoctorPanel)),
    model: createModel,
    settings: createSettings,
  },
  run: {
    notice: createNotice,
    run: createRun,
    after: lazily(() => import('../advice-after/panel.ts').then((m) => m.createAfterRun)),
    plan: createPlan,
    loss: createLoss,
    samples: createSamplesPanel,
    ask: createAsk,
    receipt: createLessonReceipt,
  },
  inside: { attention: createAttention },
} as const satisfies Readonly<Record<string, Readonly<Record<string, CreatePanel>>>>;

/** Tabs to look closer with, from left to right. */
export const CLOSER: readonly CloserPanel[] = [
  {
    id: 'tokens',
    title: 'tokens.title',
    load: () => import('./token-losses.ts').then((m) => m.createTokenLossesPanel),
  },
  {
    id: 'write',
    title: 'write.title',
    load: () => import('./token-writer.ts').then((m) => m.createTokenWriterPanel),
  },
  ...MODEL_PANELS,
  {
    // What the column above shows, with more room.
    id: ATTENTION_TAB,
    title: 'attention.title',
    load: () => Promise.resolve(createAttentionWide),
  },
  {
    id: 'merges',
    title: 'merges.title',
    load: () => import('./merges.ts').then((m) => m.createMerges),
  },
  {
    id: 'twin',
    title: 'twin.title',
    load: () => import('./twin.ts').then((m) => m.createTwin),
  },
  {
    id: 'take-away',
    title: 'take.title',
    load: () => import('./take-away.ts').then((m) => m.createTakeAway),
  },
  ...SITE_PANELS,
];
