// The check digits of a Multibanco reference. It has seven digits, then two check digits over the entity, those seven digits and
// the amount (SIBS; the test vector is published at Miguel-Frazao/sibs-check-digits-php-python).

/** Whether entity, reference and amount (minor units of EUR) belong together. Spaces in the reference do not count. */
export function isMultibancoReference(entity: string, reference: string, amountMinor: bigint): boolean {
  const plain = reference.replaceAll(' ', '')
  if (!/^\d{5}$/.test(entity) || !/^\d{9}$/.test(plain)) return false
  const amount = amountMinor.toString().padStart(8, '0')
  if (amount.length > 8) return false
  // The published weights of the digits are 3, 30, 300 and so on modulo 97: three times the number that the digits are.
  const remainder = (3n * BigInt(entity + plain.slice(0, 7) + amount)) % 97n
  return plain.slice(7) === String(98n - remainder).padStart(2, '0')
}
