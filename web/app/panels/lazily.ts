/** Panels whose code and words come once Start can be pressed: nobody should have to wait for them before. */
import { loadAllWords } from '../../i18n/index.ts';
import type { Lang } from '../../i18n/index.ts';
import { whenIdle } from '../idle.ts';
import { isSettled } from '../session.ts';
import type { CreatePanel, LoadPanel, Panel } from './panel.ts';

/** The panel that `load` brings, with its words in the reader's language: both, or neither. */
export async function withWords(load: LoadPanel, lang: Lang): Promise<CreatePanel> {
  const [create, words] = await Promise.all([load(), loadAllWords(lang)]);
  return (container, context) => create(container, { ...context, words });
}

/** Milliseconds before a panel that did not come is asked for again. */
const PATIENCE = 5_000;

/** The panel that `load` brings. Until then its section is empty; without a network it is asked for again. */
export function lazily(load: LoadPanel): CreatePanel {
  return (container, context) => {
    let panel: Panel | null = null;
    let loading = false;
    let destroyed = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const bring = (): void => {
      withWords(load, context.words.lang).then(
        (create) => {
          if (destroyed) return;
          panel = create(container, context);
          panel.update();
        },
        () => {
          timer = setTimeout(() => {
            loading = false;
          }, PATIENCE);
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
        clearTimeout(timer);
        panel?.destroy();
      },
    };
  };
}
