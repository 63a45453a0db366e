// The methods of the sandbox. One with a payer of its own is a payer and its provider in files beside this one, and its line here.
import { localMethods, type LocalName } from '#/rails/acquirer/methods/all.ts'
import type { Method } from '#/rails/method.ts'
import type { PayableName } from '#/rails/methods.ts'
import { controlOf } from '../control-call.ts'
import type { MethodPayer } from '../pay.ts'
import type { SandboxFile } from '../provision.ts'
import { acquirer } from './acquirer.ts'
import { bank } from './bank.ts'
import type { PayerDeps, SandboxMethod } from './method.ts'
import { partnerWallet } from './partner-wallet.ts'
import { createCryptoPayer } from './pay-crypto.ts'
import { createCardPayer, createPartnerPayer, localPayer } from './pay-page.ts'
import { createPixPayer } from './pay-pix.ts'
import { createSepaPayer } from './pay-sepa.ts'
import type { ConnectDeps, Owner, RunningProvider, SandboxProvider } from './provider.ts'
import { sepaBank } from './sepa-bank.ts'

const own: Readonly<Record<Exclude<PayableName, LocalName>, SandboxMethod>> = {
  PIX: { provider: bank, createPayer: createPixPayer },
  CREDIT_CARD: { provider: acquirer, createPayer: createCardPayer },
  CRYPTO: { createPayer: createCryptoPayer },
  PARTNER_PAY: { provider: partnerWallet, createPayer: createPartnerPayer },
  SEPA_TRANSFER: { provider: sepaBank, createPayer: createSepaPayer },
}

const sandboxMethods: ReadonlyMap<Method, SandboxMethod> = new Map([
  ...(Object.entries(own) as [Method, SandboxMethod][]),
  ...localMethods.map(
    (local) => [local.method, { provider: acquirer, createPayer: localPayer(local) }] as const,
  ),
])

/** The sandbox's providers, in the order in which they are shown. */
export const sandboxProviders: readonly SandboxProvider[] = [
  ...new Set(
    [...sandboxMethods.values()].flatMap(({ provider }) => (provider === undefined ? [] : [provider])),
  ),
]

export type RunningProviders = ReadonlyMap<SandboxProvider, RunningProvider>

/** The providers of a sandbox that another process runs. */
export function providersAt({ simulators }: SandboxFile): RunningProviders {
  return new Map(
    sandboxProviders.map((provider) => {
      const { apiUrl, controlUrl } = simulators[provider.key]
      const control = controlOf(provider.name, controlUrl)
      return [provider, { apiUrl, controlUrl, control, stop: async () => {} }]
    }),
  )
}

/**
 * Connects the owner's accounts at all providers, one after another. A provider that makes a test call to us when it is connected
 * comes last: when that call is answered, the process that accepts callbacks knows the other connections too.
 */
export async function connectOwner(
  running: RunningProviders,
  deps: ConnectDeps & { readonly owner: Owner },
): Promise<void> {
  const callsUs = ([{ serverCertificate }]: readonly [SandboxProvider, unknown]) =>
    serverCertificate !== undefined ? 1 : 0
  for (const [provider, each] of [...running].toSorted((a, b) => callsUs(a) - callsUs(b)))
    await provider.connect(each, deps)
}

/** One payer for each method whose provider runs. */
export function createPayers(deps: PayerDeps, running: RunningProviders): ReadonlyMap<Method, MethodPayer> {
  const payers = new Map<Method, MethodPayer>()
  for (const [method, each] of sandboxMethods) {
    const provider = each.provider === undefined ? undefined : running.get(each.provider)
    if (each.provider === undefined) payers.set(method, each.createPayer(deps))
    else if (provider !== undefined) payers.set(method, each.createPayer({ ...deps, provider }))
  }
  return payers
}
