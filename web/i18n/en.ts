/**
 * English, area by area: what the first screen says. The keys of this catalogue are the keys of
 * every catalogue.
 */
import { LINKS } from '../base/form.ts';
import { app } from './en/app.ts';
import { ask } from '../instruments/ask/words/en.ts';
import { attention } from '../instruments/attention/words/en.ts';
import { embed } from './en/embed.ts';
import { errors } from './en/errors.ts';
import { glossary } from '../instruments/glossary/words/en.ts';
import { links } from './en/links.ts';
import { loss } from '../instruments/loss/words/en.ts';
import { model } from '../instruments/model/words/en.ts';
import { notice } from '../instruments/notice/words/en.ts';
import { plan } from '../instruments/plan/words/en.ts';
import { run } from '../instruments/run/words/en.ts';
import { samples } from '../instruments/samples/words/en.ts';
import { settings } from '../instruments/settings/words/en.ts';
import { text } from '../instruments/text/words/en.ts';

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
  ...((LINKS && links) as typeof links),
  ...glossary,
  ...errors,
} as const satisfies Readonly<Record<string, string>>;
