// How much the processes of a contender compute: what proves that its threads are in use.
import { readFileSync, readdirSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever its kernel's own clock. */
const TICKS = 100;

/**
 * Seconds of processor time that this group of processes has had so far; NaN where /proc is
 * missing.
 */
export function cpuSeconds(group) {
  let ids;
  try {
    ids = readdirSync('/proc').filter((id) => /^\d+$/.test(id));
  } catch {
    return NaN;
  }
  let ticks = 0;
  for (const id of ids) {
    let stat;
    try {
      stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    } catch {
      continue; // it has ended meanwhile
    }
    // The name, in parentheses, may hold anything. After it: state, parent, group, ...
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[2]) === group) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS;
}
