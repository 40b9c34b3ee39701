/**
 * English, area by area: what the first screen says. The keys of this catalogue are the keys of every
 * catalogue.
 */
import { app } from './en/app.ts';
import { ask } from './en/ask.ts';
import { attention } from './en/attention.ts';
import { embed } from './en/embed.ts';
import { errors } from './en/errors.ts';
import { glossary } from './en/glossary.ts';
import { links } from './en/links.ts';
import { loss } from './en/loss.ts';
import { model } from './en/model.ts';
import { notice } from './en/notice.ts';
import { plan } from './en/plan.ts';
import { run } from './en/run.ts';
import { samples } from './en/samples.ts';
import { settings } from './en/settings.ts';
import { text } from './en/text.ts';

export const en = {
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
} as const satisfies Readonly<Record<string, string>>;
