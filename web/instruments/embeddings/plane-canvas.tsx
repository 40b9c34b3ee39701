/** The picture of the points, with pointer and key input. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useResize } from '../../kit/resize.ts';
import { PlanePicture } from './picture.ts';
import type { PictureData } from './picture.ts';

export interface PlaneCanvasProps extends PictureData {
  readonly isDark: boolean;
  readonly label: string;
  readonly isOnPoint: boolean;
  readonly onChoose: (index: number) => void;
  /** Called with the point under the pointer; -1 for none. */
  readonly onPoint: (index: number) => void;
}

export function PlaneCanvas(props: PlaneCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<PlanePicture | null>(null);
  const newest = useRef(props);
  newest.current = props;
  useLayoutEffect(() => {
    const made = new PlanePicture(canvas.current!, {
      isDark: () => newest.current.isDark,
      onChoose: (index) => newest.current.onChoose(index),
      onPoint: (index) => newest.current.onPoint(index),
    });
    picture.current = made;
    return () => made.destroy();
  }, []);
  useLayoutEffect(() => picture.current?.update(props));
  useResize(() => picture.current?.resize());
  return (
    <canvas
      ref={canvas}
      class={props.isOnPoint ? 'plane-canvas on-point' : 'plane-canvas'}
      tabIndex={0}
      role="application"
      aria-label={props.label}
    />
  );
}
