/** The KV cache during writing: filled rows of keys and values per layer, and the work saved. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CacheFacts, Token } from '../../engine/trainer.ts';
import { docsLang } from '../../i18n/index.ts';
import type { AllWords } from '../../i18n/index.ts';
import { textWidth } from '../../kit/picture-key.ts';
import { useResize } from '../../kit/resize.ts';
import { axisMarks } from '../../kit/row-labels.ts';
import { useInstrument, useWords } from '../component.tsx';
import { lastWork, totalWork } from './cache-work.ts';
import type { CacheWork } from './cache-work.ts';
import type { WrittenText } from './written-text.ts';

/** Maximum number of layers drawn; a sentence gives the number of all. */
const LAYERS = 8;
/** Maximum number of positions with lines between them and tokens above them. */
const SEPARATE = 64;
/** Font sizes in CSS pixels: the one that `textWidth` assumes, and that of token names. */
const LETTER = { counted: 13, size: 11 };

export function CachePicture({ text }: { readonly text: WrittenText }) {
  const { words, site } = useInstrument();
  const { t, number } = words;
  const rows = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const measure = (): void =>
    setWidth(rows.current?.querySelector('.cache-track')?.clientWidth ?? 0);
  useLayoutEffect(measure, []);
  useResize(measure);
  const { cache, context, refilled, reread } = text.now;
  const { capacity, layers } = cache;
  const work = lastWork(text);
  const computed = Math.min(work.computed, cache.rows);
  const tracks = { filled: context.length - computed, computed, capacity };
  return (
    <div class="write-cache">
      <p class="note">
        {t('write.cache.lead')}{' '}
        {site === null ? null : (
          <a href={new URL(`docs/${docsLang(words.lang)}/kv-cache.html`, site).href} {...ELSEWHERE}>
            {t('write.cache.more')}
          </a>
        )}
      </p>
      <div class="cache-picture">
        <TokenNames context={context} capacity={capacity} width={width} />
        <div ref={rows} class="cache-rows" aria-hidden="true">
          {Array.from({ length: Math.min(layers, LAYERS) }, (_, layer) => (
            <div key={layer} class="cache-layer">
              <span class="cache-name">{t('write.cache.layer', { layer: layer + 1 })}</span>
              <Track title={t('write.cache.keys')} {...tracks} />
              <Track title={t('write.cache.values')} {...tracks} />
            </div>
          ))}
          {layers > LAYERS ? <div class="stamp">…</div> : null}
        </div>
        <div class="legend" aria-hidden="true">
          <span class="cache-key new">{t('write.cache.new', { count: number(computed) })}</span>
          <span class="cache-key old">{t('write.cache.old')}</span>
          <span class="cache-key free">{t('write.cache.free')}</span>
        </div>
        <p class="summary">{filledText(cache, context.length, words)}</p>
        {refilled || reread ? (
          <p class="note cache-event">
            {refilled ? t('write.cache.refilled', { count: computed }) : t('write.cache.reread')}
          </p>
        ) : null}
        <WorkTable last={work} total={totalWork(text)} />
      </div>
    </div>
  );
}

const ELSEWHERE = { target: '_blank', rel: 'noopener' };

interface TokenNamesProps {
  readonly context: readonly Token[];
  readonly capacity: number;
  /** Width of all positions, in CSS pixels. */
  readonly width: number;
}

/** Token names above their positions; null if the positions are too narrow. */
function TokenNames({ context, capacity, width }: TokenNamesProps) {
  const marks = capacity > SEPARATE ? [] : axisMarks(context, true);
  let least = Infinity;
  const names = marks.map(({ label, start, end }) => {
    const room = ((end - start) * width) / capacity;
    const long = Array.from(label).length > 1 && widthOf(label) > room;
    // An ellipsis replaces bytes of an incomplete character; the status names them.
    const shown = long && context[start]?.kind === 'bytes' ? '…' : label;
    const onEnd = long && shown === label;
    least = Math.min(least, room / (onEnd ? LETTER.size : widthOf(shown)));
    const gridColumn = `${String(start + 1)} / ${String(end + 1)}`;
    return (
      <span key={start} class={onEnd ? 'on-end' : ''} style={{ gridColumn }}>
        {shown}
      </span>
    );
  });
  if (capacity > SEPARATE || least < 1) return null;
  return (
    <div class="cache-tokens" aria-hidden="true" style={{ '--cells': String(capacity) }}>
      {names}
    </div>
  );
}

/** Width of a token name, in CSS pixels. */
function widthOf(text: string): number {
  return (textWidth(text) * LETTER.size) / LETTER.counted;
}

interface TrackProps {
  readonly title: string;
  /** Number of rows that were filled before the last step. */
  readonly filled: number;
  /** Number of rows that the last step computed. */
  readonly computed: number;
  readonly capacity: number;
}

/** The keys or the values of a layer. */
function Track({ title, filled, computed, capacity }: TrackProps) {
  const share = (count: number): string => `${String((100 * count) / capacity)}%`;
  const isSeparate = capacity <= SEPARATE;
  return (
    <div class="cache-row">
      <span>{title}</span>
      <div class="cache-track" style={isSeparate ? { '--cell': share(1) } : {}}>
        <div class="cache-old" style={{ width: share(filled) }} />
        <div class="cache-new" style={{ left: share(filled), width: share(computed) }} />
        {isSeparate ? <div class="cache-lines" /> : null}
      </div>
    </div>
  );
}

function filledText(cache: CacheFacts, rows: number, { t, number, bytes }: AllWords): string {
  return t('write.cache.filled', {
    rows: number(rows),
    capacity: number(cache.capacity),
    bytes: bytes(cache.bytes),
    layers: number(cache.layers),
    channels: number(cache.channels),
  });
}

interface WorkTableProps {
  readonly last: CacheWork;
  /** Multiply-adds with the cache and without. */
  readonly total: readonly [number, number];
}

function WorkTable({ last: { work, workWithout }, total: [sum, sumWithout] }: WorkTableProps) {
  const { t, number, percent } = useWords();
  const share = percent(Math.max(0, 1 - sum / Math.max(1, sumWithout)));
  const most = Math.max(1, work, workWithout);
  const rows = [
    { title: t('write.work.with'), count: work },
    { title: t('write.work.without'), count: workWithout },
  ];
  return (
    <>
      <table class="work">
        <caption>{t('write.work')}</caption>
        <tbody>
          {rows.map(({ title, count }) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              <td>
                <span class="track" aria-hidden="true">
                  <span class="bar" style={{ width: `${String((100 * count) / most)}%` }} />
                </span>
              </td>
              <td>{number(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="summary">
        {t('write.work.saved', { with: number(sum), without: number(sumWithout), share })}
      </p>
    </>
  );
}
