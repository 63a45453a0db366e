// `coins wallets`, `coins lift`: shows the wallets that send; a person can let a stopped one continue.
import { readAddress, toChecksum } from '#/evm/address.ts'
import { liftWallet } from '#/operator/wallets.ts'
import { sendingWallets, type SendingWallet } from '#/treasury/wallets.ts'
import { operatorHere, requiredReason } from './audited.ts'
import { chainOptions, withNode } from './coins-node.ts'
import { sayDone, UsageError, type Command } from './command.ts'
import { whoDecides } from './decision.ts'
import { listing } from './listing.ts'
import { type Column } from './table.ts'

export const wallets = listing({
  summary: 'Lists the wallets that send, what waits in each, and why one is stopped',
  rows: sendingWallets,
  columns: () => columns,
  empty: 'No wallet sends yet.',
  recordOf: ({ nextNonce, ...row }) => ({ ...row, nextNonce: nextNonce.toString() }),
})

/** `log`: where decisions are logged. */
export const lift: Command = {
  summary:
    'Lets a stopped wallet send again, from the next nonce on the chain; find out first what stopped it',
  positionals: ['address'],
  options: {
    ...chainOptions,
    reason: { value: 'text', meaning: 'What you found; required, for the log' },
  },
  async run(call) {
    const { terminal, given } = call
    const reading = readAddress(given[0] ?? '')
    if (!reading.ok) throw new UsageError(`"${given[0]}" ${reading.message}.`, 'See ./vintem coins wallets.')
    const { address } = reading
    const found = requiredReason(call, 'Say what stopped it, and why that is over.')
    await withNode(call, async (sql, chain, rpc) => {
      const all = await sendingWallets(sql)
      const wallet = all.find((each) => each.chain === chain.key && each.address === address)
      const reason = wallet?.stopped ?? undefined
      if (reason === undefined)
        throw new UsageError('No such wallet is stopped.', 'See ./vintem coins wallets.')
      const lifted = await liftWallet(
        sql,
        operatorHere(),
        { chain: chain.key, rpc },
        { address, stopped: reason, reason: found },
      )
      const about = {
        chain: chain.key,
        wallet: address,
        stopped: reason,
        nextNonce: lifted.nextNonce.toString(),
      }
      call.log.info({ ...about, why: found, by: whoDecides() }, 'a person let a stopped wallet continue')
      sayDone(terminal, `${toChecksum(address)} sends again.`)
    })
  },
}

const columns: readonly Column<SendingWallet>[] = [
  { name: 'Chain', value: ({ chain }) => chain },
  { name: 'Wallet', value: ({ purpose }) => purpose },
  { name: 'Address', value: ({ address }) => toChecksum(address) },
  { name: 'Next nonce', value: ({ nextNonce }) => nextNonce.toString(), align: 'right' },
  { name: 'Queued', value: ({ queued }) => String(queued), align: 'right' },
  { name: 'Under way', value: ({ open }) => String(open), align: 'right' },
  {
    name: '',
    value: ({ stopped, waiting }) => (stopped === null ? (waiting ?? 'ok') : `stopped: ${stopped}`),
  },
]
