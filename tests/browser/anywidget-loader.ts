/** Minimal stand-in for a notebook or course page that hosts an anywidget. */

/**
 * Follows anywidget's protocol: imports the module from its address or from text that the kernel
 * sent, calls `initialize` once and `render` per view, and holds a model of traits.
 */
export const LOADER = `
  class Model {
    constructor(traits) { this.traits = traits; this.listeners = {}; this.saved = []; }
    get(name) { return this.traits[name]; }
    set(name, value) { this.traits[name] = value; for (const each of this.listeners['change:' + name] ?? []) each(); }
    save_changes() { this.saved.push({ ...this.traits }); }
    on(event, listener) { (this.listeners[event] ??= []).push(listener); }
    off(event, listener) { this.listeners[event] = (this.listeners[event] ?? []).filter((one) => one !== listener); }
  }
  export async function load(source, traits) {
    const url = source.startsWith('http') ? source : URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const { default: widget } = await import(url);
    const model = new Model(traits);
    await widget.initialize?.({ model });
    const el = document.getElementById('cell');
    window.model = model;
    window.clean = await widget.render({ model, el });
  }`;
