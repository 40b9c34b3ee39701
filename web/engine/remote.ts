/**
 * Trainers and models without a method written by hand for each call: all calls go to one function,
 * which sends them to a worker (client.ts), computes them (direct.ts) or asks the model of another
 * step (past-run.ts).
 */
import type { Names } from './interface/call.ts';
import type { CALLS, Trainer } from './trainer.ts';

/** A call of Trainer that answers with a promise. */
export type Method = Names<Trainer>;

/** The calls that leave a model as it is: each can be asked of any step of a run. */
export type Question = {
  [Name in Method]: (typeof CALLS)[Name] extends { readonly atAnyStep: true } ? Name : never;
}[Method];

/**
 * A class to create or to extend. Members that its objects do not have themselves are calls, which
 * `ask` answers. (A proxy that the constructor returns becomes the object under construction, with
 * the private fields of a class that extends this one.)
 */
export const Remote = function (
  this: object,
  ask: (name: Method, args: readonly unknown[]) => Promise<unknown>,
): object {
  return new Proxy(this, {
    get: (own, name, self) =>
      // The language looks for these two in any object.
      name in own || typeof name === 'symbol' || name === 'then' || name === 'toJSON'
        ? (Reflect.get(own, name, self) as unknown)
        : (...args: readonly unknown[]) => ask(name as Method, args),
  });
} as unknown as new <Name extends Method>(
  ask: (name: Name, args: readonly unknown[]) => Promise<unknown>,
) => Pick<Trainer, Name>;

/** Calls a method by its name. */
export function invoke<Name extends Method>(
  target: Pick<Trainer, Name>,
  name: Name,
  args: readonly unknown[],
): Promise<unknown> {
  return (target[name] as (...given: readonly unknown[]) => Promise<unknown>)(...args);
}
