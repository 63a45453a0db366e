// The operator's limits for a merchant's withdrawals: how much, from which amount a second person decides, and to which destinations.
import { payoutTypes, pixKeyTypes } from '#/contract/withdrawals.ts'
import type { KnownAddresses } from '#/kernel/evm-address.ts'
import { given } from '#/kernel/given.ts'
import { currencies, toDecimal, type Currency } from '#/kernel/money.ts'
import { printable } from '#/kernel/terminal.ts'
import { knownAddresses, payoutCurrencies, readDestination } from '#/operator/limits.ts'
import { type PayoutType } from '#/rails/payout-rail.ts'
import { pixKeyTypeOf } from '#/rails/pix/pix-key.ts'
import { selectDestinations, selectLimits, type ListedDestination } from '#/withdrawals/limit-queries.ts'
import type { Limit } from '#/withdrawals/limits.ts'
import { parseDecimal } from './amount.ts'
import { textOf } from './audited.ts'
import { UsageError, type Call, type Command, type Option } from './command.ts'
import { merchantOf, within } from './office.ts'
import { printRows, type Column } from './table.ts'
import { decideTermsHere, reasonOf, reasonOption } from './terms.ts'

const typeOption: Option = { value: payoutTypes.join('|'), meaning: 'How the money leaves' }

export const limit: Command = {
  summary: "Sets limits of a merchant's withdrawals; the others stay. Without any it shows them",
  positionals: ['merchant-id'],
  options: {
    type: typeOption,
    each: { value: 'amount|none', meaning: 'The most that one withdrawal may be, such as 1000.00' },
    day: { value: 'amount|none', meaning: 'The most of one day in UTC' },
    'approval-above': { value: 'amount|none', meaning: 'Above this amount a second API key has to approve' },
    'listed-only': { value: 'on|off', meaning: 'Only to listed destinations' },
    reason: reasonOption,
  },
  async run(call) {
    const { terminal, json, option } = call
    const reason = reasonOf(call)
    const named = ['each', 'day', 'approval-above', 'listed-only'].filter(
      (name) => option(name) !== undefined,
    )
    const type = named.length === 0 ? undefined : typeOf(call)
    const changes = type === undefined ? undefined : changesOf(call, payoutCurrencies[type])
    textOf(call, 'reason')
    await within(call, async (office) => {
      const { id: merchantId } = await merchantOf(call, office)
      if (type !== undefined) {
        const change = { ...changes, merchantId, type }
        const done = await decideTermsHere(call, office.sql, { kind: 'terms.limit', change }, reason)
        if (done === undefined) return
      }
      const empty = 'This merchant has no limits.'
      printRows(terminal, (await selectLimits(office.sql, [merchantId])).map(recordOf), {
        columns,
        json,
        empty,
      })
    })
  },
}

/** The limits that the call names, and only those. */
function changesOf({ option }: Call, currency: Currency): Partial<Limit> {
  const amount = (name: string, least: bigint): bigint | null | undefined => {
    const text = option(name)
    if (text === undefined) return undefined
    if (text === 'none') return null
    const minor = parseDecimal(text, currencies[currency].exponent)
    if (minor === undefined || minor < least)
      throw new UsageError(`--${name} is no amount.`, 'Write it as 1000.00, or none.')
    return minor
  }
  const listed = option('listed-only')
  if (listed !== undefined && listed !== 'on' && listed !== 'off')
    throw new UsageError(`--listed-only is "${listed}".`, 'It is on or off.')
  const [eachMinor, dayMinor] = [amount('each', 1n), amount('day', 1n)]
  const approvalAboveMinor = amount('approval-above', 0n)
  return {
    ...given({ eachMinor, dayMinor, approvalAboveMinor }),
    ...(listed === undefined ? {} : { listedOnly: listed === 'on' }),
  }
}

const keyType: Option = { value: pixKeyTypes.join('|'), meaning: 'PIX: what the key is' }

const add: Command = {
  summary: 'Adds a PIX key or an address to the list of a merchant',
  positionals: ['merchant-id', 'destination'],
  options: {
    type: typeOption,
    'key-type': keyType,
    note: { value: 'text', meaning: 'Whose it is, for people' },
  },
  async run(call) {
    const note = textOf(call, 'note', 200)
    await within(call, async (office) => {
      const [type, destination] = destinationOf(call, await knownAddresses(office.sql))
      const { id: merchantId } = await merchantOf(call, office)
      const listed = { merchantId, type, destination }
      const done = await decideTermsHere(call, office.sql, { kind: 'terms.destination-add', listed }, note)
      if (done === undefined) return
      const rows = await selectDestinations(office.sql, [merchantId])
      printDestinations(call, rows)
    })
  },
}

const list: Command = {
  summary: "Lists a merchant's allowed destinations",
  positionals: ['merchant-id'],
  options: {},
  async run(call) {
    await within(call, async (office) => {
      const { id } = await merchantOf(call, office)
      printDestinations(call, await selectDestinations(office.sql, [id]))
    })
  },
}

const remove: Command = {
  summary: "Removes a PIX key or an address from a merchant's list",
  positionals: ['merchant-id', 'destination'],
  options: { type: typeOption, 'key-type': keyType, reason: reasonOption },
  async run(call) {
    const reason = reasonOf(call)
    const [type, destination] = destinationOf(call)
    textOf(call, 'reason')
    await within(call, async (office) => {
      const { id: merchantId } = await merchantOf(call, office)
      const listed = { merchantId, type, destination }
      const done = await decideTermsHere(
        call,
        office.sql,
        { kind: 'terms.destination-remove', listed },
        reason,
      )
      if (done === undefined) return
      if (!done.isFound)
        throw new UsageError(
          `${destination} is not on the list.`,
          'See ./vintem withdrawal destination list.',
        )
      printDestinations(call, await selectDestinations(office.sql, [merchantId]))
    })
  },
}

export const destinationCommands = { add, list, remove } as const satisfies Record<string, Command>

/** In its normal form, in which the list stores destinations. */
function destinationOf(call: Call, known?: KnownAddresses): readonly [PayoutType, string] {
  const [, text = ''] = call.given
  const type = typeOf(call)
  const given = pixKeyTypeOf(call.option('key-type')?.toUpperCase())
  if (type === 'PIX' && given === undefined)
    throw new UsageError('--key-type is missing or unknown.', `It is one of ${pixKeyTypes.join(', ')}.`)
  const read = readDestination(type, text, given, known)
  if (!read.ok) throw new UsageError(`${text} ${read.message}.`, 'Nothing was changed.')
  return [type, read.destination]
}

function typeOf({ option }: Call): PayoutType {
  const type = payoutTypes.find((each) => each === option('type')?.toUpperCase())
  if (type === undefined)
    throw new UsageError('--type is missing or unknown.', `It is one of ${payoutTypes.join(', ')}.`)
  return type
}

function printDestinations({ terminal, json }: Call, rows: readonly ListedDestination[]): void {
  const empty = 'The list is empty.'
  printRows(terminal, rows, { columns: destinationColumns, json, empty })
}

const destinationColumns: readonly Column<ListedDestination>[] = [
  { name: 'Type', value: ({ type }) => type },
  { name: 'Destination', value: ({ destination }) => printable(destination) },
  { name: 'Note', value: ({ note }) => printable(note ?? '') },
]

type LimitRecord = ReturnType<typeof recordOf>

/** As `--json` shows it: an absent limit is unlimited. */
function recordOf({ type, currency, eachMinor, dayMinor, approvalAboveMinor, listedOnly }: Limit) {
  return {
    type,
    currency,
    ...(eachMinor === null ? {} : { each: eachMinor }),
    ...(dayMinor === null ? {} : { day: dayMinor }),
    ...(approvalAboveMinor === null ? {} : { approvalAbove: approvalAboveMinor }),
    listedOnly,
  }
}

const columns: readonly Column<LimitRecord>[] = [
  { name: 'Type', value: ({ type }) => type },
  { name: 'Currency', value: ({ currency }) => currency },
  { name: 'Each', value: ({ currency, each }) => limitText(each, currency), align: 'right' },
  { name: 'Day', value: ({ currency, day }) => limitText(day, currency), align: 'right' },
  {
    name: 'Approval above',
    value: ({ currency, approvalAbove }) => limitText(approvalAbove, currency),
    align: 'right',
  },
  { name: 'Destinations', value: ({ listedOnly }) => (listedOnly ? 'listed ones' : 'any') },
]

function limitText(minor: bigint | undefined, currency: Currency): string {
  return minor === undefined ? '-' : toDecimal({ minor, currency })
}
