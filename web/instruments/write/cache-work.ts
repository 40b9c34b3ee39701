/** The work of the model with and without the KV cache. */
import type { GenerationState } from '../../engine/trainer.ts';
import type { WrittenText } from './written-text.ts';

export interface CacheWork {
  /** Tokens that went through the model. */
  readonly computed: number;
  /** Multiply-adds with the cache. */
  readonly work: number;
  readonly workWithout: number;
}

/** The work of the call that returned this state. */
export function cacheWork({ cache }: GenerationState): CacheWork {
  const { computed, multiplyAdds: work, multiplyAddsWithoutCache: workWithout } = cache;
  return { computed, work, workWithout };
}

/** The work of the last step that computed something; a token that ends the text does not. */
export function lastWork({ now, began, tokens }: WrittenText): CacheWork {
  if (now.cache.computed > 0 || now.reread) return cacheWork(now);
  return [...tokens].reverse().find(({ computed }) => computed > 0) ?? began;
}

/** Multiply-adds for the prompt and the present tokens, with the cache and without. */
export function totalWork({ began, tokens }: WrittenText): readonly [number, number] {
  const steps = [began, ...tokens];
  return [
    steps.reduce((sum, { work }) => sum + work, 0),
    steps.reduce((sum, { workWithout }) => sum + workWithout, 0),
  ];
}
