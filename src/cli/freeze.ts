// `freeze` and `unfreeze`: no money leaves, of one merchant, by one rail, or at all.
import type { Freeze } from '#/merchants/freeze.ts'
import { selectAllFreezes } from '#/merchants/queries.ts'
import { freezeMerchant, freezeMoney, unfreezeMerchant, unfreezeMoney } from '#/operator/acts/freezes.ts'
import { commandsOf } from './act-commands.ts'
import { group } from './command.ts'
import { listing } from './listing.ts'
import { dateText, type Column } from './table.ts'

const list = listing({
  summary: 'Shows what is frozen or suspended, since when, by whom and why',
  rows: selectAllFreezes,
  columns: () => columns,
  empty: 'Nothing is frozen.',
})

export const freezeCommand = group('freeze', {
  ...commandsOf(freezeMoney),
  ...commandsOf(freezeMerchant),
  list,
})

export const unfreezeCommand = group('unfreeze', {
  ...commandsOf(unfreezeMoney),
  ...commandsOf(unfreezeMerchant),
})

type Shown = Freeze & { readonly merchantName: string | null }

const states = { FREEZE: 'frozen', SUSPENSION: 'suspended', RESTORE: 'restored' } as const

const columns: readonly Column<Shown>[] = [
  { name: 'What', value: whatOf },
  { name: 'State', value: ({ kind }) => states[kind] },
  { name: 'Since', value: ({ at }) => dateText(at) },
  { name: 'By', value: ({ decidedBy }) => decidedBy },
  { name: 'Why', value: ({ reason }) => reason },
]

function whatOf({ merchantId, merchantName, rail }: Shown): string {
  if (merchantId !== null) return `${merchantName ?? ''} (${merchantId})`
  return rail ?? 'everything'
}
