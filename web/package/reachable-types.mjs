/**
 * Deletes the type declarations in FOLDER that no entry of the package reaches (those of the page),
 * and adds those for packages that a project may lack.
 * Run by the Makefile: node web/package/reachable-types.mjs FOLDER
 */
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const folder = process.argv[2];
const reached = new Set([
  ...['package/index.d.ts', 'package/frame.d.ts'],
  ...['embed/element.d.ts', 'embed/widget.d.ts'],
]);
for (const file of reached) {
  const text = readFileSync(join(folder, file), 'utf8');
  for (const [, target] of text.matchAll(/(?:from|import)\(? ?['"](\.[^'"]+)['"]/g)) {
    const declared = normalize(join(dirname(file), target)).replace(/\.(js|ts)$/, '.d.ts');
    if (existsSync(join(folder, declared))) reached.add(declared);
  }
}
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(join(folder, file));
}

// Not in element-types.ts, because our own compiler would look for these packages.
const frameworks = readFileSync(join(import.meta.dirname, 'frameworks.txt'));
appendFileSync(join(folder, 'embed/element-types.d.ts'), frameworks);
