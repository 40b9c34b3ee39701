// CPU time of a contender's processes, as evidence that its threads are in use.
import { readFileSync, readdirSync } from 'node:fs';

/** Linux reports CPU time in hundredths of a second, independent of the kernel's tick rate. */
const TICKS = 100;

/** Seconds of CPU time used by this process group; NaN without /proc. */
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
      continue; // the process has ended
    }
    // The name in parentheses may contain any character. After it: state, parent, group, ...
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[2]) === group) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS;
}
