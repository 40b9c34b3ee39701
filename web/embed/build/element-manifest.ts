/**
 * Writes custom-elements.json, which tells editors of the element's attributes, methods and events
 * (https://github.com/webcomponents/custom-elements-manifest).
 */
import type { Plugin } from 'vite';
import type { Call } from '../../engine/interface/call.ts';
import { LESSON_ATTRIBUTES } from '../../store/address/lesson-attributes.ts';
import { HOST } from '../../store/host/host.ts';
import { readCallWords } from './frame-schema.ts';
import type { CallWords } from './frame-schema.ts';

const EVENTS = [
  ['glasshouse-ready', 'CustomEvent<Status>', 'once after each start'],
  ['glasshouse-status', 'CustomEvent<Status>', 'whenever the run has moved'],
  ['glasshouse-error', 'CustomEvent<ErrorFacts>', 'an error of the run, or an unknown attribute'],
] as const;

/** The manifest; `words` describe the calls. */
export function elementManifest(words: CallWords): object {
  const attributes = ['text', ...LESSON_ATTRIBUTES];
  const fields = attributes.filter((name) => name !== 'lang');
  const methods = (Object.entries(HOST) as [keyof typeof HOST, Call][]).filter(
    ([name]) => !fields.includes(name),
  );
  const parameters = ({ args }: Call): object[] =>
    args.map((arg) => {
      const [name = '', kind = ''] = arg.split(/\??: /);
      return { name, type: { text: kind }, optional: arg.includes('?') };
    });
  const declaration = {
    kind: 'class',
    name: 'GlasshouseGpt',
    tagName: 'glasshouse-gpt',
    customElement: true,
    superclass: { name: 'HTMLElement' },
    attributes: attributes.map((name) => ({
      name,
      type: { text: name === 'autostart' ? 'boolean' : 'string' },
    })),
    members: [
      ...fields.map((name) => ({ kind: 'field', name })),
      ...methods.map(([name, call]) => ({
        kind: 'method',
        name,
        description: words[name].en,
        parameters: parameters(call),
      })),
    ],
    events: EVENTS.map(([name, text, description]) => ({ name, type: { text }, description })),
    slots: [{ name: 'text', description: 'the training text' }],
    cssParts: [{ name: 'panel' }, { name: 'task' }, { name: 'root' }],
    cssProperties: ['paper', 'ink', 'accent'].map((name) => ({ name: `--glasshouse-${name}` })),
  };
  const exported = { kind: 'custom-element-definition', name: 'glasshouse-gpt' };
  return {
    schemaVersion: '1.0.0',
    modules: [
      {
        kind: 'javascript-module',
        path: 'element.mjs',
        declarations: [declaration],
        exports: [{ ...exported, declaration: { name: 'GlasshouseGpt', module: 'element.mjs' } }],
      },
    ],
  };
}

/** Adds the manifest to the package. */
export function elementManifestFile(root: string): Plugin {
  return {
    name: 'element-manifest',
    apply: 'build',
    generateBundle() {
      const source = `${JSON.stringify(elementManifest(readCallWords(root)), null, 2)}\n`;
      this.emitFile({ type: 'asset', fileName: 'custom-elements.json', source });
    },
  };
}
