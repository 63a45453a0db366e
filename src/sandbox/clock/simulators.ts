// The simulated providers at which a merchant has accounts. Each moves its own side of the merchant's time, account by account.
import type { MerchantId } from '#/kernel/id.ts'
import { secondMs } from '#/kernel/time.ts'
import type { OpenConnection, OpenConnectionBook } from '#/merchants/connections.ts'
import type { ControlCall } from '../control-call.ts'
import type { RunningProviders } from '../methods/all.ts'
import type { SandboxFile } from '../provision.ts'

/** A simulated provider, and a merchant's account there. */
export type SimulatorAccount = {
  /** Its name for people: "bank". */
  readonly name: string
  /** Moves what is ahead of the account. The same id counts once. */
  move(step: { readonly id: string; readonly byMs: number }): Promise<unknown>
}

/** The accounts of a merchant. `isAlone`: no other merchant uses the common connection of this method. */
export type SimulatorsOf = (
  merchantId: MerchantId,
  isAlone: (method: string) => Promise<boolean>,
) => Promise<readonly SimulatorAccount[]>

/** Where a connection's method and account at each provider are. A provider knows an account by one of its credentials. */
const places: Readonly<
  Record<
    keyof SandboxFile['simulators'],
    { readonly method: string; readonly account: (connection: OpenConnection) => unknown }
  >
> = {
  pixBank: { method: 'PIX', account: ({ secrets }) => secrets['clientId'] },
  acquirer: { method: 'CREDIT_CARD', account: ({ settings }) => settings['accountId'] },
  partnerWallet: { method: 'PARTNER_PAY', account: ({ secrets }) => secrets['apiKey'] },
  sepaBank: { method: 'SEPA_TRANSFER', account: ({ settings }) => settings['iban'] },
}

/** A shared connection counts only for a merchant that alone uses it: the clock of others must not move. */
export function simulatorsOf(
  connections: Pick<OpenConnectionBook, 'of'>,
  running: RunningProviders,
): SimulatorsOf {
  return async (merchantId, isAlone) => {
    const found: SimulatorAccount[] = []
    for (const [{ name, key }, { control }] of running) {
      const { method, account } = places[key]
      const open = connections.of({ method, mode: 'SANDBOX', merchantId })
      const ofMerchant = open.filter((each) => each.merchantId === merchantId)
      const counted =
        ofMerchant.length === 0 && open.length > 0 && (await isAlone(method)) ? open : ofMerchant
      for (const id of new Set(counted.map(account)))
        if (typeof id === 'string') found.push({ name, move: (step) => moveAt(control, id, step) })
    }
    return found
  }
}

/** The longest wait for an answer. */
const answerMs = 5 * secondMs

function moveAt(
  control: ControlCall,
  account: string,
  { id, byMs }: { readonly id: string; readonly byMs: number },
): Promise<unknown> {
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error('no answer in time')), answerMs).unref()
  })
  return Promise.race([control('POST', '/_sim/clock', { account, advanceMs: byMs, id }), late])
}
