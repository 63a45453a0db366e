// What the operator agrees with a merchant: fees, limits of withdrawals and where they may go, and the default wallet.
import { Type as T } from 'typebox'
import { payoutTypes, pixKeyTypes } from '#/contract/withdrawals.ts'
import { walletCurrencies } from '#/contract/words.ts'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId, WalletId } from '#/kernel/id.ts'
import { currencies, type Currency } from '#/kernel/money.ts'
import { oneOf, whole } from '#/kernel/schema.ts'
import { payoutCurrencies } from '#/money-out/limits.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import { pixKeyTypeOf, type PixKeyType } from '#/rails/pix/pix-key.ts'
import { chooseDefaultWallet } from '../default-wallet.ts'
import type { Operator } from '../deps.ts'
import { feeMethods } from '../fees.ts'
import { knownAddresses, readDestination, type Listed } from '../limits.ts'
import { requireMerchant } from '../merchants.ts'
import { decideTerms, type TermsAct } from '../terms.ts'
import { act, asks, idOf, isRequested, text, why, writing, type ActDeps, type Requested } from './act.ts'
import { merchantId, see } from './merchants.ts'

const shared = { secondPerson: 'sometimes', needs: 'keys', see } as const

const reason = T.Optional(why('Why, for the audit log; required where another person has to approve'))

/** Carries terms out, or requests them. `isFound`: false when there was nothing to change. */
async function decide(
  deps: ActDeps['keys'],
  operator: Operator,
  terms: TermsAct,
  because: string | undefined,
): Promise<Requested | { readonly isFound: boolean }> {
  const decided = await decideTerms(deps, operator, terms, because)
  return 'proposal' in decided ? { requested: decided.proposal } : { isFound: decided.done.isFound }
}

async function merchantIn({ sql }: ActDeps['keys'], id: string): Promise<MerchantId> {
  return (await requireMerchant(sql, id as MerchantId)).id
}

/** An amount, which a command takes in the currency that the arguments before it name. */
function amount(least: number, description: string) {
  return whole(least, Number.MAX_SAFE_INTEGER, description)
}

/** Millionths are percents with four decimals. */
export const rateExponent = 4

export const setFeeAct = act({
  ...shared,
  commands: { 'merchant fee': {} },
  console: writing('PUT /operator/merchants/{id}/fees', 'setFee'),
  summary: "Sets the fees for a merchant's payments and withdrawals; without --fixed and --rate shows them",
  args: {
    id: merchantId,
    method: oneOf('FeeMethod', feeMethods, 'For which payments or withdrawals'),
    currency: oneOf('Currency', walletCurrencies, 'The currency that is credited; for CRYPTO it is USDT'),
    fixed: asks(amount(0, 'Of each one, such as 0.30'), {
      value: 'amount',
      decimals: ({ currency }) => currencies[currency as Currency].exponent,
      otherwise: '0',
      missing: 'Write it as 0.30.',
    }),
    ratePpm: asks(whole(0, 1_000_000, 'Of its amount, such as 1.5%'), {
      option: 'rate',
      value: 'percent',
      decimals: () => rateExponent,
      otherwise: '0',
      missing: 'Write it as 1.5%, at most 100%.',
    }),
    reason,
  },
  async carryOut(deps, operator, { id, method, currency, fixed, ratePpm, reason: because }) {
    const minors = { fixedMinor: BigInt(fixed), ratePpm: BigInt(ratePpm) }
    const rule = { merchantId: await merchantIn(deps, id), method, currency, ...minors }
    return decide(deps, operator, { kind: 'terms.fee', rule }, because)
  },
})

const type = oneOf('WithdrawalType', payoutTypes, 'How the money leaves')

/** A body has no null: `none` takes a limit away. */
function limit(least: number, description: string, option?: string) {
  return T.Optional(
    asks(T.Union([amount(least, description), T.Literal('none')], { description }), {
      value: 'amount|none',
      decimals: (args) => currencies[payoutCurrencies[args['type'] as PayoutType]].exponent,
      missing: 'Write it as 1000.00, or none.',
      ...given({ option }),
    }),
  )
}

export const changeLimitsAct = act({
  ...shared,
  commands: { 'withdrawal limit': {} },
  console: writing('PATCH /operator/merchants/{id}/limits', 'changeWithdrawalLimits'),
  summary: "Sets limits of a merchant's withdrawals; the others stay. Without any it shows them",
  args: {
    id: merchantId,
    type,
    each: limit(1, 'The most that one withdrawal may be, such as 1000.00'),
    day: limit(1, 'The most of one day in UTC'),
    approvalAbove: limit(
      0,
      'Above this amount a second person has to approve; none: one person pays out',
      'approval-above',
    ),
    listedOnly: T.Optional(
      asks(T.Boolean({ description: 'Only to listed destinations' }), {
        option: 'listed-only',
        value: 'on|off',
        reads: (text) => ({ on: true, off: false })[text],
        missing: 'It is on or off.',
      }),
    ),
    reason,
  },
  async carryOut(deps, operator, { id, type: of, each, day, approvalAbove, listedOnly, reason: because }) {
    const change = {
      merchantId: await merchantIn(deps, id),
      type: of,
      ...given({
        eachMinor: minor(each),
        dayMinor: minor(day),
        approvalAboveMinor: minor(approvalAbove),
        listedOnly,
      }),
    }
    return decide(deps, operator, { kind: 'terms.limit', change }, because)
  },
})

function minor(value: number | 'none' | undefined): bigint | null | undefined {
  if (value === undefined) return undefined
  return value === 'none' ? null : BigInt(value)
}

const destination = {
  id: merchantId,
  destination: text(200),
  type,
  keyType: T.Optional(
    asks(oneOf('PixKeyType', pixKeyTypes, 'PIX: what the key is'), {
      option: 'key-type',
      reads: (word) => pixKeyTypeOf(word.toUpperCase()),
      missing: `It is one of ${pixKeyTypes.join(', ')}.`,
    }),
  ),
}
const words = ['id', 'destination']

type Destination = {
  readonly id: string
  readonly destination: string
  readonly type: PayoutType
  readonly keyType?: PixKeyType
}

/** In its normal form, in which the list has it. Throws AppError `invalid_request` for what is none. */
async function listedIn(deps: ActDeps['keys'], args: Destination, isNew: boolean): Promise<Listed> {
  const of = await merchantIn(deps, args.id)
  const known = isNew ? await knownAddresses(deps.sql) : undefined
  const read = readDestination(args.type, args.destination, args.keyType, known)
  if (read.ok) return { merchantId: of, type: args.type, destination: read.destination }
  const pointer = args.type === 'PIX' && args.keyType === undefined ? '/keyType' : '/destination'
  throw new AppError('invalid_request', `The destination ${read.message}.`, {
    faults: [{ pointer, code: 'invalid', message: read.message }],
  })
}

export const allowDestinationAct = act({
  ...shared,
  commands: { 'withdrawal destination add': { words } },
  console: writing('POST /operator/merchants/{id}/destinations', 'allowDestination', { status: 201 }),
  summary: 'Adds a PIX key or an address to the list of a merchant',
  args: {
    ...destination,
    reason: T.Optional(why('Whose it is, for people', { option: 'note' })),
  },
  async carryOut(deps, operator, args) {
    const listed = await listedIn(deps, args, true)
    const decided = await decide(deps, operator, { kind: 'terms.destination-add', listed }, args.reason)
    return isRequested(decided) ? decided : { listed }
  },
})

/** The destination is in the body: a PIX key may have characters that no path has. */
export const removeDestinationAct = act({
  ...shared,
  commands: { 'withdrawal destination remove': { words } },
  console: writing('POST /operator/merchants/{id}/destinations/remove', 'removeDestination'),
  summary: "Removes a PIX key or an address from a merchant's list",
  args: { ...destination, reason },
  async carryOut(deps, operator, args) {
    const listed = await listedIn(deps, args, false)
    const decided = await decide(deps, operator, { kind: 'terms.destination-remove', listed }, args.reason)
    if (!isRequested(decided) && !decided.isFound)
      throw new AppError('not_found', `${listed.destination} is not on the list.`)
    return decided
  },
})

export const makeDefaultWallet = act({
  commands: { 'wallet default': { fixed: { reason: undefined } } },
  console: writing('POST /operator/wallets/{id}/make-default', 'makeDefaultWallet'),
  summary: "Makes a wallet the default of its currency: the merchant's money is credited there from now on",
  needs: 'keys',
  args: { id: idOf('wallet', undefined, { value: 'wallet-id' }), reason },
  see: 'See ./vintem wallet list <merchant-id>.',
  carryOut: ({ sql }, operator, { id, reason: because }) =>
    chooseDefaultWallet(sql, operator, id as WalletId, because),
})
