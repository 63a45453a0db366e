// What a sandbox's page offers in place of a payer: its developer chooses how the payment is paid. Only for payments of a sandbox, and only in
// a process that runs one.
import { dictionary } from '#/kernel/dictionary.ts'
import type { Locale } from '#/kernel/language.ts'
import type { Payment } from '#/payments/payment.ts'
import { scenariosOf, type ScenarioName } from '#/rails/methods.ts'
import type { Ready } from './methods/method.ts'
import type { PageState, PageStep } from './page-state.ts'

/** By which of a method's scenarios (its descriptor) each act is played: the first that it has. `expire` is of every method. */
const scenariosOfActs = {
  exact: ['exact', 'success', 'confirm', 'approve'],
  less: ['under'],
  twice: ['twice'],
  later: ['late'],
  refuse: ['decline', 'refuse'],
  expire: [],
} as const satisfies Readonly<Record<string, readonly ScenarioName[]>>

export type SimulatedAct = keyof typeof scenariosOfActs

export const simulatedActs = Object.keys(scenariosOfActs) as readonly SimulatedAct[]

const words = dictionary({
  title: ['Simular', 'Simulate', 'Simular'],
  acts: {
    exact: ['Valor certo', 'Exact amount', 'Importe exacto'],
    less: ['A menos', 'Less', 'De menos'],
    twice: ['Duas vezes', 'Twice', 'Dos veces'],
    later: ['Depois do prazo', 'After the deadline', 'Después del plazo'],
    refuse: ['Recusar pagamento', 'Decline to pay', 'Negarse a pagar'],
    expire: ['Expirar', 'Expire', 'Vencer'],
  },
})

/** The scenario of the payment's method by which the act is played; undefined: its method does not have it. */
export function scenarioOf({ method }: Pick<Payment, 'method'>, act: SimulatedAct): ScenarioName | undefined {
  if (method === undefined) return undefined
  const possible = scenariosOf(method)
  return scenariosOfActs[act].find((each: ScenarioName) => possible.includes(each))
}

export type Scene = { readonly payment: Payment; readonly step: PageStep; readonly ready: Ready | undefined }

/** What can be played now. Before a method is chosen, and while nobody can pay by it, only its end. */
function actsNow({ payment, step, ready }: Scene): readonly SimulatedAct[] {
  if (payment.mode !== 'SANDBOX') return []
  const canPay = ready !== undefined && (step === 'waiting' || step === 'underpaid')
  if (!canPay && step !== 'choose') return []
  return simulatedActs.filter((act) => act === 'expire' || (canPay && scenarioOf(payment, act) !== undefined))
}

/** What the page shows of it. */
export function simulationOf(scene: Scene, locale: Locale, page: string): PageState['simulation'] {
  const acts = actsNow(scene)
  if (acts.length === 0) return undefined
  const { title, acts: labels } = words[locale]
  return { label: title, url: `${page}/simulate`, acts: acts.map((name) => ({ name, label: labels[name] })) }
}
