/** A notebook or a book as far as widgets are concerned. */

/**
 * What anywidget's hosts do: import the module (by address, or from the text that came over the
 * kernel's connection), call initialize once and render for each view, and keep a model of traits.
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
