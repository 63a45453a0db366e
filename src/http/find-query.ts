// The parameters by which lists find records, and how their texts are read. What cannot be a value of its kind is refused, so that a typing
// mistake does not look like a list without records.
import { Type as T } from 'typebox'
import { keyLengthMax, keysMax } from '#/contract/metadata-keys.ts'
import * as patterns from '#/contract/patterns.ts'
import { paymentExceptions } from '#/contract/payments.ts'
import { pixKeyTypes } from '#/contract/withdrawals.ts'
import { about, documented, text } from '#/contract/words.ts'
import { valueLengthMax } from '#/finding/metadata-value.ts'
import { AppError } from '#/kernel/error.ts'
import { plainTaxId } from '#/kernel/foreign-tax-id.ts'
import { given } from '#/kernel/given.ts'
import { isUuid, type PaymentId, type PaymentLinkId } from '#/kernel/id.ts'
import { amountFromJson } from '#/kernel/money.ts'
import { amountIn, oneOf, uuid } from '#/kernel/schema.ts'
import { parseTaxId } from '#/kernel/tax-id.ts'
import type { FoundBy } from '#/payments/find.ts'
import { isPageToken, type PaymentException } from '#/payments/payment.ts'
import { normalAddress } from '#/rails/crypto/normal-address.ts'
import { parsePixKey } from '#/rails/pix/pix-key.ts'
import { normalIban } from '#/rails/sepa/settings.ts'
import type { RefundFoundBy } from '#/refunds/find.ts'
import type { WithdrawalFoundBy } from '#/withdrawals/find.ts'
import { lowered } from './query.ts'

const shortPage =
  'A page may then have fewer rows than `limit`, even none, and still have a `nextCursor`: the list ends where there is none.'

const metadata = T.Optional(
  documented(
    T.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      maxProperties: keysMax,
      propertyNames: { minLength: 1, maxLength: keyLengthMax },
      additionalProperties: { type: 'string', maxLength: valueLengthMax },
      description: `\`metadata[key]=value\`: records with exactly this value, a text, a number as it was written, or a boolean, under a key that was declared with \`PUT /v1/metadata-keys\` and is READY. Up to ${keysMax} keys. ${shortPage}`,
    }),
    { additionalProperties: { type: 'string', maxLength: valueLengthMax, pattern: patterns.storable } },
  ),
)

const txHash = T.Optional(
  T.String({
    minLength: 66,
    maxLength: 66,
    pattern: patterns.txHash,
    description: 'A transaction on the chain: 0x and 64 hexadecimal digits.',
  }),
)

const endToEndId = T.Optional(
  T.String({
    minLength: 1,
    maxLength: 40,
    pattern: patterns.endToEndId,
    description: 'The end-to-end id of a Pix, exactly as the bank writes it.',
  }),
)

const amount = T.Optional(about(amountIn, 'Exactly this amount, in minor units.'))

/** The most ids that one list takes. */
const idsMax = 50

/** For lists of payments. */
export const findPaymentsBy = {
  ids: T.Optional(
    documented(
      T.String({
        minLength: 36,
        maxLength: idsMax * 37 - 1,
        description: `Payments with one of these ids, with commas between them: at most ${idsMax}.`,
      }),
      { pattern: `^[0-9a-fA-F-]{36}(,[0-9a-fA-F-]{36}){0,${idsMax - 1}}$` },
    ),
  ),
  metadata,
  customerEmail: T.Optional(
    documented(
      T.String({
        minLength: 3,
        maxLength: 254,
        pattern: '^[^\\s@]+@[^\\s@]+$',
        description: 'The `customerEmail` of the record; A to Z and a to z are the same.',
        examples: ['ana@example.com'],
      }),
      { pattern: patterns.email },
    ),
  ),
  customerName: T.Optional(
    text(200, 'The `customerName` of the record, the whole name; A to Z and a to z are the same.'),
  ),
  customerTaxId: T.Optional(
    documented(
      T.String({
        minLength: 5,
        maxLength: 30,
        description: 'The `customerTaxId` of the record, with or without its mask.',
        examples: ['529.982.247-25'],
      }),
      { pattern: patterns.taxId },
    ),
  ),
  txHash: T.Optional(
    about(txHash, 'A transaction that reached the payment’s address and is on the chain now.'),
  ),
  endToEndId: T.Optional(
    about(endToEndId, 'The end-to-end id of a Pix that paid it, exactly as the bank writes it.'),
  ),
  reference: T.Optional(
    text(
      100,
      'What a provider or a bank calls it: the txid of a Pix, the `sepa.reference` that the payer quotes, or a provider’s own id of the money that came.',
    ),
  ),
  cryptoAddress: T.Optional(
    documented(text(64, 'The payment that is paid at this address. Its checksum (EIP-55) is not needed.'), {
      pattern: patterns.evmAddress,
    }),
  ),
  cardLast4: T.Optional(
    documented(
      T.String({
        minLength: 4,
        maxLength: 4,
        pattern: '^[0-9]{4}$',
        description: 'The last digits of a card that paid it.',
        examples: ['4242'],
      }),
      {},
    ),
  ),
  idempotencyKey: T.Optional(
    text(255, 'The `idempotencyKey` of the record: the payment that this key made.'),
  ),
  checkoutUrl: T.Optional(
    documented(text(300, 'The `checkoutUrl` or `cardRedirectUrl` of the record, or the token at its end.'), {
      pattern: patterns.pageLink,
    }),
  ),
  amount: T.Optional(about(amountIn, 'Exactly this requested amount, in minor units.')),
  checkout: T.Optional(
    T.String({
      minLength: 1,
      maxLength: 64,
      pattern: patterns.slug,
      description: 'Payments that were created with this checkout.',
      examples: ['default'],
    }),
  ),
  paymentLinkId: T.Optional(uuid('Payments that this link made.')),
  exception: T.Optional(
    documented(
      T.String({
        minLength: 1,
        maxLength: 100,
        description: 'Payments with one of these exceptions, with commas between them.',
        examples: ['LATE,DUPLICATE'],
      }),
      { pattern: `^(${paymentExceptions.join('|')})(,(${paymentExceptions.join('|')}))*$` },
    ),
  ),
}

/** For lists of withdrawals. */
export const findWithdrawalsBy = {
  metadata,
  amount,
  txHash,
  endToEndId,
  pixKey: T.Optional(
    text(
      77,
      'Withdrawals to this PIX key, with or without its mask. Eleven digits are both a CPF and a phone.',
    ),
  ),
  cryptoAddress: T.Optional(
    documented(text(64, 'Withdrawals to this address. Its checksum (EIP-55) is not needed.'), {
      pattern: patterns.evmAddress,
    }),
  ),
  iban: T.Optional(text(42, 'Withdrawals to this account. Spaces do not count.')),
}

/** For lists of refunds. */
export const findRefundsBy = {
  amount,
  txHash: T.Optional(
    about(txHash, 'The transaction that took the money to the payer: the `txHash` of the record.'),
  ),
  endToEndId: T.Optional(about(endToEndId, 'The end-to-end id of the Pix whose money goes back.')),
}

/** For lists whose rows name a payment. */
export const expandPayment = {
  expand: T.Optional(
    oneOf(
      'Expansion',
      ['payment'],
      'payment: each row has its whole payment, as a list of payments shows it.',
    ),
  ),
}

type PaymentQuery = {
  readonly ids?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly customerEmail?: string | undefined
  readonly customerName?: string | undefined
  readonly customerTaxId?: string | undefined
  readonly reference?: string | undefined
  readonly cryptoAddress?: string | undefined
  readonly cardLast4?: string | undefined
  readonly checkoutUrl?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly txHash?: string | undefined
  readonly endToEndId?: string | undefined
  readonly amount?: number | undefined
  readonly exception?: string | undefined
  readonly checkout?: string | undefined
  readonly paymentLinkId?: string | undefined
}

/** What payments are found by, in its normal form. 400 when a value cannot be one. */
export function readFoundBy(query: PaymentQuery): FoundBy {
  const { metadata, customerEmail, customerTaxId, exception, checkout, paymentLinkId } = query
  const { customerName, reference, cryptoAddress, cardLast4, checkoutUrl, idempotencyKey } = query
  return {
    ...(query.ids === undefined ? {} : { ids: readIds(query.ids) }),
    ...(customerName === undefined ? {} : { customerName: customerName.trim() }),
    ...(reference === undefined ? {} : { reference: reference.trim() }),
    ...(cryptoAddress === undefined ? {} : { cryptoAddress: readCryptoAddress(cryptoAddress) }),
    ...given({ cardLast4, idempotencyKey }),
    ...(checkoutUrl === undefined ? {} : { pageToken: readPageToken(checkoutUrl) }),
    ...given({ metadata, customerEmail }),
    ...(customerTaxId === undefined ? {} : { customerTaxId: readTaxId(customerTaxId) }),
    ...readRefundFoundBy(query),
    ...given({ checkout }),
    ...(paymentLinkId === undefined ? {} : { linkId: paymentLinkId.toLowerCase() as PaymentLinkId }),
    ...(exception === undefined ? {} : { exceptions: readExceptions(exception) }),
  }
}

/** What withdrawals are found by, in its normal form. 400 when a value cannot be one. */
export function readWithdrawalFoundBy(
  query: Pick<PaymentQuery, 'metadata' | 'txHash' | 'endToEndId' | 'amount'> & {
    readonly pixKey?: string | undefined
    readonly cryptoAddress?: string | undefined
    readonly iban?: string | undefined
  },
): WithdrawalFoundBy {
  const { metadata, txHash, endToEndId, amount, pixKey, cryptoAddress, iban } = query
  const destinations = [
    ...(pixKey === undefined ? [] : [readPixKey(pixKey)]),
    ...(cryptoAddress === undefined ? [] : [[readCryptoAddress(cryptoAddress)]]),
    ...(iban === undefined ? [] : [[readIban(iban)]]),
  ]
  return {
    ...given({ metadata }),
    ...readRefundFoundBy({ txHash, endToEndId, amount }),
    destinations,
  }
}

/** What refunds are found by, in its normal form. */
export function readRefundFoundBy({
  txHash,
  endToEndId,
  amount,
}: Pick<PaymentQuery, 'txHash' | 'endToEndId' | 'amount'>): RefundFoundBy {
  return {
    ...given({ txHash: lowered(txHash), endToEndId }),
    ...(amount === undefined ? {} : { amountMinor: amountFromJson(amount) }),
  }
}

function readTaxId(given: string): string {
  const taxId = plainTaxId(given)
  if (/^[\d.]{11}-\d\d$/.test(given) && parseTaxId(given) === undefined)
    throw malformed('customerTaxId', 'malformed', 'is no CPF: its check digits do not hold')
  if (/^[A-Z0-9]{5,25}$/.test(taxId)) return taxId
  throw malformed(
    'customerTaxId',
    'malformed',
    'is no tax id: letters and digits, with or without their mask',
  )
}

function readIds(given: string): readonly PaymentId[] {
  const ids = given.split(',').map((each) => each.trim().toLowerCase())
  const wrong = ids.find((id) => !isUuid(id))
  if (wrong !== undefined) throw malformed('ids', 'malformed', `has ${JSON.stringify(wrong)}, which is no id`)
  if (ids.length > idsMax) throw malformed('ids', 'too_long', `has more than ${idsMax} ids`)
  return [...new Set(ids)] as PaymentId[]
}

function readExceptions(given: string): readonly PaymentException[] {
  return given.split(',').map((named) => {
    const exception = paymentExceptions.find((each) => each === named)
    if (exception !== undefined) return exception
    const message = `${JSON.stringify(named)} is no exception. They are ${paymentExceptions.join(', ')}`
    throw malformed('exception', 'not_allowed', message)
  })
}

/** The normal forms that a PIX key may have, because its type is not named. 400 when it is no PIX key. */
function readPixKey(given: string): readonly string[] {
  const keys = pixKeyTypes.flatMap((type) => {
    const parsed = parsePixKey(type, given)
    return parsed.ok ? [parsed.key] : []
  })
  if (keys.length > 0) return [...new Set(keys)]
  throw malformed('pixKey', 'invalid', 'is no PIX key of any type')
}

/** The address in its normal form. 400 when it is no address. */
function readCryptoAddress(given: string): string {
  const address = normalAddress(given)
  if (address !== undefined) return address
  throw malformed('cryptoAddress', 'invalid', 'is no address: 0x and 40 hexadecimal digits')
}

/** The token at the end of a page's address, or alone. 400 when it has not the form of one. */
function readPageToken(given: string): string {
  const token = given.trim().split(/[?#]/)[0]?.split('/').at(-1) ?? ''
  if (isPageToken(token)) return token
  throw malformed('checkoutUrl', 'invalid', 'is no link of a payer’s page')
}

/** The account in its normal form. 400 when its check digits do not hold, or SEPA does not reach it. */
function readIban(given: string): string {
  const iban = normalIban(given)
  if (iban !== undefined) return iban
  throw malformed('iban', 'invalid', 'is no IBAN of a SEPA country: its check digits do not hold')
}

function malformed(name: string, code: string, message: string): AppError {
  return new AppError('invalid_request', `${name} ${message}.`, {
    faults: [{ pointer: `/${name}`, code, message }],
  })
}
