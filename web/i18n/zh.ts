/** Simplified Chinese, area by area. */
import type { Catalogue } from './index.ts';
import { app } from './zh/app.ts';
import { ask } from './zh/ask.ts';
import { attention } from './zh/attention.ts';
import { doctor } from './zh/doctor.ts';
import { embed } from './zh/embed.ts';
import { errors } from './zh/errors.ts';
import { glossary } from './zh/glossary.ts';
import { loss } from './zh/loss.ts';
import { merges } from './zh/merges.ts';
import { model } from './zh/model.ts';
import { parts } from './zh/parts.ts';
import { plan } from './zh/plan.ts';
import { receipt } from './zh/receipt.ts';
import { run } from './zh/run.ts';
import { runs } from './zh/runs.ts';
import { samples } from './zh/samples.ts';
import { settings } from './zh/settings.ts';
import { share } from './zh/share.ts';
import { takeAway } from './zh/take-away.ts';
import { text } from './zh/text.ts';
import { tokens } from './zh/tokens.ts';
import { tour } from './zh/tour.ts';

export const zh: Catalogue = {
  ...app,
  ...text,
  ...model,
  ...settings,
  ...parts,
  ...plan,
  ...run,
  ...runs,
  ...receipt,
  ...loss,
  ...samples,
  ...ask,
  ...attention,
  ...tokens,
  ...embed,
  ...share,
  ...merges,
  ...takeAway,
  ...glossary,
  ...doctor,
  ...errors,
  ...tour,
};
