/** Names of points, in sentences and in the picture. */
import { axisLabel, spokenLabel } from '../../data/attention-data.ts';
import type { AllWords } from '../../i18n/index.ts';
import { spokenLabels } from '../../kit/row-labels.ts';
import type { Points } from './points.ts';
import { kindOf } from './token-kinds.ts';
import type { Kind } from './token-kinds.ts';

export interface Names {
  readonly spoken: readonly string[];
  readonly labels: readonly string[];
  /** Kinds of the tokens; null unless the points are the token table. */
  readonly kinds: readonly Kind[] | null;
}

export function namesOf({ tokens, matrix, shown }: Points, words: AllWords): Names {
  const { t } = words;
  if (tokens === null) {
    const places = Array.from({ length: matrix.rows }, (_, index) => index + 1);
    const spoken = places.map((place) => t('plane.position', { place }));
    return { spoken, labels: places.map(String), kinds: null };
  }
  const labels = tokens.map(axisLabel);
  if (typeof shown !== 'number') {
    const spoken = tokens.map((token) => spokenLabel(token, words));
    return { spoken, labels, kinds: tokens.map(kindOf) };
  }
  const spoken = spokenLabels(tokens, words).map((token, index) =>
    t('plane.place', { token, place: index + 1 }),
  );
  return { spoken, labels, kinds: null };
}
