/**
 * Files that are dropped anywhere on the page (or, inside another page, anywhere in our part of
 * it): the panel shows where they go.
 */

/** Listens on `page` until the function that it returns is called. */
export function takeDrops(
  page: Document | ShadowRoot,
  panel: HTMLElement,
  onDrop: (dropped: DataTransfer) => void,
): () => void {
  const over = ((event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    panel.classList.add('drop');
  }) as EventListener;
  const leave = ((event: DragEvent): void => {
    if (event.relatedTarget === null) panel.classList.remove('drop');
  }) as EventListener;
  const drop = ((event: DragEvent): void => {
    panel.classList.remove('drop');
    if (event.dataTransfer === null || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    onDrop(event.dataTransfer);
  }) as EventListener;
  const listeners = { dragover: over, dragleave: leave, drop };
  for (const [event, listener] of Object.entries(listeners)) page.addEventListener(event, listener);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) {
      page.removeEventListener(event, listener);
    }
  };
}
