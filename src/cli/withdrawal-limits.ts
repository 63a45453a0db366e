// The operator's limits for a merchant's withdrawals: how much, from which amount a second person decides, and to which destinations.
import type { Sql } from '#/db/client.ts'
import { toDecimal, type Currency } from '#/kernel/money.ts'
import { printable } from '#/kernel/terminal.ts'
import type { Limit } from '#/money-out/limits.ts'
import { selectDestinations, type ListedDestination } from '#/money-out/queries.ts'
import { allowDestinationAct, changeLimitsAct, removeDestinationAct } from '#/operator/acts/terms.ts'
import { limitsNow } from '#/withdrawals/terms.ts'
import { commandsOf } from './act-commands.ts'
import type { Call, Command } from './command.ts'
import { merchantOf, within } from './office.ts'
import { printRows, type Column } from './table.ts'

async function printLimits(call: Call, sql: Sql): Promise<void> {
  const rows = (await limitsNow(sql, await merchantOf(call, { sql }))).map(recordOf)
  const { terminal, json } = call
  printRows(terminal, rows, { columns, json, empty: 'This merchant has no limits.' })
}

export const limitCommand = commandsOf(changeLimitsAct, {
  table: { unless: ['each', 'day', 'approval-above', 'listed-only'], print: printLimits },
})

const list: Command = {
  summary: "Lists a merchant's allowed destinations",
  positionals: ['merchant-id'],
  run: (call) => within(call, ({ sql }) => printDestinations(call, sql)),
}

export const destinationCommands = {
  ...commandsOf(allowDestinationAct, { print: (call, _, { sql }) => printDestinations(call, sql) }),
  list,
  ...commandsOf(removeDestinationAct, { print: (call, _, { sql }) => printDestinations(call, sql) }),
}

async function printDestinations(call: Call, sql: Sql): Promise<void> {
  const { id } = await merchantOf(call, { sql })
  const { terminal, json } = call
  const rows = await selectDestinations(sql, [id])
  printRows(terminal, rows, { columns: destinationColumns, json, empty: 'The list is empty.' })
}

const destinationColumns: readonly Column<ListedDestination>[] = [
  { name: 'Type', value: ({ type }) => type },
  { name: 'Destination', value: ({ destination }) => printable(destination) },
  { name: 'Note', value: ({ note }) => printable(note ?? '') },
]

type LimitRecord = ReturnType<typeof recordOf>

/** As `--json` shows it: an absent limit is unlimited. */
function recordOf(limit: Limit) {
  const { type, currency, eachMinor, dayMinor, approvalAboveMinor, listedOnly, onePerson, isSuggested } =
    limit
  return {
    type,
    currency,
    ...(eachMinor === null ? {} : { each: eachMinor }),
    ...(dayMinor === null ? {} : { day: dayMinor }),
    ...(approvalAboveMinor === null ? {} : { approvalAbove: approvalAboveMinor }),
    ...(onePerson === true ? { onePerson } : {}),
    ...(isSuggested === true ? { isSuggested } : {}),
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
    value: ({ currency, approvalAbove, onePerson, isSuggested }) =>
      onePerson === true
        ? 'one person'
        : `${limitText(approvalAbove, currency)}${isSuggested === true ? ' (suggested)' : ''}`,
    align: 'right',
  },
  { name: 'Destinations', value: ({ listedOnly }) => (listedOnly ? 'listed ones' : 'any') },
]

function limitText(minor: bigint | undefined, currency: Currency): string {
  return minor === undefined ? '-' : toDecimal({ minor, currency })
}
