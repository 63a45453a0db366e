// What a sandbox's page offers in place of a payer: its developer chooses how the payment is paid. Only for payments of a sandbox, and only in
// a process that runs one.
import { dictionary } from '#/kernel/dictionary.ts'
import type { Locale } from '#/kernel/language.ts'
import type { Payment } from '#/payments/payment.ts'
import type { Method } from '#/rails/method.ts'
import { scenariosOf, type ScenarioName } from '#/rails/methods.ts'
import type { Ready } from './methods/method.ts'
import type { PageState, PageStep } from './page-state.ts'

/** By which of the payment's scenarios (rails/methods.ts) each act is played: the first that it has. */
const scenariosOfActs = {
  exact: ['exact', 'success', 'confirm', 'approve'],
  less: ['under'],
  twice: ['twice'],
  later: ['late'],
  refuse: ['decline', 'refuse'],
  expire: ['expire'],
} as const satisfies Readonly<Record<string, readonly ScenarioName[]>>

export type SimulatedAct = keyof typeof scenariosOfActs

export const simulatedActs = Object.keys(scenariosOfActs) as readonly SimulatedAct[]

const words = dictionary({
  title: ['Simular', 'Simulate', 'Simular'],
  acts: {
    exact: ['Valor exato', 'Exact amount', 'Monto exacto'],
    less: ['A menos', 'Less', 'De menos'],
    twice: ['Duas vezes', 'Twice', 'Dos veces'],
    later: ['Depois do prazo', 'After the deadline', 'Después del plazo'],
    refuse: ['Recusar pagamento', 'Decline payment', 'Rechazar el pago'],
    expire: ['Expirar', 'Expire', 'Vencer'],
  },
})

/** The scenario by which the act is played; undefined: the method does not have it. */
export function scenarioOf(method: Method | undefined, act: SimulatedAct): ScenarioName | undefined {
  const possible = scenariosOf(method)
  return scenariosOfActs[act].find((each: ScenarioName) => possible.includes(each))
}

export type Scene = { readonly payment: Payment; readonly step: PageStep; readonly ready: Ready | undefined }

/** The steps of a payment that can still expire. */
const openSteps: readonly PageStep[] = ['choose', 'preparing', 'waiting', 'underpaid']

/** What can be played now. While nobody can pay by its method, and before one is chosen, only its end. */
function actsNow({ payment, step, ready }: Scene): readonly SimulatedAct[] {
  if (payment.mode !== 'SANDBOX' || !openSteps.includes(step)) return []
  const canPay = ready !== undefined && (step === 'waiting' || step === 'underpaid')
  const method = canPay ? payment.method : undefined
  return simulatedActs.filter((act) => scenarioOf(method, act) !== undefined)
}

/** What the page shows of it. */
export function simulationOf(scene: Scene, locale: Locale, page: string): PageState['simulation'] {
  const acts = actsNow(scene)
  if (acts.length === 0) return undefined
  const { title, acts: labels } = words[locale]
  return { label: title, url: `${page}/simulate`, acts: acts.map((name) => ({ name, label: labels[name] })) }
}
