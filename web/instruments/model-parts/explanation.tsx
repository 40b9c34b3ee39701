/**
 * What a part of the model does: plain words first, and in a place of their own its formulas
 * forward and backward with the shapes of the symbols, and the C functions that compute it. The
 * build made the markup from the documentation.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Excerpt, ShownEntry } from '../../docs/shown-entry.ts';
import type { AllWords } from '../../i18n/index.ts';
import { setHtml } from '../../kit/trusted-html.ts';
import type { ModelPart } from '../../store/training/architecture.ts';
import { KeptFold, useWords } from '../component.tsx';

export interface Explanation {
  readonly entry: ShownEntry;
  /** Classes of words and formulas that are not about this part. */
  readonly lacks: readonly string[];
  /** Lengths in this model, by the letter that stands for each in shapes. */
  readonly sizes: Readonly<Record<string, number>>;
}

/** Biases and gains that the part has not; the documentation marks what it says of them. */
export function lacksOf({ entry, parameters }: ModelPart): string[] {
  const has = (kind: string): boolean => parameters.some(({ name }) => name.endsWith(`.${kind}`));
  const isNorm = entry === 'layernorm' || entry === 'rmsnorm';
  return [...(has('bias') ? [] : ['if-bias']), ...(isNorm && !has('weight') ? ['if-gain'] : [])];
}

/** The words, as tall as with all that may be said: a choice below must not move. */
export function PlainWords({ entry, lacks }: Explanation) {
  const words = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = words.current!;
    box.style.minHeight = '';
    box.replaceChildren(nodesOf(entry.words, entry, []));
    box.style.minHeight = `${String(box.offsetHeight)}px`;
    box.replaceChildren(nodesOf(entry.words, entry, lacks));
  }, [entry, lacks.join()]);
  return <div ref={words} class="part-words" />;
}

/** Formulas, shapes, notes and code; in a frame of their own, because they take long to draw. */
export function Formulas(newest: Explanation) {
  const words = useWords();
  const { t } = words;
  const [shown, show] = useState<Explanation | null>(null);
  useEffect(() => show(newest), [newest.entry, newest.lacks.join(), JSON.stringify(newest.sizes)]);
  return useMemo(() => {
    if (shown === null) return null;
    const { entry, lacks } = shown;
    const { id, formula, backward, notes, functions } = entry;
    return (
      <>
        <Formula label={t('parts.forward')} html={formula} of={shown} />
        {backward === null ? null : (
          <Formula label={t('parts.backward')} html={backward} of={shown} />
        )}
        <div class="part-scroll" tabIndex={0} role="group" aria-label={t('parts.symbols')}>
          <Symbols {...shown} />
        </div>
        <p class="note" data-part="part-letters">
          {lettersOf(shown, words)}
        </p>
        <KeptFold name={`parts.notes ${id}`} kind="data" title={t('parts.notes')}>
          {() => (
            <ul class="part-notes">
              {notes.map((html) => (
                <Markup key={html} tag="li" html={html} entry={entry} lacks={lacks} />
              ))}
            </ul>
          )}
        </KeptFold>
        <h4>{t('parts.source')}</h4>
        {functions.map((source) => (
          <Code key={`${id} ${source.name}`} id={id} source={source} />
        ))}
        <p>
          <a href={hrefOf(entry)} target="_blank" rel="noopener">
            {t('parts.docs')}
          </a>
        </p>
      </>
    );
  }, [shown]);
}

interface FormulaProps {
  readonly label: string;
  readonly html: string;
  readonly of: Explanation;
}

function Formula({ label, html, of: { entry, lacks } }: FormulaProps) {
  const box = { class: 'formula-box', tabIndex: 0, role: 'group', 'aria-label': label } as const;
  return (
    <figure class="part-formula">
      <figcaption>{label}</figcaption>
      <Markup {...box} tag="div" html={html} entry={entry} lacks={lacks} />
    </figure>
  );
}

function Symbols({ entry, lacks, sizes }: Explanation) {
  const { t, number } = useWords();
  return (
    <table class="part-symbols" aria-label={t('parts.symbols')}>
      <tbody>
        {entry.symbols.map(({ symbol, shape, meaning }) => {
          if (nodesOf(meaning, entry, lacks).textContent === '') return null;
          const name = nodesOf(symbol, entry, lacks).querySelector('math')?.getAttribute('alttext');
          const value = sizes[name ?? ''];
          const lengths = nodesOf(shape, entry, lacks);
          const isScalar =
            lengths.querySelector('code, math') === null && lengths.textContent !== '';
          return (
            <tr key={symbol}>
              <Markup tag="th" scope="row" html={symbol} entry={entry} lacks={lacks} />
              {isScalar && value !== undefined ? (
                <td key="value">
                  {t('parts.one.here', { number: lengths.textContent, value: number(value) })}
                </td>
              ) : (
                <Markup key="shape" tag="td" html={shape} entry={entry} lacks={lacks} />
              )}
              <Markup tag="td" html={meaning} entry={entry} lacks={lacks} />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Code({ id, source }: { readonly id: string; readonly source: Excerpt }) {
  const { t } = useWords();
  const { name, file, line, text } = source;
  const place = t('parts.source.place', { file, line: String(line) });
  return (
    <KeptFold
      name={`parts.source ${id} ${name}`}
      kind="data code"
      title={t('parts.source.of', { name, place })}
    >
      {() => (
        <pre tabIndex={0}>
          {/* Each arrow of C is an element, which no line end cuts in two. */}
          <code>
            {text.split(/(->)/).map((part) => (part === '->' ? <span>{part}</span> : part))}
          </code>
        </pre>
      )}
    </KeptFold>
  );
}

/** What the letters in the shapes stand for here. */
function lettersOf({ entry, sizes }: Explanation, { t, number }: AllWords): string {
  const used = entry.symbols
    .map(({ shape }) => shape)
    .join(' ')
    .replaceAll(/<[^>]*>/g, ' ');
  const letters = Object.keys(sizes).filter((letter) =>
    new RegExp(`(?<![A-Za-z])\\d*${letter}(?![A-Za-z])`).test(used),
  );
  if (letters.length === 0) return '';
  const list = letters.map((letter) => `${letter} = ${number(sizes[letter] ?? NaN)}`);
  return t('parts.here', { list: list.join(t('list.separator')) });
}

interface MarkupProps {
  readonly tag: 'div' | 'li' | 'th' | 'td';
  readonly html: string;
  readonly entry: ShownEntry;
  readonly lacks: readonly string[];
  readonly class?: string;
  readonly tabIndex?: number;
  readonly role?: 'group';
  readonly scope?: 'row';
  readonly 'aria-label'?: string;
}

/** An element with markup of the build. */
function Markup({ tag, html, entry, lacks, ...attributes }: MarkupProps) {
  const Tag = tag as 'div';
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    element.current!.replaceChildren(nodesOf(html, entry, lacks));
  }, [html, entry, lacks.join()]);
  return <Tag ref={element} {...attributes} />;
}

/** Nodes from markup of the build, without those that are not about the part. */
function nodesOf(html: string, entry: ShownEntry, lacks: readonly string[]): DocumentFragment {
  const made = document.createElement('template');
  setHtml(made, html);
  const href = hrefOf(entry);
  for (const link of made.content.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    link.href = new URL(link.getAttribute('href') ?? '', href).href;
    link.target = '_blank';
    link.rel = 'noopener';
  }
  for (const name of lacks) {
    for (const one of made.content.querySelectorAll(`.${name}`)) one.remove();
  }
  return made.content;
}

/** Address of the entry in the documentation. */
function hrefOf({ href }: ShownEntry): string {
  return new URL(href, document.baseURI).href;
}
