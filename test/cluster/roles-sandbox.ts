// A sandbox's providers beside api, worker and watcher as processes of their own. `start` opens the accounts and ends; from then on the
// simulators run by themselves, and only the roles do the work.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog } from '#/kernel/log.ts'
import { sandboxProviders } from '#/sandbox/methods/all.ts'
import { bank } from '#/sandbox/methods/bank.ts'
import type { SandboxFile } from '#/sandbox/provision.ts'
import { eventually } from '../eventually.ts'
import type { PageMethod, PagePayer } from '../journeys/crash-pages.ts'
import { inDatabase } from '../journeys/crash-pix.ts'
import type { LoadedInstallation } from '../journeys/installation.ts'
import { offsets, root, type openPlace } from '../journeys/place.ts'
import { controlOf } from '../journeys/shop.ts'
import { freePorts } from '../ports.ts'

const startMs = 300_000

export type RolesSandbox = {
  readonly file: SandboxFile
  /** Where the API runs: the providers call back there. */
  readonly port: number
  /** Further settings of the roles. */
  readonly env: Readonly<Record<string, string>>
}

/** Opens the accounts in the migrated database of the place, and starts the simulators. `stack` ends them. */
export async function openRolesSandbox(
  place: Awaited<ReturnType<typeof openPlace>>,
  stack: AsyncDisposableStack,
): Promise<RolesSandbox> {
  const port = await freePorts([
    ...new Set([...offsets, ...sandboxProviders.map(({ portOffset }) => portOffset)]),
  ])
  const { dataDir } = place
  // Not on the chain of the live merchants, and with a signer of its own.
  const apart = { VINTEM_BSC_RPC_URL: '', VINTEM_SIGNER_DIR: join(dataDir, 'signer') }
  const wallets = { VINTEM_BSC_HOT_WALLET: '', VINTEM_BSC_GAS_WALLET: '' }
  const first = await place.launch(root, 'start', { VINTEM_SANDBOX: 'on', ...apart, ...wallets }, port)
  const file = await eventually(
    () => `the sandbox is ready: ${first.output()}`,
    async () => (await first.isReady()) && place.sandbox(),
    startMs,
  )
  // It takes its simulators and its chain with it.
  assert.equal(await first.stop(), 0, first.output())
  for (const { start, portOffset } of sandboxProviders) {
    const running = await start({ dataDir, port: port + portOffset, log: silentLog })
    stack.defer(running.stop)
  }
  const { controlUrl } = file.simulators[bank.key]
  const made = await fetch(`${controlUrl}/_sim/server-certificates`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ hosts: ['127.0.0.1', 'localhost'] }),
  })
  const { certificate, privateKey } = (await made.json()) as Readonly<Record<string, string>>
  const fileOf = (name: string, text = '') => {
    const path = join(dataDir, name)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  const env = {
    // A sandbox's webhooks may go to this machine.
    VINTEM_SANDBOX: 'on',
    VINTEM_CALLBACK_CERT: fileOf('callbacks.crt', certificate),
    VINTEM_CALLBACK_KEY: fileOf('callbacks.key', privateKey),
  }
  return { file, port, env }
}

/** In an attempt's artifacts: what names the payment at its provider. */
const artifacts: Readonly<Record<PageMethod, string>> = {
  CREDIT_CARD: 'sessionId',
  IDEAL: 'intentId',
  PARTNER_PAY: 'prepayId',
}

/** A payer who opens the page at the API's process, and pays at the provider. */
export function createPagePayer(installation: LoadedInstallation): PagePayer {
  const act = (reference: string, method: PageMethod) => {
    if (method === 'PARTNER_PAY')
      return controlOf(installation, 'partnerWallet', 'POST', `/orders/${reference}`, { action: 'confirm' })
    const by =
      method === 'IDEAL'
        ? { intent: reference, act: 'approve' }
        : { session: reference, card: 'success', challenge: 'pass' }
    return controlOf(installation, 'acquirer', 'POST', '/pay', by)
  }
  return async ({ id, method, page }) => {
    // The API or the database may be away; the payer loads the page again.
    const isOpen = await fetch(`${page}/state`).then(
      async (answer) => (await answer.text()) !== '' && answer.ok,
      () => false,
    )
    if (!isOpen) return false
    const reference = await referenceOf(installation, id, artifacts[method]).catch(() => undefined)
    if (reference === undefined) return false
    await act(reference, method)
    return true
  }
}

function referenceOf(
  installation: LoadedInstallation,
  paymentId: string,
  artifact: string,
): Promise<string | undefined> {
  return inDatabase(installation, async (sql) => {
    const rows = await sql<{ reference: string | null }[]>`
      select artifacts ->> ${artifact} as reference from attempt where payment_id = ${paymentId}`
    return rows.map(({ reference }) => reference).find((each) => each !== null) ?? undefined
  })
}
