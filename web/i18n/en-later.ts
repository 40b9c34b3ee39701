/** English, area by area: what panels say that come after the first screen. */
import { after } from './en/after.ts';
import { doctor } from './en/doctor.ts';
import { fit } from './en/fit.ts';
import { merges } from './en/merges.ts';
import { origin } from './en/origin.ts';
import { parts } from './en/parts.ts';
import { receipt } from './en/receipt.ts';
import { runs } from './en/runs.ts';
import { share } from './en/share.ts';
import { takeAway } from './en/take-away.ts';
import { tokens } from './en/tokens.ts';
import { tour } from './en/tour.ts';
import { twin } from './en/twin.ts';

export const enLater = {
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
} as const satisfies Readonly<Record<string, string>>;
