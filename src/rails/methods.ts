// START HERE to add a method: its descriptor, which lies in the folder of its rail, and its line in this table. The order is that of the
// API's documents.
import { card } from './acquirer/method.ts'
import { localMethods } from './acquirer/methods/all.ts'
import { crypto } from './crypto/method.ts'
import type { Descriptor, Flow } from './descriptor.ts'
import { partnerPay } from './partner-pay/method.ts'
import { pix } from './pix/method.ts'
import { sepaTransfer } from './sepa/method.ts'

const table = [pix, card, crypto, partnerPay, ...localMethods, sepaTransfer] as const

type Described = (typeof table)[number]
type Name = Described['method']

/** The methods that the page shows by their flow, as it shows others of the same flow. */
export type FlowName = Extract<Described, { readonly flow: Flow }>['method']
/** The methods whose page has a panel of its own. */
export type PanelName = Exclude<Name, FlowName>
/** The methods whose rail has inspections of its own. */
export type InspectedName = Extract<Described, { readonly audit: 'OWN' }>['method']
/** The methods that the sandbox's payer can pay by, and how. */
export type PayableName = Extract<Described, { readonly sandbox: object }>['method']
export type ScenarioName =
  | Extract<Described, { readonly sandbox: object }>['sandbox']['scenarios'][number]
  | (typeof anyScenarios)[number]

/** What is said of each method. */
export const descriptors: readonly Descriptor<Name>[] = table

export const methods = table.map(({ method }) => method)

/** What `of` makes of each method, by its name. */
export function byMethod<Made>(of: (each: Descriptor<Name>) => Made): Readonly<Record<Name, Made>> {
  const made = descriptors.map((each) => [each.method, of(each)] as const)
  return Object.fromEntries(made) as Record<Name, Made>
}

export const descriptorOf = byMethod((each) => each)

/** The scenarios that need no method: nobody pays. */
export const anyScenarios = ['expire'] as const

/**
 * What the sandbox's payer can do, by this method or before one is chosen. The table has the names of all scenarios, which the type of a
 * descriptor leaves open.
 */
export function scenariosOf(name: Name | undefined): readonly ScenarioName[] {
  const own = name === undefined ? [] : (descriptorOf[name].sandbox?.scenarios ?? [])
  return [...(own as readonly ScenarioName[]), ...anyScenarios]
}

/** Whether the page shows the method by its flow. */
export function hasFlow(name: Name): name is FlowName {
  return descriptorOf[name].flow !== undefined
}
