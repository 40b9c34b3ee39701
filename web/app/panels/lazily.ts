/** Panels whose code comes once Start can be pressed: nobody should have to wait for it before. */
import { whenIdle } from '../idle.ts';
import { isSettled } from '../session.ts';
import type { CreatePanel, Panel } from './panel.ts';

/** The panel that `load` brings. Until then its section is empty; without a network it is asked for again. */
export function lazily(load: () => Promise<CreatePanel>): CreatePanel {
  return (container, context) => {
    let panel: Panel | null = null;
    let loading = false;
    let destroyed = false;
    const bring = (): void => {
      load().then(
        (create) => {
          if (destroyed) return;
          panel = create(container, context);
          panel.update();
        },
        () => {
          loading = false;
        },
      );
    };
    return {
      update() {
        panel?.update();
        if (panel !== null || loading || !isSettled(context.session())) return;
        loading = true;
        whenIdle(bring);
      },
      resize() {
        panel?.resize();
      },
      destroy() {
        destroyed = true;
        panel?.destroy();
      },
    };
  };
}
