/**
 * Trainers and models whose methods are made from the table of calls (`CALLS`), in place of one
 * written by hand for each: all of them go to one function, which sends them to a worker
 * (client.ts), computes them (direct.ts) or asks the model of another step (past-run.ts).
 */
import type { Call } from './interface/call.ts';
import { CALLS } from './trainer.ts';
import type { Trainer } from './trainer.ts';

/** A call of Trainer that answers with a promise. */
export type Method = keyof typeof CALLS;

export const METHODS = Object.keys(CALLS) as Method[];

/** The calls that leave a model as it is: each can be asked of any step of a run. */
export type Question = {
  [Name in Method]: (typeof CALLS)[Name] extends { readonly atAnyStep: true } ? Name : never;
}[Method];

export const QUESTIONS = METHODS.filter((name) => callOf(name).atAnyStep) as Question[];

/** The entry of a call in the table. */
export function callOf(name: Method): Call {
  return CALLS[name];
}

type Ask<Name> = (name: Name, args: readonly unknown[]) => Promise<unknown>;

/**
 * A class to create or extend: its objects have the methods `names`. Each call of one goes to `ask`,
 * which answers it.
 */
export const Remote = function (this: object, names: readonly Method[], ask: Ask<Method>): void {
  for (const name of names) {
    Object.assign(this, { [name]: (...args: readonly unknown[]) => ask(name, args) });
  }
} as unknown as new <Name extends Method>(
  names: readonly Name[],
  ask: Ask<Name>,
) => Pick<Trainer, Name>;

/** Calls a method by its name. */
export function invoke<Name extends Method>(
  target: Pick<Trainer, Name>,
  name: Name,
  args: readonly unknown[],
): Promise<unknown> {
  return (target[name] as (...given: readonly unknown[]) => Promise<unknown>)(...args);
}
