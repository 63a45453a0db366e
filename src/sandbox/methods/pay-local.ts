// The payers of the acquirer's local methods: confirm at the bank, in the app, or pay a voucher.
import { localMethods } from '#/rails/acquirer/methods/all.ts'
import type { Method } from '#/rails/method.ts'
import type { MethodPayer } from '../pay.ts'
import { acquirer } from './acquirer.ts'
import type { PayerDeps, Repertoire, SandboxMethod } from './method.ts'
import { createPagePayer } from './pay-page.ts'
import type { RunningProvider } from './provider.ts'

/**
 * - `approve`: the payer pays: in the app, at the bank, or a voucher, whose money arrives a moment later.
 * - `decline`: the payer declines or breaks off.
 * - `leave`: the payer does nothing.
 */
const localScenarios = ['approve', 'decline', 'leave'] as const
/** Of a delayed method. `slow`: the money stays on its way. `fail`: it never arrives. */
const paperScenarios = ['approve', 'slow', 'fail'] as const

export const localRepertoire: Repertoire = {
  scenarios: localScenarios,
  meaning: 'approve, decline; leave: nobody answers.',
}
export const paperRepertoire: Repertoire = {
  scenarios: paperScenarios,
  meaning: 'approve: paid, and reported a moment later. slow: on its way. fail: the money never arrives.',
}

type Deps = Pick<PayerDeps, 'find' | 'openPage'> & { readonly provider: Pick<RunningProvider, 'control'> }

/** Refuses as `createPagePayer` describes. */
function createLocalPayer(method: Method, { provider, ...deps }: Deps): MethodPayer {
  const isDelayed = localMethods.some((each) => each.method === method && each.isDelayed)
  return createPagePayer<string>(deps, {
    method,
    scenarios: isDelayed ? paperScenarios : localScenarios,
    artifact: 'intentId',
    by: `a payer by ${method}`,
    act: (intent, act) => provider.control('POST', '/_sim/pay', { intent, act }),
  })
}

/** The payer of a method, at the acquirer that cards have too. */
export function localPayer(method: Method): SandboxMethod {
  return { provider: acquirer, createPayer: (deps) => createLocalPayer(method, deps) }
}
