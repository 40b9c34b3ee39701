// Writes rows to the results file; a run replaces the rows of the engines it measured.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

export function saveRows(file, rows) {
  const measured = new Set(rows.map(({ engine }) => engine));
  const old = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const kept = old.filter(({ engine }) => !measured.has(engine));
  writeFileSync(file, `${JSON.stringify([...kept, ...rows], null, 1)}\n`);
}
