// What a sandbox has outside of itself: the chain's node and the other side of every wire, each a process of its own. They
// need no database, so they start beside it.
import type { Config } from '#/config.ts'
import type { Log } from '#/kernel/log.ts'
import { startAcquirer, type CardAcquirer } from '#/sandbox/acquirer.ts'
import { startBank, type Bank } from '#/sandbox/bank.ts'
import { startSandboxChain, type SandboxChain } from '#/sandbox/chain-process.ts'
import { startPartnerWallet, type PartnerWallet } from '#/sandbox/partner-wallet.ts'
import { allOf, type Closer } from './run.ts'

export type Simulators = {
  readonly bank: Bank
  readonly acquirer: CardAcquirer
  readonly partnerWallet: PartnerWallet
}

export type Outside = { readonly node: SandboxChain; readonly simulators: Simulators }

type OutsideDeps = {
  readonly config: Config
  readonly log: Log
  readonly closer: Closer
  /** Something else that the start needs has failed: nothing more has to come up. */
  readonly failing: AbortSignal
}

/** A block every 0.45 s, as on BSC. */
const blockTimeSeconds = 0.45

/** Starts them all. What came up is told to the closer, also when another one fails. */
export async function openOutside({ config, log, closer, failing }: OutsideDeps): Promise<Outside> {
  const { dataDir, PORT } = config
  const place = (offset: number, signal: AbortSignal) => ({
    dataDir,
    port: PORT + offset,
    log,
    signal: AbortSignal.any([failing, signal]),
  })
  const kept = async <Process extends { readonly stop: () => Promise<void> }>(
    name: string,
    starting: Promise<Process>,
  ) => {
    const started = await starting
    closer.add(name, started.stop)
    return started
  }
  const [node, bank, acquirer, partnerWallet] = await allOf((signal) => [
    kept('chain', startSandboxChain({ dataDir, port: PORT + 21, blockTimeSeconds, log })),
    kept('bank', startBank(place(10, signal))),
    kept('acquirer', startAcquirer(place(12, signal))),
    kept('wallet app', startPartnerWallet(place(13, signal))),
  ])
  return { node, simulators: { bank, acquirer, partnerWallet } }
}
