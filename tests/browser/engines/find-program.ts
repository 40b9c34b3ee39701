/** Finds programs that the tests start: where systems put them, then along PATH. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The first of these programs that there is; a path counts as it is. */
export function findProgram(...names: readonly string[]): string | null {
  const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(':')];
  const places = names.flatMap((name) =>
    name.includes('/') ? [name] : folders.map((folder) => join(folder, name)),
  );
  return places.find((place) => existsSync(place)) ?? null;
}

/** A program named by an environment variable, or else found by one of its names. */
export function findNamed(variable: string, ...names: readonly string[]): string | null {
  const named = process.env[variable];
  return named !== undefined && named !== '' ? named : findProgram(...names);
}
