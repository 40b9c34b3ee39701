/** Simplified Chinese, area by area: what the first screen says. */
import { LINKS } from '../base/form.ts';
import type { Catalogue } from './index.ts';
import { app } from './zh/app.ts';
import { ask } from '../instruments/ask/words/zh.ts';
import { attention } from '../instruments/attention/words/zh.ts';
import { embed } from './zh/embed.ts';
import { errors } from './zh/errors.ts';
import { glossary } from '../instruments/glossary/words/zh.ts';
import { links } from './zh/links.ts';
import { loss } from '../instruments/loss/words/zh.ts';
import { model } from '../instruments/model/words/zh.ts';
import { notice } from '../instruments/notice/words/zh.ts';
import { plan } from '../instruments/plan/words/zh.ts';
import { run } from '../instruments/run/words/zh.ts';
import { samples } from '../instruments/samples/words/zh.ts';
import { settings } from '../instruments/settings/words/zh.ts';
import { text } from '../instruments/text/words/zh.ts';

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
  ...((LINKS && links) as typeof links),
  ...glossary,
  ...errors,
};
