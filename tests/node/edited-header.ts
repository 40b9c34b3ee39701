/** Files of safetensors whose header says something else. */

/** The file with these members in the JSON of its metadata, such as `glasshouse.state`. */
export function withMetadata(file: Uint8Array, edits: Readonly<Record<string, object>>): Buffer {
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
  return Buffer.concat([size, text, file.subarray(8 + length)]);
}
