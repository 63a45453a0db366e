// ASN.1 in DER, as far as certificates need it (ITU-T X.690).

export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

export const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
export const set = (...parts: readonly Buffer[]): Buffer => der(0x31, ...parts)
export const octets = (content: Buffer): Buffer => der(0x04, content)
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text))
export const yes: Buffer = der(0x01, Buffer.from([0xff]))

/** A positive INTEGER from its big-endian bytes. */
export function integer(bytes: Buffer): Buffer {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0
  return der(0x02, isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

export function bits(content: Buffer, unused = 0): Buffer {
  return der(0x03, Buffer.from([unused]), content)
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map((part) => Number.parseInt(part, 10))
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}

/** UTCTime, in seconds: for years before 2050. */
export function time(at: Date): Buffer {
  return der(0x17, Buffer.from(`${at.toISOString().replaceAll(/\D/g, '').slice(2, 14)}Z`))
}
