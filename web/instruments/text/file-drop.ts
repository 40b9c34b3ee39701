/**
 * Files that are dropped anywhere on the page or, embedded in another page, anywhere in our part of
 * it; meanwhile the panel has the class `drop`.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useContainerClass, useFirstInstrument } from '../component.tsx';

export function useDrops(onDrop: (dropped: DataTransfer) => void): void {
  const { container } = useFirstInstrument();
  const [isOver, setOver] = useState(false);
  const newest = useRef(onDrop);
  newest.current = onDrop;
  useContainerClass('drop', isOver);
  useLayoutEffect(() => {
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (event.dataTransfer === null || event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      newest.current(event.dataTransfer);
    };
    const page = container.getRootNode();
    const listeners = Object.entries({ dragover: over, dragleave: leave, drop });
    for (const [name, listen] of listeners) page.addEventListener(name, listen as EventListener);
    return () => {
      for (const [name, listen] of listeners) {
        page.removeEventListener(name, listen as EventListener);
      }
    };
  }, []);
}
