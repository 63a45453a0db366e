// The basic schemas of the API's shapes: names, whole numbers, instants, texts, lists. One schema checks requests, writes answers and
// is published. A schema with a title stands once in openapi.json, under that name, and is referred to everywhere else. Clients are
// generated with these names, so they stay (decision 81).
import { Type as T, type TSchema } from 'typebox'
import { modes } from '#/kernel/mode.ts'
import type { Currency } from '#/kernel/money.ts'
import { oneOf } from '#/kernel/schema.ts'
import { methods } from '#/rails/methods.ts'
import * as patterns from './patterns.ts'

/** What openapi.json says of a schema at one place, beside the reference to it. */
export const asideKeyword = 'aside'

/** The keyword of `documented`. The server's validator ignores both keywords. */
export const documentedKeyword = 'documented'

/** The keyword of `emptyIsAbsent`. */
export const emptyKeyword = 'emptyIsAbsent'

/** A schema with a title, described differently at this place. */
export function about<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return copyOf(schema, { [asideKeyword]: description })
}

/**
 * The schema with other keywords in openapi.json, for what our code checks with a better message or with another status. `undefined`
 * removes a keyword. A test checks the document against the server.
 */
export function documented<Schema extends TSchema>(
  schema: Schema,
  words: Readonly<Record<string, unknown>>,
): Schema {
  return copyOf(schema, { [documentedKeyword]: words })
}

/** An optional text for which many callers send an empty one when they have none: it counts as absent, and is not checked. */
export function emptyIsAbsent<Schema extends TSchema>(schema: Schema): Schema {
  const { pattern, [documentedKeyword]: said } = schema as {
    readonly pattern?: string
    readonly [documentedKeyword]?: Readonly<Record<string, unknown>>
  }
  const shown = (said?.['pattern'] as string | undefined) ?? pattern
  const words = { ...said, minLength: undefined, format: undefined }
  return copyOf(schema, {
    [emptyKeyword]: true,
    [documentedKeyword]: { ...words, ...(shown === undefined ? {} : { pattern: `^$|${shown}` }) },
  })
}

/** The keywords of JSON Schema for a condition. Built from pairs: an object literal with a `then` would count as a promise. */
export function when(condition: object, then: object, otherwise?: object): Readonly<Record<string, object>> {
  const words: [string, object][] = [
    ['if', condition],
    ['then', then],
  ]
  return Object.fromEntries(otherwise === undefined ? words : [...words, ['else', otherwise]])
}

/** The copy keeps the hidden properties that TypeBox sets on a schema, such as that a field is optional. */
function copyOf<Schema extends TSchema>(schema: Schema, words: Readonly<Record<string, unknown>>): Schema {
  const copy: object = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))
  return Object.assign(copy, words) as Schema
}

/** `payment.received_after_close` as `PaymentReceivedAfterClose`: part of a name of the document. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase())
}

// ---- Texts

/** A text of a request, with `minLength` to `maxLength` characters. */
export const text = (maxLength: number, description: string, minLength = 1) =>
  documented(T.String({ minLength, maxLength, description }), { pattern: patterns.storable })

/** An instant that a caller may send. */
export const instantIn = (description: string) =>
  T.Optional(
    documented(
      T.String({ maxLength: 40, description, examples: ['2026-11-21T02:03:04.567Z', '2026-11-21'] }),
      { pattern: patterns.instant },
    ),
  )

/** A URL that we call or lead to. */
export const url = (description: string, example: string) =>
  documented(T.String({ minLength: 1, maxLength: 2_048, description, examples: [example] }), {
    format: 'uri',
    pattern: patterns.url,
  })

/** An address of the shop to which a payer's page may lead. */
export const pageUrl = (description: string) =>
  emptyIsAbsent(url(`${description} An https address.`, 'https://shop.example.com/orders/A-1'))

const keyMeaning =
  'The same key with the same body returns the first result again. The header Idempotency-Key does the same; when both are sent they must agree.'

export const idempotencyKey = text(255, keyMeaning)

// ---- What many resources have

export const metadata = T.Unsafe<Readonly<Record<string, unknown>>>({
  title: 'Metadata',
  type: 'object',
  additionalProperties: true,
  description:
    'Your own fields, returned as they are, numbers in the digits that you wrote. At most 8 KiB as JSON. No card numbers: digits grouped as on a card, or under a name that says card, are refused.',
  examples: [{ orderId: 'A-1' }],
})

/** The currencies that a wallet can have. BNB is only for the operator's gas accounts. */
export const walletCurrencies = ['BRL', 'EUR', 'USD', 'USDT'] as const satisfies readonly Currency[]

/** The currencies of payments and wallets; BNB in the books is for gas alone. */
export const currency = T.Unsafe<Currency>(
  oneOf('Currency', walletCurrencies, 'ISO 4217, and USDT with two decimals.'),
)

/** A currency in a body: an invalid one is refused with 422 and a code of its own, and the fault shows how to write it. */
export const currencyIn = (description: string) =>
  documented(T.String({ minLength: 1, maxLength: 12 }), {
    ...currency,
    minLength: undefined,
    maxLength: undefined,
    [asideKeyword]: description,
  })

export const mode = oneOf('Mode', modes, 'Whose money it is: real, or the sandbox’s.')
export const paymentMethod = oneOf('PaymentMethod', methods, 'How a payment is paid.')
export const captureModes = ['AUTOMATIC', 'MANUAL'] as const

export const captureMode = oneOf(
  'CaptureMode',
  captureModes,
  'CREDIT_CARD: MANUAL authorises only, and you capture or cancel. Without it a card is captured at once.',
)

/** One page of a list, with a title made of the title of its rows. */
export function listOf<Item extends TSchema>(item: Item & { readonly title?: string }) {
  const nextCursor = T.String({ description: 'Send it as `cursor` for the next page; absent on the last.' })
  return T.Object(
    { data: T.Array<Item>(item), nextCursor: T.Optional(nextCursor) },
    { title: `${item.title ?? ''}List`, description: 'One page.' },
  )
}

/** A body without fields, for an operation that needs none. */
export function emptyRequest(title: string) {
  return T.Object({}, { title, additionalProperties: false, description: 'No fields. May be left out.' })
}
