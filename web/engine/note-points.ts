/**
 * Validation losses in the note of a checkpoint, whose tensors contain training losses only. The
 * note is free text of the client; if it is a JSON object, the losses are one more member, which
 * other readers skip.
 */
import type { ValidationPoint } from './trainer.ts';

/** Name of the member, a list of [step, loss]. */
const MEMBER = 'validations';

/**
 * Adds `points` to a note as MEMBER. The note is unchanged if it is no JSON object, or if `points`
 * is empty.
 */
export function noteWithPoints(note: string, points: readonly ValidationPoint[]): string {
  const members = membersOf(note);
  if (members === null || points.length === 0) return note;
  return JSON.stringify({ ...members, [MEMBER]: points.map(({ step, loss }) => [step, loss]) });
}

/** The points in a note; empty if the member is missing, malformed or goes beyond step `last`. */
export function pointsOfNote(note: string, last: number): ValidationPoint[] {
  const listed = membersOf(note)?.[MEMBER];
  if (!Array.isArray(listed)) return [];
  const points: ValidationPoint[] = [];
  for (const entry of listed as readonly unknown[]) {
    const [step, loss] = Array.isArray(entry) ? (entry as readonly unknown[]) : [];
    const after = points.at(-1)?.step ?? 0;
    if (typeof step !== 'number' || typeof loss !== 'number') return [];
    if (!Number.isInteger(step) || step <= after || step > last) return [];
    points.push({ step, loss });
  }
  return points;
}

function membersOf(note: string): Record<string, unknown> | null {
  try {
    const read: unknown = JSON.parse(note);
    const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
    return isObject ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
