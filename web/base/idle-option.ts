/** Which options mean nothing beside others. */

/**
 * Whether an option means nothing with the others as they are: only subwords have a size to choose.
 */
export function isIdle(
  name: string,
  fields: readonly { readonly name: string; readonly choices: readonly string[] }[],
  values: Readonly<Record<string, number>>,
): boolean {
  if (name !== 'vocabulary') return false;
  const tokenizer = fields.find((field) => field.name === 'tokenizer');
  return tokenizer !== undefined && tokenizer.choices[values['tokenizer'] ?? NaN] !== 'bpe';
}
