/**
 * Splits a model into shards, as transformers saves large models: files of some tensors each, and
 * an index.
 */

type Entry = { dtype: string; shape: number[]; data_offsets: [number, number] };

/** The files by name: `model-00001-of-0000N.safetensors` ... and the index that names them. */
export function shardsOf(file: Uint8Array, count: number): Map<string, Uint8Array> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const begin = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, begin))) as Record<
    string,
    Entry
  >;
  const { __metadata__: metadata, ...entries } = header;
  const tensors = Object.entries(entries);
  const files = new Map<string, Uint8Array>();
  const weightMap: Record<string, string> = {};
  const five = (value: number): string => String(value).padStart(5, '0');
  for (let shard = 0; shard < count; shard++) {
    const name = `model-${five(shard + 1)}-of-${five(count)}.safetensors`;
    const [first, end] = [shard, shard + 1].map((at) => Math.floor((at * tensors.length) / count));
    const own = tensors.slice(first, end);
    const data = own.map(
      ([
        ,
        {
          data_offsets: [from, to],
        },
      ]) => file.subarray(begin + from, begin + to),
    );
    let at = 0;
    const table: Record<string, unknown> = { __metadata__: metadata ?? { format: 'pt' } };
    for (const [index, [tensor, entry]] of own.entries()) {
      const bytes = data[index]!.length;
      table[tensor] = { ...entry, data_offsets: [at, at + bytes] };
      at += bytes;
      weightMap[tensor] = name;
    }
    const text = new TextEncoder().encode(JSON.stringify(table));
    const length = new Uint8Array(8);
    new DataView(length.buffer).setBigUint64(0, BigInt(text.length), true);
    files.set(name, Buffer.concat([length, text, ...data]));
  }
  const index = { metadata: { total_size: file.length - begin }, weight_map: weightMap };
  const json = new TextEncoder().encode(JSON.stringify(index, null, 2));
  return files.set('model.safetensors.index.json', json);
}
