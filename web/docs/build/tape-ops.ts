/** The ops on the tape, read off the engine's own list. */
import type { CSource } from './c-source.ts';

export interface TapeOp {
  readonly name: string;
  /** The C function that the engine names to viewers. */
  readonly forward: string;
  /** Null for views. */
  readonly backward: string | null;
}

/** The ops of TAPE_OPS in its order. Throws when an op is declared but not in the list. */
export function tapeOps(code: CSource): TapeOp[] {
  const text = [...code.files]
    .filter(([file]) => /^tape\/ops.*\.c$/.test(file))
    .map(([, lines]) => lines.join('\n'))
    .join('\n');
  const declared = new Map<string, TapeOp>();
  const pattern = /\btape_op (\w+) = \{\s*"(\w+)",\s*"(\w+)",\s*(\w+),\s*(\w+),\s*\w+\s*\};/g;
  for (const [, symbol, name, forward, , backward] of text.matchAll(pattern)) {
    const back = backward === 'NULL' ? null : backward!;
    declared.set(symbol!, { name: name!, forward: forward!, backward: back });
  }
  const list = /\bTAPE_OPS\[\] = \{([\s\S]*?)\};/.exec(text)?.[1] ?? '';
  const ops = [...list.matchAll(/&(\w+)/g)].map(([, symbol]) => {
    const op = declared.get(symbol!);
    if (op === undefined) throw new Error(`TAPE_OPS holds ${symbol!}, which is not declared`);
    declared.delete(symbol!);
    return op;
  });
  const [left] = declared.keys();
  if (left !== undefined) throw new Error(`${left} is an op, but not in TAPE_OPS`);
  if (ops.length === 0) throw new Error('no TAPE_OPS in c/tape');
  return ops;
}
