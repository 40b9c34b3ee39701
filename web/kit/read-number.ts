/** Reads numbers as people write them and as the page prints them. */

/** Parses `5,000` as 5000, `0,001` as 0.001, full-width digits and thin spaces; NaN if invalid. */
export function readNumber(text: string): number {
  const plain = text.normalize('NFKC').replaceAll(/\s/gu, '').replaceAll('−', '-');
  if (plain === '') return NaN;
  const grouped = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(plain);
  return Number(grouped ? plain.replaceAll(',', '') : plain.replace(/^([^,.]*),([^,]*)$/, '$1.$2'));
}
