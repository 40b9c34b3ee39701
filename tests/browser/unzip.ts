/** Extracts the files of an uncompressed ZIP archive (APPNOTE.TXT, section 4.3). */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06'));
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let entry = archive.readUInt16LE(end + 10); entry > 0; entry--) {
    const [method, size, length] = [
      archive.readUInt16LE(at + 10),
      archive.readUInt32LE(at + 24),
      archive.readUInt16LE(at + 28),
    ];
    if (method !== 0) throw new Error(`entries of method ${String(method)} are not read here`);
    const local = archive.readUInt32LE(at + 42);
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + length);
    files.set(name, archive.subarray(begin, begin + size));
    at += 46 + length + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return files;
}
