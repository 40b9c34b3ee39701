/** Simplified Chinese, area by area: what panels say that come after the first screen. */
import { ADVICE, SITE, TOUR, TRACES } from '../base/form.ts';
import type { Translation } from './index.ts';
import type { enLater } from './en-later.ts';
import { after } from '../instruments/after-run/words/zh.ts';
import { copied } from '../instruments/copied/words/zh.ts';
import { embeddings } from '../instruments/embeddings/words/zh.ts';
import { card } from '../instruments/card/words/zh.ts';
import { textCheck } from '../instruments/text/text-check/words/zh.ts';
import { fit } from '../instruments/text/fit/words/zh.ts';
import { merges } from '../instruments/merges/words/zh.ts';
import { moments } from '../instruments/moments/words/zh.ts';
import { origin } from '../instruments/model-parts/words/zh-origin.ts';
import { parts } from '../instruments/model-parts/words/zh.ts';
import { past } from '../instruments/past/words/zh.ts';
import { receipt } from '../instruments/receipt/words/zh.ts';
import { runs } from '../instruments/runs/words/zh.ts';
import { share } from '../instruments/share/words/zh.ts';
import { takeAway } from '../instruments/take-away/words/zh.ts';
import { tokens } from '../instruments/tokens/words/zh.ts';
import { tokensMore } from '../instruments/tokens/words/zh-more.ts';
import { tour } from '../instruments/tour/words/zh.ts';
import { writer } from '../instruments/write/words/zh.ts';
import { twin } from '../instruments/twin/words/zh.ts';
import { twinMore } from '../instruments/twin/words/zh-more.ts';

export const zhLater: Translation<typeof enLater> = {
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
};
