/** English, area by area: what panels say that come after the first screen. */
import { ADVICE, SITE, TOUR, TRACES } from '../base/form.ts';
import { after } from '../instruments/after-run/words/en.ts';
import { copied } from '../instruments/copied/words/en.ts';
import { embeddings } from '../instruments/embeddings/words/en.ts';
import { card } from '../instruments/card/words/en.ts';
import { textCheck } from '../instruments/text/text-check/words/en.ts';
import { fit } from '../instruments/text/fit/words/en.ts';
import { merges } from '../instruments/merges/words/en.ts';
import { moments } from '../instruments/moments/words/en.ts';
import { origin } from '../instruments/model-parts/words/en-origin.ts';
import { parts } from '../instruments/model-parts/words/en.ts';
import { past } from '../instruments/past/words/en.ts';
import { receipt } from '../instruments/receipt/words/en.ts';
import { runs } from '../instruments/runs/words/en.ts';
import { share } from '../instruments/share/words/en.ts';
import { takeAway } from '../instruments/take-away/words/en.ts';
import { tokens } from '../instruments/tokens/words/en.ts';
import { tokensMore } from '../instruments/tokens/words/en-more.ts';
import { tour } from '../instruments/tour/words/en.ts';
import { writer } from '../instruments/write/words/en.ts';
import { twin } from '../instruments/twin/words/en.ts';
import { twinMore } from '../instruments/twin/words/en-more.ts';

export const enLater = {
  ...tokens,
  ...writer,
  ...((SITE && parts) as typeof parts),
  ...((SITE && origin) as typeof origin),
  ...merges,
  ...((TRACES && past) as typeof past),
  ...((TRACES && moments) as typeof moments),
  ...((TRACES && copied) as typeof copied),
  ...((TRACES && embeddings) as typeof embeddings),
  ...((TRACES && twinMore) as typeof twinMore),
  ...((TRACES && tokensMore) as typeof tokensMore),
  ...twin,
  ...takeAway,
  ...((SITE && runs) as typeof runs),
  ...((SITE && share) as typeof share),
  ...((SITE && card) as typeof card),
  ...receipt,
  ...fit,
  ...((TOUR && tour) as typeof tour),
  ...((ADVICE && textCheck) as typeof textCheck),
  ...((ADVICE && after) as typeof after),
} as const satisfies Readonly<Record<string, string>>;
