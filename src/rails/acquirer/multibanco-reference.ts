// The check digits of a Multibanco reference. It has seven digits, then two check digits over the entity, those seven digits and
// the amount (SIBS; the test vector is published at Miguel-Frazao/sibs-check-digits-php-python).

/** The weights of the 20 digits, from the right. */
const weights = [3, 30, 9, 90, 27, 76, 81, 34, 49, 5, 50, 15, 53, 45, 62, 38, 89, 17, 73, 51]

/** Whether entity, reference and amount (minor units of EUR) belong together. Spaces in the reference do not count. */
export function isMultibancoReference(entity: string, reference: string, amountMinor: bigint): boolean {
  const plain = reference.replaceAll(' ', '')
  if (!/^\d{5}$/.test(entity) || !/^\d{9}$/.test(plain)) return false
  const amount = amountMinor.toString().padStart(8, '0')
  if (amount.length > 8) return false
  const digits = (entity + plain.slice(0, 7) + amount).split('').toReversed()
  const sum = digits.reduce((total, digit, index) => total + Number(digit) * (weights[index] ?? 0), 0)
  return plain.slice(7) === String(98 - (sum % 97)).padStart(2, '0')
}
