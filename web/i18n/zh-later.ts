/** Simplified Chinese, area by area: what panels say that come after the first screen. */
import type { Translation } from './index.ts';
import type { enLater } from './en-later.ts';
import { after } from './zh/after.ts';
import { doctor } from './zh/doctor.ts';
import { fit } from './zh/fit.ts';
import { merges } from './zh/merges.ts';
import { origin } from './zh/origin.ts';
import { parts } from './zh/parts.ts';
import { receipt } from './zh/receipt.ts';
import { runs } from './zh/runs.ts';
import { share } from './zh/share.ts';
import { takeAway } from './zh/take-away.ts';
import { tokens } from './zh/tokens.ts';
import { tour } from './zh/tour.ts';
import { twin } from './zh/twin.ts';

export const zhLater: Translation<typeof enLater> = {
  ...tokens,
  ...parts,
  ...origin,
  ...merges,
  ...twin,
  ...takeAway,
  ...runs,
  ...share,
  ...receipt,
  ...doctor,
  ...fit,
  ...tour,
  ...after,
};
