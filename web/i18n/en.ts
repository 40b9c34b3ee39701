/** English, area by area. The keys of this catalogue are the keys of every catalogue. */
import { app } from './en/app.ts';
import { ask } from './en/ask.ts';
import { attention } from './en/attention.ts';
import { doctor } from './en/doctor.ts';
import { embed } from './en/embed.ts';
import { errors } from './en/errors.ts';
import { glossary } from './en/glossary.ts';
import { loss } from './en/loss.ts';
import { merges } from './en/merges.ts';
import { model } from './en/model.ts';
import { parts } from './en/parts.ts';
import { plan } from './en/plan.ts';
import { receipt } from './en/receipt.ts';
import { run } from './en/run.ts';
import { runs } from './en/runs.ts';
import { samples } from './en/samples.ts';
import { settings } from './en/settings.ts';
import { share } from './en/share.ts';
import { takeAway } from './en/take-away.ts';
import { text } from './en/text.ts';
import { tokens } from './en/tokens.ts';
import { tour } from './en/tour.ts';

export const en = {
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
} as const satisfies Readonly<Record<string, string>>;
