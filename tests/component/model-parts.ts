/** Mounts the model's diagram and returns its parts by name. */
import type { Locator } from 'playwright-core';
import type { Mount, MountOptions, RecordingName } from './mount.ts';

/** Mounts the diagram with the panels `beside`. */
export async function mountedParts(
  mount: Mount,
  recording: RecordingName,
  options: MountOptions = {},
  beside: readonly string[] = [],
) {
  const component = await mount(['model-parts', ...beside], recording, options);
  const { page } = component;
  const diagram = page.getByRole('group', { name: 'Architecture of the model', exact: true });
  const known = (name: string): Locator => page.locator(`[data-part=${name}]`);
  return Object.assign(component, {
    /** A part of the diagram by its name; the first match if several blocks have that name. */
    part: (name: string | RegExp) =>
      diagram.getByRole('button', { name, exact: typeof name === 'string' }).first(),
    title: known('part-title'),
    fields: page.locator('.part-fields'),
    effect: known('parts-effect'),
    mistake: page.locator('.tab-model-parts').getByRole('alert'),
    shows: page.getByRole('combobox', { name: 'Show', exact: true }),
    about: known('values-about'),
    readout: known('tensor-readout'),
    valuesStep: known('values-step'),
    origin: known('number-origin'),
  });
}

export type MountedParts = Awaited<ReturnType<typeof mountedParts>>;
