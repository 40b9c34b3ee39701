// Checks a receipt with only Node and the module: an example to copy.
//
//     node tests/examples/verify.mjs receipt.json text.txt [glasshouse.wasm]
//
// Prints the result of the replay. Exit status: 0 if the receipt is true, 1 if it is false, 2 if
// the replay was not possible.
import { readFileSync } from 'node:fs';

/** An error before the end of the replay says nothing about the receipt. */
process.on('uncaughtException', ({ message }) => {
  console.error(message);
  process.exit(2);
});

const here = new URL('../../build/wasm/glasshouse.wasm', import.meta.url);
const [receiptPath, textPath, modulePath = here] = process.argv.slice(2);
if (textPath === undefined) {
  console.error('usage: node verify.mjs receipt.json text.txt [glasshouse.wasm]');
  process.exit(2);
}

const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {
  env: { emscripten_notify_memory_growth() {} },
});
const gpt = instance.exports;
gpt._initialize();
const put = (bytes) => {
  const pointer = gpt.malloc(bytes.length + 1) >>> 0;
  const memory = new Uint8Array(gpt.memory.buffer);
  memory.set(bytes, pointer);
  memory[pointer + bytes.length] = 0; // C strings end with a 0
  return pointer;
};
const read = (call, handle) => {
  const out = gpt.malloc(4096) >>> 0;
  const length = call(handle, out, 4096);
  return new TextDecoder().decode(new Uint8Array(gpt.memory.buffer, out, length));
};

const [receipt, file] = [readFileSync(receiptPath), readFileSync(textPath)];
const config = gpt.gpt_config_create(put(new TextEncoder().encode('microgpt')));
const open = (text) =>
  gpt.gpt_verify_open(config, put(receipt), receipt.length, put(text), text.length);
// Like Glasshouse, decodes UTF-8 and UTF-16 by their byte order mark, and converts line ends to LF.
// A run may also use the unchanged bytes.
const encoding = { fffe: 'utf-16le', feff: 'utf-16be' }[file.toString('hex', 0, 2)];
const lines = new TextDecoder(encoding).decode(file).replace(/\r\n|[\r\u0085\u2028\u2029]/g, '\n');
const verifier = open(new TextEncoder().encode(lines)) || open(file);
if (verifier === 0) {
  console.error(read(gpt.gpt_config_message, config));
  process.exit(2);
}
while (gpt.gpt_verify_step(verifier) === 0);
const finding = read(gpt.gpt_verify_json, verifier);
console.log(finding);
process.exitCode = JSON.parse(finding).same ? 0 : 1;
