/**
 * A message for a notebook's kernel: JSON, with files and lists of numbers as buffers beside it.
 * `{ buffer: 0, type: 'Float32Array' }` stands for the first of them.
 */
export interface Buffered {
  readonly content: unknown;
  readonly buffers: ArrayBuffer[];
}

export async function withBuffers(message: unknown): Promise<Buffered> {
  const buffers: ArrayBuffer[] = [];
  const put = (bytes: ArrayBuffer, type: string): object => ({
    buffer: buffers.push(bytes) - 1,
    type,
  });
  const convert = async (value: unknown): Promise<unknown> => {
    if (value instanceof Blob) return put(await value.arrayBuffer(), 'Blob');
    if (ArrayBuffer.isView(value)) {
      const { buffer, byteOffset, byteLength, constructor } = value;
      return put(
        buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer,
        constructor.name,
      );
    }
    if (Array.isArray(value)) return Promise.all(value.map(convert));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(async ([name, one]) => [name, await convert(one)]);
    return Object.fromEntries((await Promise.all(members)) as [string, unknown][]);
  };
  return { content: await convert(message), buffers };
}
