// `rescue`: what arrived at our addresses and is no payment. Other tokens, native coin and what arrived on another EVM network are sent
// to the treasury; unexplained coins there are credited when one person proposes the owner and another confirms.
import { formatUnits } from 'viem/utils'
import type { Sql, Tx } from '#/db/client.ts'
import { factoryAddress, readAddress, toChecksum, type Address } from '#/evm/address.ts'
import { createRpc } from '#/evm/client.ts'
import { given } from '#/kernel/given.ts'
import { isUuid, type MerchantId } from '#/kernel/id.ts'
import { printable } from '#/kernel/terminal.ts'
import { minuteMs, systemClock } from '#/kernel/time.ts'
import { confirmOwnerAs, proposeOwnerAs } from '#/operator/found-coins.ts'
import { writeAudit } from '#/people/audit-log.ts'
import type { OwnerVerdict } from '#/settlement/credit-found-coins.ts'
import { unexplainedMoves, type KnownChain, type StrangeMove } from '#/treasury/compare.ts'
import {
  factoryDeployment,
  findLost,
  findStrays,
  knownGasWallet,
  nativeCoin,
  rescueElsewhere,
  rescueHere,
  rescueRecord,
  rescuesOf,
  type Lost,
  type NewRescue,
  type Rescue,
} from '#/treasury/rescue.ts'
import { byOperator, operatorHere, textOf } from './audited.ts'
import { bscAddress } from './bsc-settings.ts'
import { chainOptions, withNode } from './coins-node.ts'
import { group, sayDone, UsageError, type Call, type Command, type Option } from './command.ts'
import { withDatabase } from './database.ts'
import { commandLog, whoDecides } from './decision.ts'
import { signerAt } from './signer-client.ts'
import { dateText, printRecord, printRows, type Column } from './table.ts'
import { withCore } from './with-core.ts'

const network: Option = { value: 'url', meaning: 'JSON-RPC of another EVM network, where it came by mistake' }
const tokenOption: Option = { value: 'address', meaning: 'A token, or native for the coin of the network' }

const byOption: Option = {
  value: 'name',
  meaning: 'Your name, where several people share an account of this machine',
}

const list: Command = {
  summary: 'Shows what lies at our addresses and is no payment, what was rescued, and unexplained coins',
  options: { ...chainOptions, network, token: tokenOption },
  async run(call) {
    await withNode(call, async (sql, chain, rpc) => {
      const tokens = tokensOf(call)
      const lost = await (async () => {
        const url = call.option('network')
        if (url === undefined)
          return [
            ...(await findStrays(sql, rpc, chain.key)),
            ...(await findLost(sql, rpc, chain.key, tokens)),
          ]
        const away = createRpc(url, { timeoutMs: 10_000 })
        try {
          return await findLost(sql, away, chain.key, tokens)
        } finally {
          away.close()
        }
      })()
      const rescues = await rescuesOf(sql, chain.key)
      const found = await unexplainedMoves(sql, chain.key)
      print(call, lost, rescues, found)
    })
  },
}

const make: Command = {
  summary:
    'Sends what lies at a deposit address to the treasury; on another network it deploys the factory there first',
  positionals: ['address'],
  options: {
    ...chainOptions,
    network,
    token: { ...tokenOption, meaning: `${tokenOption.meaning}; required` },
    'max-fee': {
      value: 'gwei',
      meaning: 'The most that one gas may cost on the other network; default: 100',
    },
  },
  async run(call) {
    const [address, token] = [addressOf(call.given[0]), tokenOf(call)]
    await withNode(call, async (sql, home, rpc) => {
      const by = whoDecides()
      const url = call.option('network')
      const away = url === undefined ? undefined : createRpc(url, { timeoutMs: 10_000 })
      try {
        const audit = (tx: Tx, { id, chainId, units }: NewRescue) =>
          writeAudit(tx, [
            byOperator({
              action: 'rescue.make',
              subject: `rescue:${id}`,
              after: { chainId: chainId.toString(), address, token, units: units.toString() },
            }),
          ])
        const alsoDeploying = (tx: Tx, chainId: bigint) =>
          writeAudit(tx, [byOperator({ action: 'rescue.deploy', subject: `chain:evm-${chainId}` })])
        const common = { sql, clock: systemClock, home, address, token, by }
        const request = { ...common, also: audit, alsoDeploying }
        const rescue =
          away === undefined
            ? await rescueHere({ ...request, rpc })
            : await rescueElsewhere({ ...request, rpc: away, ...(await sending(call, sql, home)) })
        call.log.info(
          { rescue: rescue.id, chainId: rescue.chainId.toString(), address, token, by },
          'a rescue was requested',
        )
        say(call, rescue)
      } finally {
        away?.close()
      }
    })
  },
}

async function sending(call: Call, sql: Sql, { key, treasury }: KnownChain) {
  const config = call.deps.config()
  const gas = bscAddress(config, 'VINTEM_BSC_GAS_WALLET') ?? (await knownGasWallet(sql, key))
  if (gas === undefined)
    throw new UsageError('No wallet pays for gas.', 'Set VINTEM_BSC_GAS_WALLET to the address of a gas key.')
  const maxFee = call.option('max-fee') ?? '100'
  if (!/^\d{1,6}$/.test(maxFee)) throw new UsageError(`"${maxFee}" is no fee.`, 'It looks like 100.')
  const { to, dataHash } = factoryDeployment(treasury)
  const report = (text: string) => {
    if (!call.json) call.terminal.out(text)
  }
  report(
    `The policy of ${gas} must allow there: exact ${dataHash} to ${to}, and sweep of ${factoryAddress(treasury)}.`,
  )
  return {
    gas,
    signer: signerAt(config.signer),
    fees: { floor: 1_000_000n, cap: BigInt(maxFee) * 10n ** 9n },
    log: commandLog(config),
    pollMs: 1_000,
    patienceMs: 30 * minuteMs,
    report,
  }
}

const propose: Command = {
  summary: 'Proposes the owner of unexplained coins at the treasury; another person has to confirm',
  positionals: ['id'],
  options: {
    merchant: { value: 'merchant-id', meaning: 'Whose they are; required' },
    note: { value: 'text', meaning: 'Why, kept with the decision' },
    by: byOption,
  },
  async run(call) {
    const [move, by] = [moveOf(call), byOf(call)]
    const merchant = call.option('merchant')?.toLowerCase() ?? ''
    if (!isUuid(merchant)) throw new UsageError('--merchant is missing.', 'Name the owner of the coins.')
    const note = textOf(call, 'note')
    await withDatabase(call.deps.config(), async (sql) => {
      const proposal = {
        move,
        merchantId: merchant as MerchantId,
        by,
        ...given({ note }),
      }
      if (!(await proposeOwnerAs({ sql, clock: systemClock }, operatorHere(), proposal)))
        throw new UsageError(`No unexplained coins are ${move}.`, 'See ./vintem rescue list.')
      call.log.info({ move, merchant, by, why: note }, 'an owner of found coins was proposed')
      sayDone(call.terminal, `Another person confirms it: ./vintem rescue confirm ${move}`)
    })
  },
}

const confirm: Command = {
  summary: "Confirms another person's proposal: the coins are credited to the merchant's default wallet",
  positionals: ['id'],
  options: { by: byOption },
  async run(call) {
    const [move, by] = [moveOf(call), byOf(call)]
    await withCore(call.deps.config(), async (core) => {
      const verdict = await confirmOwnerAs(core, operatorHere(core.config), { move, by })
      if (verdict.kind !== 'credited') throw refusalOf(verdict, by)
      const { proposal, walletId } = verdict
      call.log.info(
        { move, merchant: proposal.merchantId, proposedBy: proposal.proposedBy, by },
        'found coins were credited',
      )
      const record = {
        move,
        merchantId: proposal.merchantId,
        walletId,
        amount: proposal.minor,
        currency: 'USDT',
      }
      if (call.json) printRecord(call.terminal, record, { labels: {}, json: true })
      else sayDone(call.terminal, `Credited to wallet ${walletId}.`)
    })
  },
}

export const rescueCommand = group('rescue', { list, make, propose, confirm })

function byOf({ option }: Call): string {
  const name = option('by')?.trim()
  if (name === undefined) return whoDecides()
  if (!/^[\p{L}\p{N} .@_-]{2,80}$/u.test(name))
    throw new UsageError(`"${name}" is no name.`, 'Use letters and digits.')
  return name
}

function refusalOf(verdict: Exclude<OwnerVerdict, { kind: 'credited' }>, by: string): UsageError {
  switch (verdict.kind) {
    case 'not_proposed':
      return new UsageError('No owner of these coins was proposed.', 'See ./vintem rescue propose --help.')
    case 'same_person':
      return new UsageError(`${by} has proposed it.`, 'Another person has to confirm.')
    case 'other_place':
      return new UsageError('It was proposed in the console.', 'Another operator confirms it there.')
    case 'already':
      return new UsageError(`${verdict.proposal.confirmedBy} has confirmed already.`, 'Nothing was changed.')
    case 'unknown_merchant':
      return new UsageError(
        `There is no merchant ${verdict.proposal.merchantId}.`,
        'Propose it again for the right one.',
      )
    case 'other_mode':
      return new UsageError(
        `The coins are ${verdict.proposal.mode}, the merchant is not.`,
        'Propose it again.',
      )
    case 'no_wallet':
      return new UsageError('The merchant has no default wallet in USDT.', 'Create one: POST /v1/wallets.')
    case 'unbookable':
      return new UsageError(
        'An account that it would move is in another currency.',
        'Nothing was changed. ./vintem verify says which account.',
      )
  }
}

function print(
  call: Call,
  lost: readonly Lost[],
  rescues: readonly Rescue[],
  found: readonly StrangeMove[],
): void {
  const { terminal, json } = call
  if (json) {
    const lostRows = lost.map(({ units, ...each }) => ({ ...each, units: units.toString() }))
    const record = { lost: lostRows, rescues: rescues.map(rescueRecord), found: found.map(foundRecord) }
    return printRecord(terminal, record, { labels: {}, json })
  }
  printRows(terminal, lost, {
    columns: lostColumns,
    json,
    empty: 'Nothing lies at our addresses that is no payment.',
  })
  if (rescues.length > 0) {
    terminal.out()
    printRows(terminal, rescues, { columns: rescueColumns, json, empty: '' })
  }
  if (found.length > 0) {
    terminal.out()
    printRows(terminal, found, { columns: foundColumns, json, empty: '' })
  }
}

function say({ terminal, json }: Call, rescue: Rescue): void {
  if (json) return printRecord(terminal, rescueRecord(rescue), { labels: {}, json })
  const end =
    rescue.state === 'FINAL'
      ? `is at the treasury (${rescue.txHash})`
      : 'is sent by the worker: ./vintem rescue list'
  sayDone(terminal, `What lay at ${toChecksum(rescue.address)} ${end}.`)
}

function foundRecord({ units, ...move }: StrangeMove) {
  return { ...move, units: units.toString() }
}

function tokenOf(call: Call): Address {
  const [token] = tokensOf(call)
  if (token === undefined || call.option('token') === undefined)
    throw new UsageError('--token is missing.', 'Name the token, or say --token native.')
  return token
}

function tokensOf({ option }: Call): readonly Address[] {
  const text = option('token')
  return text === undefined || text === 'native' ? [nativeCoin] : [addressOf(text)]
}

function addressOf(text: string | undefined): Address {
  const reading = readAddress(text ?? '')
  if (!reading.ok) throw new UsageError(`"${text}" ${reading.message}.`, 'Nothing was changed.')
  return reading.address
}

function moveOf({ given: [text = ''] }: Call): string {
  if (!isUuid(text.toLowerCase()))
    throw new UsageError(`"${text}" is no id of a movement.`, 'See ./vintem rescue list.')
  return text.toLowerCase()
}

const nameOf = (token: Address) => (token === nativeCoin ? 'native' : toChecksum(token))

const lostColumns: readonly Column<Lost>[] = [
  { name: 'Address', value: ({ address }) => toChecksum(address) },
  { name: 'Token', value: ({ token }) => nameOf(token) },
  { name: 'Base units', value: ({ units }) => units.toString(), align: 'right' },
  { name: 'Payment', value: ({ paymentId }) => paymentId },
]

const rescueColumns: readonly Column<Rescue>[] = [
  { name: 'Rescued at', value: ({ createdAt }) => dateText(createdAt) },
  { name: 'Chain id', value: ({ chainId }) => chainId.toString(), align: 'right' },
  { name: 'Address', value: ({ address }) => toChecksum(address) },
  { name: 'Token', value: ({ token }) => nameOf(token) },
  { name: 'Base units', value: ({ units }) => units.toString(), align: 'right' },
  { name: 'State', value: ({ state, failure }) => printable([state, failure].filter(Boolean).join(': ')) },
]

const foundColumns: readonly Column<StrangeMove>[] = [
  { name: 'Id', value: ({ id }) => id },
  {
    name: 'USDT',
    value: ({ units, bookedAs }) => `${bookedAs === 'LEFT' ? '-' : ''}${formatUnits(units, 18)}`,
    align: 'right',
  },
  { name: 'Transaction', value: ({ txHash }) => txHash },
  {
    name: 'Proposed',
    value: ({ proposal }) =>
      printable(proposal === undefined ? '-' : `${proposal.merchantId} by ${proposal.proposedBy}`),
  },
]
