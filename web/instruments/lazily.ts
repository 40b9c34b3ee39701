/**
 * Panels whose code and words come once Start can be pressed, or when somebody asks for them:
 * nobody should have to wait for them before.
 */
import { h } from 'preact';
import { loadAllWords } from '../i18n/index.ts';
import type { Lang } from '../i18n/index.ts';
import { loadable } from '../kit/loadable.ts';
import { idle } from '../kit/idle.ts';
import { render } from '../kit/render.ts';
import { isSettled } from '../store/training/session.ts';
import { makePanel } from './panel.ts';
import type { CreatePanel, LoadPanel, Panel } from './panel.ts';

/** The panel that `load` brings, with its words in the reader's language: both, or neither. */
export async function withWords(load: LoadPanel, lang: Lang): Promise<CreatePanel> {
  const [create, words] = await Promise.all([load(), loadAllWords(lang)]);
  return (container, context) => create(container, { ...context, words });
}

/**
 * The panel that `load` brings. Until then its section is empty; without a network it is asked for
 * again.
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
    return {
      update() {
        panel?.update();
        if (isSettled(context.session())) coming.want();
      },
      resize() {
        panel?.resize();
      },
      destroy() {
        coming.cancel();
        panel?.destroy();
      },
    };
  };
}

/** The panel that `load` brings when somebody goes to it; asking again tries again. */
export function whenAsked(load: LoadPanel): CreatePanel {
  return (container, context) => {
    let panel: Panel | null = null;
    let asked = false;
    let destroyed = false;
    const come = (create: CreatePanel): void => {
      if (destroyed) return;
      render(null, container);
      panel = makePanel(create, container, context, false);
      panel.focus?.('');
    };
    const missing = (): void => {
      asked = false;
      const said = context.words.t('app.missing');
      if (!destroyed) render(h('p', { class: 'note error', role: 'alert' }, said), container);
    };
    return {
      update() {
        panel?.update();
      },
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
