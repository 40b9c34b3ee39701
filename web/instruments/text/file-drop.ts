/**
 * Accepts files dropped anywhere on the page or, if embedded, anywhere in the app. During the drag,
 * the panel has the class `drop`.
 */
import { useState } from 'preact/hooks';
import { useEvents } from '../../kit/use-events.ts';
import { useContainerClass, useFirstInstrument } from '../component.tsx';

export function useDrops(onDrop: (dropped: DataTransfer) => void): void {
  const { container } = useFirstInstrument();
  const [isOver, setOver] = useState(false);
  useContainerClass('drop', isOver);
  useEvents(container.getRootNode(), {
    dragover: (event) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      setOver(true);
    },
    dragleave: (event) => {
      if (event.relatedTarget === null) setOver(false);
    },
    drop: (event) => {
      setOver(false);
      if (event.dataTransfer === null || event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      onDrop(event.dataTransfer);
    },
  });
}
