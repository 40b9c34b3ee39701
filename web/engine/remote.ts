/**
 * Trainers and models without a handwritten method per call. Every call goes to one function, which
 * sends it to a worker (client.ts), computes it (direct.ts) or asks the model of another step
 * (past-run.ts).
 */
import type { Names } from './interface/call.ts';
import type { CALLS, Trainer } from './trainer.ts';

/** Names of the Trainer's asynchronous calls. */
export type Method = Names<Trainer>;

/** Calls that do not change a model, and so can be asked of any step of a run. */
export type Question = {
  [Name in Method]: (typeof CALLS)[Name] extends { readonly atAnyStep: true } ? Name : never;
}[Method];

/**
 * Base class. Members that an object does not have itself are calls, passed to `ask`. (The proxy
 * that the constructor returns becomes the new object, with the private fields of a subclass.)
 */
export const Remote = function (
  this: object,
  ask: (name: Method, args: readonly unknown[]) => Promise<unknown>,
): object {
  return new Proxy(this, {
    get: (own, name, self) =>
      // The language looks these two up in any object (`await`, JSON.stringify).
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
