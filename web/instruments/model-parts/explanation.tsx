/**
 * Explains a part of the model: plain words, and separately formulas of the forward and backward
 * pass, the shapes of their symbols, and the C functions. The build generates the markup from the
 * documentation.
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { HTMLAttributes } from 'preact';
import type { ShownEntry } from '../../docs/shown-entry.ts';
import type { AllWords } from '../../i18n/index.ts';
import { setHtml } from '../../kit/trusted-html.ts';
import type { ModelPart } from '../../store/training/architecture.ts';
import { KeptFold, useWords } from '../component.tsx';

export interface Explanation {
  readonly entry: ShownEntry;
  /** CSS classes of elements to remove; see `lacksOf`. */
  readonly lacks: readonly string[];
  /** Lengths in this model by dimension letter. */
  readonly sizes: Readonly<Record<string, number>>;
}

/** CSS classes that mark, in the documentation, text about a bias or gain that the part lacks. */
export function lacksOf({ entry, parameters }: ModelPart): string[] {
  const has = (kind: string): boolean => parameters.some(({ name }) => name.endsWith(`.${kind}`));
  const isNorm = entry === 'layernorm' || entry === 'rmsnorm';
  return [...(has('bias') ? [] : ['if-bias']), ...(isNorm && !has('weight') ? ['if-gain'] : [])];
}

/**
 * The plain words, in a box as high as the text with nothing removed, so that the options below
 * stay in place when one of them adds or removes a bias or gain.
 */
export function PlainWords(of: Explanation) {
  const words = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = words.current!;
    box.style.minHeight = '';
    box.replaceChildren(nodesOf(of.entry.words, { ...of, lacks: [] }));
    box.style.minHeight = `${String(box.offsetHeight)}px`;
    box.replaceChildren(nodesOf(of.entry.words, of));
  }, [of.entry, of.lacks.join()]);
  return <div ref={words} class="part-words" />;
}

/** Formulas, shapes, notes and code; rendered after the rest, because they are slow to draw. */
export function Formulas(newest: Explanation) {
  const words = useWords();
  const { t } = words;
  const [shown, show] = useState<Explanation | null>(null);
  useEffect(() => show(newest), [newest.entry, newest.lacks.join(), JSON.stringify(newest.sizes)]);
  return useMemo(() => {
    if (shown === null) return null;
    const { id, formula, backward, notes, functions } = shown.entry;
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
                <Markup key={html} tag="li" html={html} of={shown} />
              ))}
            </ul>
          )}
        </KeptFold>
        <h4>{t('parts.source')}</h4>
        {functions.map(({ name, file, line, text }) => {
          const place = t('parts.source.place', { file, line: String(line) });
          const title = t('parts.source.of', { name, place });
          const key = `parts.source ${id} ${name}`;
          return (
            <KeptFold key={key} name={key} kind="data code" title={title}>
              {() => (
                <pre tabIndex={0}>
                  <code>
                    {text.split(/(->)/).map((one) => (one === '->' ? <span>{one}</span> : one))}
                  </code>
                </pre>
              )}
            </KeptFold>
          );
        })}
        <p>
          <a href={hrefOf(shown)} target="_blank" rel="noopener">
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

function Formula({ label, ...markup }: FormulaProps) {
  return (
    <figure class="part-formula">
      <figcaption>{label}</figcaption>
      <Markup tag="div" class="formula-box" tabIndex={0} role="group" label={label} {...markup} />
    </figure>
  );
}

function Symbols(of: Explanation) {
  const { t, number } = useWords();
  const rows = of.entry.symbols.map(({ symbol, shape, meaning }) => {
    if (nodesOf(meaning, of).textContent === '') return null;
    const name = nodesOf(symbol, of).querySelector('math')?.getAttribute('alttext');
    const value = of.sizes[name ?? ''];
    const lengths = nodesOf(shape, of);
    const text = lengths.textContent;
    const isScalar = lengths.querySelector('code, math') === null && text !== '';
    return (
      <tr key={symbol}>
        <Markup tag="th" scope="row" html={symbol} of={of} />
        {isScalar && value !== undefined ? (
          <td key="value">{t('parts.one.here', { number: text, value: number(value) })}</td>
        ) : (
          <Markup key="shape" tag="td" html={shape} of={of} />
        )}
        <Markup tag="td" html={meaning} of={of} />
      </tr>
    );
  });
  return (
    <table class="part-symbols" aria-label={t('parts.symbols')}>
      <tbody>{rows}</tbody>
    </table>
  );
}

/** Lists the lengths of the letters used in the shapes; empty for none. */
function lettersOf({ entry, sizes }: Explanation, { t, number }: AllWords): string {
  const shapes = entry.symbols.map(({ shape }) => shape.replaceAll(/<[^>]*>/g, ' ')).join(' ');
  const letters = Object.keys(sizes).filter((letter) =>
    new RegExp(`(?<![A-Za-z])\\d*${letter}(?![A-Za-z])`).test(shapes),
  );
  if (letters.length === 0) return '';
  const list = letters.map((letter) => `${letter} = ${number(sizes[letter] ?? NaN)}`);
  return t('parts.here', { list: list.join(t('list.separator')) });
}

interface MarkupProps extends Pick<HTMLAttributes, 'class' | 'tabIndex' | 'role'> {
  readonly tag: 'div' | 'li' | 'th' | 'td';
  readonly html: string;
  readonly of: Explanation;
  readonly scope?: 'row';
  readonly label?: string;
}

/** An element with generated markup. */
function Markup({ tag, html, of, label, ...attributes }: MarkupProps) {
  const Tag = tag as 'div';
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    element.current!.replaceChildren(nodesOf(html, of));
  }, [html, of.entry, of.lacks.join()]);
  return <Tag ref={element} aria-label={label} {...attributes} />;
}

/** Nodes of generated markup, without content that does not apply to the part. */
function nodesOf(html: string, of: Explanation): DocumentFragment {
  const made = document.createElement('template');
  setHtml(made, html);
  for (const link of made.content.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    link.href = new URL(link.getAttribute('href') ?? '', hrefOf(of)).href;
    link.target = '_blank';
    link.rel = 'noopener';
  }
  const lacked = of.lacks.flatMap((name) => [...made.content.querySelectorAll(`.${name}`)]);
  for (const one of lacked) one.remove();
  return made.content;
}

/** URL of the entry in the documentation. */
function hrefOf({ entry }: Explanation): string {
  return new URL(entry.href, document.baseURI).href;
}
