/**
 * Reads stored JSON by a schema: notes in the browser's storage and parts of run files. The text
 * may be missing, damaged or of another version; schemas say what is required.
 */
import * as v from 'valibot';
import type { ByteRange } from '../engine/left-out.ts';
import type { Recipe } from '../engine/options.ts';

/** The value in a JSON text; null if the text is null, is not JSON or does not fit the schema. */
export function readStored<Schema extends v.GenericSchema>(
  schema: Schema,
  json: string | null,
): v.InferOutput<Schema> | null {
  try {
    const { success, output } = v.safeParse(schema, JSON.parse(json ?? ''));
    return success ? output : null;
  } catch {
    return null;
  }
}

/** A number; NaN for any other value, because JSON writes NaN as null. */
export const NUMBER = v.fallback(v.number(), NaN);

const RANGE = v.custom<ByteRange>(
  (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite),
);
const CHANGES = v.custom<Recipe['changes']>(
  (value) =>
    typeof value === 'object' && value !== null && Object.values(value).every(Number.isFinite),
);

/** A `Recipe`. The engine checks names, values and ranges. */
export const RECIPE = v.object({
  preset: v.string(),
  changes: CHANGES,
  leftOut: v.exactOptional(v.array(RANGE)),
});
