/**
 * Loads panels later than the first screen, which then does not wait for their code and words: once
 * Start can be pressed, or on request.
 */
import { h } from 'preact';
import { loadAllWords } from '../i18n/index.ts';
import type { Lang } from '../i18n/index.ts';
import { loadable } from '../kit/loadable.ts';
import { idle } from '../kit/idle.ts';
import { render } from '../kit/render.ts';
import { isSettled } from '../store/training/shown-plan.ts';
import { makePanel } from './panel.ts';
import type { CreatePanel, LoadPanel, Panel } from './panel.ts';

/** Loads a panel and its words in the reader's language; fails if either fails. */
export async function withWords(load: LoadPanel, lang: Lang): Promise<CreatePanel> {
  const [create, words] = await Promise.all([load(), loadAllWords(lang)]);
  return (container, context) => create(container, { ...context, words });
}

/**
 * A panel that is loaded once Start can be pressed. Its section is empty until then; loading is
 * retried after a failure.
 */
export function lazily(load: LoadPanel): CreatePanel {
  return (container, context) => {
    let panel: Panel | null = null;
    const coming = loadable(
      async () => {
        await idle();
        return withWords(load, context.words.lang);
      },
      (create) => {
        panel = makePanel(create, container, context);
      },
    );
    const stop = context.changes.subscribe(() => {
      if (isSettled(context.session())) coming.want();
    });
    return {
      resize() {
        panel?.resize();
      },
      destroy() {
        stop();
        coming.cancel();
        panel?.destroy();
      },
    };
  };
}

/** A panel that is loaded when the reader goes to it; another request retries after a failure. */
export function whenAsked(load: LoadPanel): CreatePanel {
  return (container, context) => {
    let panel: Panel | null = null;
    let asked = false;
    let destroyed = false;
    const come = (create: CreatePanel): void => {
      if (destroyed) return;
      render(null, container);
      panel = makePanel(create, container, context);
      panel.focus?.('');
    };
    const missing = (): void => {
      asked = false;
      const said = context.words.t('app.missing');
      if (!destroyed) render(h('p', { class: 'note error', role: 'alert' }, said), container);
    };
    return {
      resize() {
        panel?.resize();
      },
      destroy() {
        destroyed = true;
        panel?.destroy();
      },
      focus(what, at) {
        if (panel !== null) panel.focus?.(what, at);
        else if (!asked) withWords(load, context.words.lang).then(come, missing);
        asked = true;
      },
    };
  };
}
