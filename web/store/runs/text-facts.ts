/** What is kept of a text beside its bytes: above all its key, computed once for each. */
import { sha256 } from '../sha256.ts';
import { randomId } from '../storage.ts';
import type { KeptText } from '../text/text-source.ts';
import type { TextFacts } from './run-record.ts';

const keys = new WeakMap<Blob, string>();

/** The facts of a text. */
export async function textFacts(text: KeptText): Promise<TextFacts> {
  const known = knownFacts(text);
  if (known !== null) return known;
  const key = await textKey(text.content);
  // Concurrent callers share one computation.
  const meanwhile = knownFacts(text);
  if (meanwhile !== null) return meanwhile;
  keys.set(text.content, key);
  return factsWith(text, key);
}

/** The same, where somebody has asked before; null where not. */
export function knownFacts(text: KeptText): TextFacts | null {
  const key = keys.get(text.content);
  return key === undefined ? null : factsWith(text, key);
}

function factsWith({ source, fileName, content }: KeptText, key: string): TextFacts {
  return { key, source, fileName, bytes: content.size };
}

async function textKey(content: Blob): Promise<string> {
  // Pages that are not secure have no digest: the text is kept once for each run then.
  return (await sha256(new Uint8Array(await content.arrayBuffer()))) ?? randomId();
}
