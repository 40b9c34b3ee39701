/** What was found as files for other programs. */
import type { Found } from './look.ts';

/** All of it, with all digits. */
export function foundJson({ newest, base, yardsticks }: Found): string {
  const texts = newest?.texts.map((text, at) => ({ text, runs: newest.runs[at] ?? [] })) ?? [];
  return `${JSON.stringify({ step: newest?.step ?? 0, base, texts, yardsticks }, null, 2)}\n`;
}

const COLUMNS = 'step,text,start,end,characters,is_line,count,line,place,part';

/** One row for each part that stands in the training text; quoted as RFC 4180 has it. */
export function foundCsv({ newest }: Found): string {
  const rows = (newest?.runs ?? []).flatMap((runs, at) =>
    runs.map(({ start, end, characters, isLine, count, line, place }) =>
      [
        ...[newest?.step, at + 1, start, end, characters, isLine, count, line, place],
        quoted(newest?.texts[at]?.slice(start, end) ?? ''),
      ].join(','),
    ),
  );
  return [COLUMNS, ...rows, ''].join('\r\n');
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
