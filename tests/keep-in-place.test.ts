/** `keepInPlace`: an element keeps its place on the screen when content above it changes height. */
import { afterEach, expect, test, vi } from 'vitest';
import { keepInPlace } from '../web/kit/dom.ts';

/** A page with an element on the screen and, above it, content that can shrink by 100 pixels. */
function stage() {
  const page = { above: 900, scrolled: 700 };
  const frames: (() => void)[] = [];
  vi.stubGlobal('scrollBy', ({ top }: { top: number }) => {
    page.scrolled += top;
  });
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  const top = (): number => page.above - page.scrolled;
  const element = { getBoundingClientRect: () => ({ top: top() }) } as Element;
  const shrink = (): void => {
    page.above -= 100;
  };
  return { page, element, top, shrink, frame: () => frames.shift()?.() };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

test('in a browser that holds nothing by itself', () => {
  const { element, top, shrink, frame } = stage();
  keepInPlace(element, shrink);
  expect(top()).toBe(200);
  frame();
  expect(top()).toBe(200);
});

test('in a browser that holds it too, with its next frame', () => {
  const { page, element, top, shrink, frame } = stage();
  keepInPlace(element, shrink);
  page.scrolled -= 100;
  frame();
  expect(top()).toBe(200);
});

test('and a reader who scrolls before that frame is not pulled back', () => {
  const { page, element, shrink, frame } = stage();
  keepInPlace(element, shrink);
  page.scrolled = 0;
  frame();
  expect(page.scrolled).toBe(0);
});

test('and where nothing moves, nothing is scrolled: that would end a smooth scroll', () => {
  const { element } = stage();
  const scroll = vi.fn();
  vi.stubGlobal('scrollBy', scroll);
  keepInPlace(element, () => undefined);
  expect(scroll).not.toHaveBeenCalled();
});
