/** Returns a copy of a safetensors file with some members of its metadata replaced. */
export function withMetadata(
  file: Uint8Array,
  edits: Readonly<Record<string, object>>,
): Uint8Array<ArrayBuffer> {
  const length = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  const header = JSON.parse(Buffer.from(file.subarray(8, 8 + length)).toString()) as {
    __metadata__: Record<string, string>;
  };
  const metadata = { ...header.__metadata__ };
  for (const [key, members] of Object.entries(edits)) {
    metadata[key] = JSON.stringify({ ...(JSON.parse(metadata[key]!) as object), ...members });
  }
  const text = Buffer.from(JSON.stringify({ ...header, __metadata__: metadata }));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  return Uint8Array.from(Buffer.concat([size, text, file.subarray(8 + length)]));
}
