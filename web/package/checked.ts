/**
 * Checks the arguments of callers without types. A call with a wrong argument rejects with a
 * GlasshouseError that names what it expects.
 */
import { asError } from '../engine/errors.ts';
import type { Call } from '../engine/interface/call.ts';
import { wrongOf } from '../engine/interface/check.ts';
import type { Method } from '../engine/remote.ts';
import { CALLS } from '../engine/trainer.ts';
import type { Trainer } from '../engine/trainer.ts';

/** Adds checks to all calls of a trainer. */
export function withChecks<Checked extends Trainer>(trainer: Checked): Checked {
  for (const [name, { args }] of Object.entries(CALLS) as [Method, Call][]) {
    const unchecked = trainer[name].bind(trainer) as (...given: unknown[]) => Promise<unknown>;
    const checked = async (...given: unknown[]): Promise<unknown> => {
      const wrong = wrongOf(name, args, given);
      if (wrong !== null) throw wrong;
      // Members of objects are not checked: a wrong one may cause any error.
      return unchecked(...given).catch((thrown: unknown) => {
        throw asError(thrown);
      });
    };
    Object.assign(trainer, { [name]: checked });
  }
  const subscribe = trainer.subscribe.bind(trainer);
  trainer.subscribe = (listener) => {
    const wrong = wrongOf('subscribe', ['listener: progress'], [listener]);
    if (wrong !== null) throw wrong;
    return subscribe(listener);
  };
  return trainer;
}
