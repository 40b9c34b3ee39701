/** An element with markup of the build. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { setHtml } from './trusted-html.ts';

export interface HtmlProps {
  readonly tag: 'div' | 'span';
  readonly html: string;
  readonly class?: string;
}

export function Html({ tag, html, class: name }: HtmlProps) {
  const Tag = tag as 'div';
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => setHtml(element.current!, html), [html]);
  return <Tag ref={element} class={name} />;
}
