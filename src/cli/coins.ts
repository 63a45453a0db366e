// `coins`: where every coin lies, in the books and on the chain, to the base unit; and the refill that the operator signs.
import { formatUnits } from 'viem/utils'
import { baseUnitsPerCent } from '#/coins/units.ts'
import type { Config } from '#/config.ts'
import type { Sql } from '#/db/client.ts'
import { toChecksum } from '#/evm/address.ts'
import type { Log } from '#/kernel/log.ts'
import { toDecimal } from '#/kernel/money.ts'
import { printable, type Terminal } from '#/kernel/terminal.ts'
import { systemClock } from '#/kernel/time.ts'
import { compareCoins, type Comparison, type KnownChain } from '#/treasury/compare.ts'
import { bscFees } from '#/treasury/fees.ts'
import { forecastGas, type GasForecast } from '#/treasury/gas.ts'
import {
  forgetRefill,
  knownHotWallet,
  openRefill,
  prepareRefill,
  refillsItself,
  unitsToRefill,
  type OpenRefill,
  refillTransfer,
} from '#/treasury/refill.ts'
import { waitingSweeps, type WaitingSweep } from '#/treasury/sweep.ts'
import { parseDecimal } from './amount.ts'
import { audited } from './audited.ts'
import { bscAddress } from './bsc-settings.ts'
import { lift, wallets } from './coin-wallets.ts'
import { chainOptions, withChain, withNode } from './coins-node.ts'
import {
  runCommand,
  group,
  sayDone,
  UsageError,
  type Command,
  type CommandDeps,
  FoundFault,
  thereAre,
} from './command.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'

export async function coinsCommand(
  args: readonly string[],
  terminal: Terminal,
  deps: CommandDeps,
  log?: Log,
): Promise<number> {
  const [word] = args
  const words = group('coins', { refill, 'forget-refill': forget, wallets, lift })
  if (word !== undefined && !word.startsWith('-')) return words(args, terminal, deps, log)
  const code = await runCommand('coins', show, args, { terminal, deps })
  if (word !== '--help' && word !== '-h') return code
  terminal.out()
  return words(args, terminal, deps)
}

const show: Command = {
  summary: 'Shows where every coin lies, in the books and on the chain, and every difference',
  options: { ...chainOptions, all: { meaning: 'Also addresses that never received anything' } },
  async run(call) {
    let differences = 0
    await withNode(call, async (sql, chain, rpc) => {
      if (chain.final === undefined)
        throw new UsageError(`No watcher has followed the chain ${chain.key} yet.`, 'Start a watcher.')
      const found = await compareCoins(sql, rpc, chain.key, { all: call.flag('all') })
      const [gas, waiting, open] = await Promise.all([
        forecastGas(sql, rpc, { key: chain.key }, bscFees),
        waitingSweeps(sql, chain.key),
        openRefill(sql, chain.key),
      ])
      differences = found.differences.length
      if (call.json)
        printRecord(call.terminal, recordOf(found, gas, waiting, open), { labels: {}, json: true })
      else print(call.terminal, found, { gas, waiting, open })
    })
    if (differences > 0)
      throw new FoundFault(
        thereAre(differences, 'difference'),
        'docs/treasury.md says what each means and what to do.',
      )
  },
}

const refill: Command = {
  summary: 'Prepares the transaction that fills the hot wallet from the treasury, for the operator to sign',
  options: {
    ...chainOptions,
    amount: { value: 'usdt', meaning: 'This much, instead of up to the high watermark' },
  },
  async run(call) {
    const { terminal, deps, option, json } = call
    const config = deps.config()
    await withChain(call, async (sql, chain) => {
      const hot = await hotOf(config, sql, chain)
      const open = await openRefill(sql, chain.key)
      if (await refillsItself(sql, chain))
        throw new UsageError(
          "The signer has the treasury's key and refills by itself.",
          'There is nothing to sign.',
        )
      const units = open?.units ?? (await wantedUnits(sql, chain, hot, config, option('amount')))
      const at = systemClock.now()
      if (open === undefined)
        await audited(sql, async (tx, note) => {
          const id = await prepareRefill(tx, chain.key, units, at)
          if (id === undefined)
            throw new UsageError('Another person has just prepared a refill.', 'The same command shows it.')
          note({ action: 'coins.refill', subject: `refill:${id}`, after: { units: units.toString(), hot } })
        })
      const { to, data } = refillTransfer(chain.token, hot, units)
      const transaction = {
        chainId: chain.chainId.toString(),
        from: toChecksum(chain.treasury),
        to: toChecksum(to),
        value: '0',
        data,
        amount: formatUnits(units, 18),
        recipient: toChecksum(hot),
      }
      if (json) return printRecord(terminal, transaction, { labels: {}, json })
      terminal.out(
        open === undefined
          ? 'Sign this with the treasury:'
          : 'A refill was prepared before and is still expected:',
      )
      for (const [name, value] of Object.entries(transaction)) terminal.out(`  ${name.padEnd(10)} ${value}`)
      terminal.out(
        'Its arrival is booked automatically when it is final. Choose the nonce in the treasury wallet.',
      )
    })
  },
}

const forget: Command = {
  summary: 'Records that a prepared refill will not be signed',
  options: { chain: chainOptions.chain },
  async run(call) {
    await withChain(call, async (sql, chain) => {
      await audited(sql, async (tx, note) => {
        const isForgotten = await forgetRefill(tx, chain.key, systemClock.now())
        if (!isForgotten) throw new UsageError('No refill waits for a signature.', 'Nothing was changed.')
        note({ action: 'coins.forget-refill', subject: `chain:${chain.key}` })
      })
      sayDone(call.terminal, `The refill is no longer expected.`)
    })
  },
}

async function wantedUnits(
  sql: Sql,
  chain: KnownChain,
  hot: `0x${string}`,
  config: Config,
  amount: string | undefined,
): Promise<bigint> {
  if (amount !== undefined) {
    const cents = parseDecimal(amount, 2)
    if (cents !== undefined && cents > 0n) return cents * baseUnitsPerCent
    throw new UsageError(`"${amount}" is no amount of USDT.`, 'It looks like 1500 or 1500.50.')
  }
  const watermarks = {
    low: BigInt(config.VINTEM_HOT_LOW) * baseUnitsPerCent,
    high: BigInt(config.VINTEM_HOT_HIGH) * baseUnitsPerCent,
  }
  const lacking = await unitsToRefill(sql, chain, { hot, watermarks })
  if (lacking.ok) return lacking.units
  const why = lacking.reason === 'enough' ? 'The hot wallet has enough.' : 'The treasury has no USDT.'
  throw new UsageError(why, 'See ./vintem coins, or set the amount with --amount.')
}

async function hotOf(config: Config, sql: Sql, { key }: KnownChain): Promise<`0x${string}`> {
  const named = key === 'bsc' ? bscAddress(config, 'VINTEM_BSC_HOT_WALLET') : undefined
  const hot = named ?? (await knownHotWallet(sql, key))
  if (hot === undefined)
    throw new UsageError(`The chain ${key} has no hot wallet.`, 'Set VINTEM_BSC_HOT_WALLET.')
  return hot
}

type More = {
  readonly gas: readonly GasForecast[]
  readonly waiting: readonly WaitingSweep[]
  readonly open: OpenRefill | undefined
}

type Place = Comparison['places'][number]

function print(
  { out, paint, symbols, ...terminal }: Terminal,
  found: Comparison,
  { gas, waiting, open }: More,
): void {
  const { chain, block, places, accounts, residue, inFlight, strange, differences } = found
  out(`${paint.strong('Coins')} of ${chain.key} at block ${block.number} (${block.hash})`)
  out()
  printRows({ out, paint, symbols, ...terminal }, places, {
    columns: placeColumns(accounts),
    json: false,
    empty: '',
  })
  out()
  out(`Below a whole cent of the accounts: ${formatUnits(residue, 18)} USDT`)
  for (const { purpose, count, units } of inFlight)
    out(`Under way: ${count} ${purpose.toLowerCase()} of ${formatUnits(units, 18)} USDT`)
  if (open !== undefined)
    out(`A refill of ${formatUnits(open.units, 18)} USDT is expected since ${dateText(open.createdAt)}`)
  for (const { address, fails, reason, dueAt } of waiting) {
    const next = dueAt === null ? 'under way again' : `again at ${dateText(dueAt)}`
    out(
      printable(
        `${toChecksum(address)} was not collected ${fails} times (${reason ?? 'no reason'}), ${next}`,
      ),
    )
  }
  for (const { id, bookedAs, units, sender, recipient, txHash } of strange) {
    const what = bookedAs === 'FOUND' ? `came from ${sender}` : `left for ${recipient}`
    out(`${paint.bad(symbols.fail)} ${formatUnits(units, 18)} USDT ${what} in ${txHash}, unexplained (${id})`)
  }
  out()
  for (const { address, purpose, wei, transactions, isLow } of gas) {
    const mark = isLow ? paint.bad(symbols.fail) : paint.good(symbols.done)
    const use = purpose === 'gas' ? 'first collections' : 'transfers'
    out(
      `${mark} ${purpose.padEnd(8)} ${toChecksum(address)} has ${formatUnits(wei, 18)} BNB: ${transactions} ${use} at present fees`,
    )
  }
  out()
  if (differences.length === 0) out(`${paint.good(symbols.done)} Books and chain agree to the base unit.`)
  for (const { where, what } of differences) out(printable(`${symbols.fail} ${where} ${what}`))
}

function placeColumns(accounts: Comparison['accounts']): readonly Column<Place>[] {
  return [
    {
      name: 'Place',
      value: ({ place, addresses }) => (place === 'deposit' ? `${addresses} deposit addresses` : place),
    },
    { name: 'Address', value: ({ address }) => (address === undefined ? '' : toChecksum(address)) },
    {
      name: 'Account',
      value: ({ place }) => toDecimal({ minor: accounts[place], currency: 'USDT' }),
      align: 'right',
    },
    { name: 'In the books', value: ({ units }) => formatUnits(units, 18), align: 'right' },
    { name: 'Not booked yet', value: ({ unbooked }) => formatUnits(unbooked, 18), align: 'right' },
    { name: 'On the chain', value: ({ onChain }) => formatUnits(onChain, 18), align: 'right' },
  ]
}

/** As `--json` shows it: base units and wei as decimal strings. */
function recordOf(
  found: Comparison,
  gas: readonly GasForecast[],
  waiting: readonly WaitingSweep[],
  open: OpenRefill | undefined,
): Readonly<Record<string, unknown>> {
  const { chain, block, places, accounts, residue, inFlight, strange, differences } = found
  return {
    ok: differences.length === 0,
    chain: chain.key,
    chainId: chain.chainId.toString(),
    block: { number: block.number, hash: block.hash },
    places: places.map(({ units, unbooked, onChain, ...place }) => ({
      ...place,
      accountMinor: accounts[place.place],
      units: units.toString(),
      unbooked: unbooked.toString(),
      onChain: onChain.toString(),
    })),
    residue: residue.toString(),
    underWay: inFlight.map(({ units, ...each }) => ({ ...each, units: units.toString() })),
    ...(open === undefined ? {} : { refill: { units: open.units.toString(), since: open.createdAt } }),
    notCollected: waiting,
    unexplained: strange.map(({ units, ...each }) => ({ ...each, units: units.toString() })),
    gas: gas.map(({ wei, transactions, ...each }) => ({
      ...each,
      wei: wei.toString(),
      transactions: transactions.toString(),
    })),
    differences,
  }
}
