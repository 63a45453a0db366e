// IBANs: made for accounts of this bank, and checked (ISO 13616, ISO 7064 mod 97-10).

/** A Portuguese IBAN of a bank code that nobody has, with the national check digits too. */
export function newIban(number: string): string {
  const digits = `99990001${number}`
  const bban = `${digits}${checkOf(`${digits}00`)}`
  return `PT${checkOf(numbersOf(`${bban}PT00`))}${bban}`
}

/** Whether the check digits of an IBAN without spaces fit. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false
  return BigInt(numbersOf(text.slice(4) + text.slice(0, 4))) % 97n === 1n
}

function checkOf(digits: string): string {
  return (98n - (BigInt(digits) % 97n)).toString().padStart(2, '0')
}

/** Letters as numbers, from 10 on. */
function numbersOf(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => `${letter.charCodeAt(0) - 55}`)
}
