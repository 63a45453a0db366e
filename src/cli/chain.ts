// `chain`: shows which chains are followed, which are halted and why; a person can let a halted one continue.
import { deploymentData, deterministicDeployer, factoryCreation, toChecksum } from '#/evm/address.ts'
import { liftChain } from '#/operator/parked.ts'
import { selectChainStates, type ChainState } from '#/rails/crypto/watch-queries.ts'
import { operatorHere, reasonPart, textOf } from './audited.ts'
import { factoryOf } from './bsc-settings.ts'
import { group, sayDone, UsageError, type Command } from './command.ts'
import { withDatabase } from './database.ts'
import { whoDecides } from './decision.ts'
import { listing } from './listing.ts'
import { printRecord, type Column } from './table.ts'

const list = listing({
  summary: 'Lists the chains: how far each was followed, and why one is halted',
  rows: selectChainStates,
  columns: () => columns,
  empty: 'No chain was connected yet.',
})

const lift: Command = {
  summary: 'Lets a halted chain be followed again: what was held back is credited',
  positionals: ['key'],
  options: {
    reason: {
      value: 'text',
      meaning: 'Why it is halted, word for word as chain list shows it: proof that you have read it',
    },
    yes: { meaning: 'Instead of the reason: you know it' },
    why: { value: 'text', meaning: 'What you found, for the log' },
  },
  async run(call) {
    const { terminal, deps, given, option, flag, json } = call
    const [key = ''] = given
    const why = textOf(call, 'why')
    await withDatabase(deps.config(), async (sql) => {
      const chain = (await selectChainStates(sql)).find((each) => each.key === key)
      if (chain === undefined) throw new UsageError(`There is no chain ${key}.`, 'See ./vintem chain list.')
      const { halted } = chain
      if (halted === null)
        throw new UsageError(`The chain ${key} is not halted.`, 'There is nothing to lift.')
      if (!flag('yes') && option('reason') !== halted) {
        throw new UsageError(
          `The chain ${key} is halted: ${halted}.`,
          'Compare with other nodes and explorers first. Then repeat the reason with --reason, or use --yes.',
        )
      }
      // Lifts only the reason that was read: the chain may have been halted again for another one meanwhile.
      await liftChain(sql, operatorHere(), { key, halted, ...reasonPart(why) })
      call.log.info({ chain: key, halted, by: whoDecides(), why }, 'a halted chain was lifted by a person')
      if (json) printRecord(terminal, { key, lifted: halted }, { labels: {}, json })
      else sayDone(terminal, `The chain ${key} is followed again within a minute.`)
    })
  },
}

const contracts: Command = {
  summary:
    'Prints the transaction that deploys the contracts of VINTEM_BSC_TREASURY, for any account to send',
  async run({ terminal, deps, json }) {
    const { treasury, factory, implementation } = factoryOf(deps.config())
    const record = {
      treasury: toChecksum(treasury),
      factory: toChecksum(factory),
      implementation: toChecksum(implementation),
      to: toChecksum(deterministicDeployer),
      data: deploymentData(factoryCreation(treasury)),
    }
    const labels = {
      treasury: 'Treasury',
      factory: 'Factory',
      implementation: 'Forwarder',
      to: 'Send to',
      data: 'Data',
    }
    printRecord(terminal, record, { labels, json })
  },
}

export const chainCommand = group('chain', { list, lift, contracts })

const columns: readonly Column<ChainState>[] = [
  { name: 'Key', value: ({ key }) => key },
  { name: 'Chain id', value: ({ chainId }) => String(chainId), align: 'right' },
  { name: 'Block', value: ({ number }) => String(number ?? 'none'), align: 'right' },
  { name: 'Final', value: ({ finalNumber }) => String(finalNumber ?? 'none'), align: 'right' },
  { name: 'State', value: ({ halted }) => (halted === null ? 'not halted' : `halted: ${halted}`) },
]
