/** All panels of the page in one language; made anew for another. */
import { perFrame } from '../views/dom.ts';
import { createCloser } from './closer.ts';
import type { Layout } from './layout.ts';
import { CLOSER, COLUMNS } from './panels/index.ts';
import type { CreatePanel, Panel, PanelContext } from './panels/panel.ts';

export interface PageOptions extends Omit<PanelContext, 'goTo'> {
  readonly layout: Layout;
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
        this.#add(id, create, layout, context);
      }
    }
    if (CLOSER.length > 0) this.#add('closer', createCloser, layout, context);
    this.update();
  }

  #add(id: string, create: CreatePanel, layout: Layout, context: PanelContext): void {
    const section = layout.find(id);
    if (section !== null) this.#panels.set(id, create(section, context));
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
