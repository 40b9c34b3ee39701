/** The ops on the tape, parsed from the engine's list. */
import type { CSource } from './c-source.ts';

export interface TapeOp {
  readonly name: string;
  /** Name of the C function: `tape_op.function` in c/tape/tape.h. */
  readonly forward: string;
  /** Null for views, which compute nothing. */
  readonly backward: string | null;
}

/** The ops of TAPE_OP_LIST in order, then the views; throws if the list is not found. */
export function tapeOps(code: CSource): TapeOp[] {
  const text = (file: string): string => code.files.get(file)?.join('\n') ?? '';
  const list =
    /#define TAPE_OP_LIST\(X\)((?:.*\\\n)*.*)/.exec(text('tape/ops_internal.h'))?.[1] ?? '';
  const computing = [...list.matchAll(/\bX\((\w+), \w+, \w+\)/g)].map(([, name]) => ({
    name: name!,
    forward: `${name!}_forward`,
    backward: `${name!}_backward`,
  }));
  const views = [...text('tape/ops_list.c').matchAll(/\btape_op \w+ = \{"(\w+)", "(\w+)", NULL/g)];
  const ops = [
    ...computing,
    ...views.map(([, name, forward]) => ({ name: name!, forward: forward!, backward: null })),
  ];
  if (computing.length === 0) throw new Error('no TAPE_OP_LIST in c/tape/ops_internal.h');
  return ops;
}
