/** A row of buttons that save a picture and, if available, its numbers. */
import { useEffect, useState } from 'preact/hooks';
import { fetchSavers, saversOf } from './export-picture.ts';
import type { ExportOptions } from './export-picture.ts';

export interface ExportRowProps extends ExportOptions {
  /** Visible name of the row, if its panel has several rows. */
  readonly title?: string;
}

export function ExportRow(options: ExportRowProps) {
  const { words, what, draw, title = words.t('export.title') } = options;
  const { t } = words;
  const [said, say] = useState('');
  const draws = draw !== undefined;
  useEffect(() => {
    if (draws) fetchSavers();
  }, [draws]);
  return (
    <div class="export" role="group" aria-label={`${t('export.title')} ${what}`}>
      {title}
      {saversOf(options).map(({ ending, save }) => (
        <button
          type="button"
          class="link"
          aria-label={t('export.save', { form: ending.toUpperCase(), what })}
          onClick={() => {
            say('');
            void save().then(say);
          }}
        >
          {ending.toUpperCase()}
        </button>
      ))}
      <span class="note" role="status">
        {said}
      </span>
    </div>
  );
}
