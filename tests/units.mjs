// Writes a few C files that together include every given source: the units that test builds compile.
//
//     node tests/units.mjs build/sanitize/unit_{1,2,3}.c -- c/*/*.c
//
// A start of the compiler and the headers of a file take longer than the file. Sources whose own names
// clash (static functions, constants, types, macros) come into different units, so that `static` keeps
// its meaning. A clash that this script does not see is a compiler's error, never another program. A
// unit is written only when its list has changed: make compiles what has to be compiled.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const split = process.argv.indexOf('--');
const units = process.argv.slice(2, split).map((path) => ({ path, files: [], length: 0 }));

/** The text without comments, strings and characters; a macro is one line. */
const bare = (text) =>
  text
    .replace(/\/\*[^]*?\*\/|\/\/.*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, (found) =>
      found.startsWith('/') ? ' ' : '0',
    )
    .replace(/\\\n/g, ' ');

// Everything begins at the margin: clang-format sees to that.
const DEFINITIONS = [
  /^static [^;={}()]*?\b(\w+)\(/gm,
  /^static [^;(){}=]*?\b(\w+)(?:\[[^\]]*\])* *[=;,]/gm,
  /^(?:static|typedef)? ?(?:const )?(?:struct|union|enum)\b[^;{()]*\{[^}]*\}\s*(?:const )?(\w+)/gm,
  /^(?:typedef )?(?:struct|union|enum) (\w+) *\{/gm,
  /^typedef (?!(?:struct|union) \w+ \w+;)[^{]*?\b(\w+)(?:\[[^\]]*\])?;/gm,
];

const files = new Map();

/** What a file defines for itself, the macros it leaves defined, and every word in it. */
function read(path) {
  const known = files.get(path);
  if (known) return known;
  const source = readFileSync(path, 'utf8');
  const text = bare(source);
  const names = new Set(
    DEFINITIONS.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1])),
  );
  for (const [, members] of text.matchAll(/^(?:typedef )?enum[^{;()]*\{([^}]*)\}/gm)) {
    for (const [, name] of members.matchAll(/(?:^|,)\s*(\w+)/g)) names.add(name);
  }
  const macros = new Set([...text.matchAll(/^# *define (\w+)/gm)].map((match) => match[1]));
  for (const [, name] of text.matchAll(/^# *undef (\w+)/gm)) macros.delete(name);
  const headers = [...source.matchAll(/^#include "(.*)"/gm)].map((match) => `c/${match[1]}`);
  const words = new Set(text.match(/\b[A-Za-z_]\w*/g));
  const file = { path, names, macros, words, headers, length: text.length };
  files.set(path, file);
  return file;
}

/** The headers that a file includes, and those that these include. */
function headersOf(file, found = new Set()) {
  for (const path of file.headers) {
    if (found.has(path)) continue;
    found.add(path);
    headersOf(read(path), found);
  }
  return found;
}

const meet = (a, b) => a.size > 0 && [...a].some((name) => b.has(name));

/** Whether `b` cannot follow `a` in a unit. */
const hurts = (a, b) =>
  meet(a.names, b.names) ||
  meet(a.macros, b.words) ||
  a.all.some((header) => meet(header.names, b.names) || meet(header.macros, b.names));
const clash = (a, b) => hurts(a, b) || hurts(b, a);

const sources = process.argv.slice(split + 1).map((path) => {
  const file = read(path);
  return { ...file, all: [...headersOf(file)].map(read) };
});
for (const file of sources) {
  file.clashing = sources.filter((other) => other !== file && clash(file, other));
}
const freeFor = (file) =>
  units.filter((unit) => !file.clashing.some((other) => unit.files.includes(other)));

// The file with the fewest units left is the next (DSATUR); it goes into the shortest of them.
const left = new Set(sources);
while (left.size > 0) {
  const file = [...left].reduce((a, b) => {
    const order =
      freeFor(a).length - freeFor(b).length ||
      b.clashing.length - a.clashing.length ||
      b.length - a.length;
    return order > 0 ? b : a;
  });
  left.delete(file);
  const free = freeFor(file);
  if (free.length === 0) {
    console.error(`${file.path}: its static names are also those of other sources: rename some`);
    process.exit(1);
  }
  const unit = free.reduce((a, b) => (b.length < a.length ? b : a));
  unit.files.push(file);
  unit.length += file.length;
}
for (const { path, files } of units) {
  const text = files
    .map((file) => `#include "${file.path.slice('c/'.length)}"\n`)
    .sort()
    .join('');
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}
