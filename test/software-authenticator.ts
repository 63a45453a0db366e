// An authenticator in software. It makes passkeys and answers challenges in the form in which a browser passes them on (WebAuthn level 3,
// §6 and §7), with attestation `none`. A test can put each fault that a server must notice into the answers.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

export type SoftwareAuthenticator = {
  /** What `navigator.credentials.create` gives, as JSON. */
  readonly create: (options: object, faults?: Faults) => RegistrationAnswer
  /** What `navigator.credentials.get` gives, by the passkey that was made last, as JSON. */
  readonly get: (options: object, faults?: Faults) => AuthenticationAnswer
  /** How often the passkey was used, as the authenticator tells it. */
  counter: number
}

type CreationOptions = {
  readonly challenge: string
  readonly rp: { readonly id?: string }
  readonly user: { readonly id: string }
}
type RequestOptions = { readonly challenge: string; readonly rpId?: string }

/** Differences from a right answer. */
export type Faults = {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly isUserVerified?: boolean
  readonly type?: string
  /** Signed by another key. */
  readonly isForged?: boolean
  /** Whom the answer says the passkey belongs to, in Base64url. */
  readonly userHandle?: string
}

export type RegistrationAnswer = {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly clientExtensionResults: Record<string, never>
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports: readonly string[]
  }
}

export type AuthenticationAnswer = {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly clientExtensionResults: Record<string, never>
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle: string
  }
}

type Passkey = {
  readonly id: Buffer
  readonly privateKey: KeyObject
  readonly rpId: string
  readonly userHandle: string
}

const flags = { userPresent: 0x01, userVerified: 0x04, attested: 0x40 }

/** A new authenticator on the page of `origin`. `isCounting: false` as synced passkeys: its counter stays zero. */
export function softwareAuthenticator(origin: string, { isCounting = true } = {}): SoftwareAuthenticator {
  let passkey: Passkey | undefined
  const authenticator: SoftwareAuthenticator = {
    counter: 0,
    create(options, faults = {}) {
      const { challenge, rp, user } = options as CreationOptions
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const made = {
        id: randomBytes(32),
        privateKey,
        rpId: rp.id ?? new URL(origin).hostname,
        userHandle: user.id,
      }
      passkey = made
      const length = Buffer.alloc(2)
      length.writeUInt16BE(made.id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, made.id, coseKey(publicKey)])
      const data = Buffer.concat([
        authenticatorData(faults.rpId ?? made.rpId, flags.attested | verified(faults), authenticator.counter),
        attested,
      ])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', data],
      ])
      return {
        ...credential(made.id),
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, origin, faults).toString('base64url'),
          attestationObject: cbor(attestation).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    get(options, faults = {}) {
      const { challenge, rpId } = options as RequestOptions
      if (passkey === undefined) throw new Error('no passkey was made yet')
      if (isCounting) authenticator.counter += 1
      const of = faults.rpId ?? rpId ?? passkey.rpId
      const data = authenticatorData(of, verified(faults), authenticator.counter)
      const client = clientData('webauthn.get', challenge, origin, faults)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      const key =
        faults.isForged === true
          ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
          : passkey.privateKey
      return {
        ...credential(passkey.id),
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, key).toString('base64url'),
          userHandle: faults.userHandle ?? passkey.userHandle,
        },
      }
    },
  }
  return authenticator
}

function credential(id: Buffer) {
  const text = id.toString('base64url')
  return { id: text, rawId: text, type: 'public-key', clientExtensionResults: {} } as const
}

function verified({ isUserVerified = true }: Faults): number {
  return flags.userPresent | (isUserVerified ? flags.userVerified : 0)
}

function clientData(type: string, challenge: string, origin: string, faults: Faults): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: faults.type ?? type,
      challenge: faults.challenge ?? challenge,
      origin: faults.origin ?? origin,
      crossOrigin: false,
    }),
  )
}

/** §6.1: the hash of the domain, flags, and the counter. */
function authenticatorData(rpId: string, flag: number, counter: number): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt8(flag)
  head.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), head])
}

/** ES256 (RFC 9053 §2.1). */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>

/** RFC 8949, as far as authenticators use it. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([name, each]) => [cbor(name), cbor(each)]),
  ])
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.of((major << 5) | length)
  if (length < 256) return Buffer.of((major << 5) | 24, length)
  return Buffer.of((major << 5) | 25, length >> 8, length & 0xff)
}
