/** Simplified Chinese, area by area: what the first screen says. */
import type { Catalogue } from './index.ts';
import { app } from './zh/app.ts';
import { ask } from './zh/ask.ts';
import { attention } from './zh/attention.ts';
import { embed } from './zh/embed.ts';
import { errors } from './zh/errors.ts';
import { glossary } from './zh/glossary.ts';
import { links } from './zh/links.ts';
import { loss } from './zh/loss.ts';
import { model } from './zh/model.ts';
import { notice } from './zh/notice.ts';
import { plan } from './zh/plan.ts';
import { run } from './zh/run.ts';
import { samples } from './zh/samples.ts';
import { settings } from './zh/settings.ts';
import { text } from './zh/text.ts';

export const zh: Catalogue = {
  ...app,
  ...text,
  ...model,
  ...settings,
  ...plan,
  ...run,
  ...notice,
  ...loss,
  ...samples,
  ...ask,
  ...attention,
  ...embed,
  ...links,
  ...glossary,
  ...errors,
};
