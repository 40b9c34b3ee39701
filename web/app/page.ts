/** All panels of the page in one language; made anew for another. */
import { perFrame } from '../views/dom.ts';
import type { Words } from '../i18n/index.ts';
import { createCloser } from './closer.ts';
import type { Layout } from './layout.ts';
import { CLOSER, COLUMNS } from './panels/index.ts';
import type { Panel, PanelContext, PageActions, PageState } from './panels/panel.ts';
import type { Session } from './session.ts';

export interface PageOptions {
  readonly layout: Layout;
  readonly words: Words;
  readonly state: Readonly<PageState>;
  readonly actions: PageActions;
  readonly isDark: () => boolean;
  readonly session: () => Session | null;
}

export class Page {
  readonly #panels = new Map<string, Panel>();
  readonly #render = perFrame(() => {
    for (const panel of this.#panels.values()) panel.update();
  });

  constructor({ layout, ...rest }: PageOptions) {
    const context: PanelContext = {
      ...rest,
      goTo: (what) => {
        if (what === 'text') this.#panels.get('text')?.focus?.('');
        else if (what === 'closer') this.#panels.get('closer')?.focus?.('');
        else this.#panels.get('settings')?.focus?.(what.option);
      },
    };
    for (const column of Object.values(COLUMNS)) {
      for (const [id, create] of Object.entries(column)) {
        this.#panels.set(id, create(layout.section(id), context));
      }
    }
    if (CLOSER.length > 0) {
      this.#panels.set('closer', createCloser(layout.section('closer'), context));
    }
    this.update();
  }

  /** Shows what has changed, in the next frame. */
  update(): void {
    this.#render.request();
  }

  resize(): void {
    for (const panel of this.#panels.values()) panel.resize();
  }

  destroy(): void {
    this.#render.cancel();
    for (const panel of this.#panels.values()) panel.destroy();
  }
}
