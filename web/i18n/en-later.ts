/** English, area by area: what panels say that come after the first screen. */
import { after } from '../instruments/after-run/words/en.ts';
import { doctor } from '../instruments/text/check-up/words/en.ts';
import { fit } from '../instruments/text/fit/words/en.ts';
import { merges } from '../instruments/merges/words/en.ts';
import { origin } from '../instruments/model/words/en-origin.ts';
import { parts } from '../instruments/model/words/en.ts';
import { receipt } from '../instruments/runs/words/en-receipt.ts';
import { runs } from '../instruments/runs/words/en.ts';
import { share } from '../instruments/share/words/en.ts';
import { takeAway } from '../instruments/export/words/en.ts';
import { tokens } from '../instruments/tokens/words/en.ts';
import { tour } from '../instruments/tour/words/en.ts';
import { twin } from '../instruments/twins/words/en.ts';

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
