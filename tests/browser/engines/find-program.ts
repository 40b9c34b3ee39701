/** Finds programs that the tests start, in /usr/bin and along PATH. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the path of the first program found, or null; a name with a slash is a path. */
export function findProgram(...names: readonly string[]): string | null {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(':')];
  const places = names.flatMap((name) =>
    name.includes('/') ? [name] : folders.map((folder) => join(folder, name)),
  );
  return places.find((place) => existsSync(place)) ?? null;
}

/** Returns the path in an environment variable if set, otherwise searches the names. */
export function findNamed(variable: string, ...names: readonly string[]): string | null {
  const named = process.env[variable];
  return named !== undefined && named !== '' ? named : findProgram(...names);
}
