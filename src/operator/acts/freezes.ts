// Freezes and suspensions: no money leaves, of one merchant, by one rail, or at all. They need the database and no key, because they may be urgent.
import { Type as T } from 'typebox'
import { AppError } from '#/kernel/error.ts'
import type { MerchantId } from '#/kernel/id.ts'
import { oneOf } from '#/kernel/schema.ts'
import type { FreezeKind } from '#/merchants/freeze.ts'
import { methods } from '#/rails/methods.ts'
import type { Operator } from '../deps.ts'
import { beginFreeze, endFreeze, nameOfFrozen, type FreezeSubject } from '../freezes.ts'
import { requireMerchant } from '../merchants.ts'
import { decideTerms } from '../terms.ts'
import { act, approving, idOf, why, writing, type ActDeps } from './act.ts'

const shared = { needs: 'database', see: 'See ./vintem freeze list.' } as const
const states = { FREEZE: 'frozen', SUSPENSION: 'suspended', RESTORE: 'restored' } as const
const sayWhy = 'Say why.'
const stops = { none: 'it stops money, and may be urgent' } as const
const reason = why('Why; required, kept with it and in the audit log')

/** What is frozen, with its name for people. */
type Frozen = { readonly subject: FreezeSubject; readonly label: string }

export type Begun = Frozen & {
  readonly isNew: boolean
  readonly isEffective: boolean
  readonly about: string
}

async function begin(
  deps: ActDeps['database'],
  operator: Operator,
  { subject, label }: Frozen,
  because: string,
): Promise<Begun> {
  const begun = await beginFreeze(deps, operator, subject, because)
  return { subject, label, ...begun, about: nameOfFrozen(deps.cell, subject) }
}

const ofBegun = {
  said: ({ subject: { kind }, label, isNew, isEffective }: Begun) => [
    `${label} is ${states[kind]}${isNew ? '' : ' already'}. ./vintem freeze list shows it.`,
    ...(isEffective ? [] : ['The books are busy: what they accept at this moment waits as well.']),
  ],
  shown: ({ subject: { kind, merchantId, rail }, isNew }: Begun) => ({ kind, merchantId, rail, isNew }),
  logged: ({ subject: { kind }, isNew, about }: Begun) =>
    isNew ? (['a person froze money', { kind, subject: about }] as const) : undefined,
}

export type Ended = Frozen & { readonly isStillFrozen: boolean; readonly about: string }

function ended(
  { cell }: ActDeps['database'],
  { subject, label }: Frozen,
  { isFound, isStillFrozen }: { readonly isFound: boolean; readonly isStillFrozen: boolean },
): Ended {
  if (!isFound) throw new AppError('invalid_state', `${label} is not ${states[subject.kind]}.`)
  return { subject, label, isStillFrozen, about: nameOfFrozen(cell, subject) }
}

const ofEnded = {
  said: ({ subject: { kind }, label, isStillFrozen }: Ended) => [
    `${label} is ${states[kind]} no more.`,
    ...(isStillFrozen ? ['Another freeze may still keep this money in: ./vintem freeze list'] : []),
  ],
  shown: ({ subject: { kind, merchantId, rail } }: Ended) => ({ kind, merchantId, rail }),
  logged: ({ subject: { kind }, about }: Ended) =>
    ['a person ended a freeze', { kind, subject: about }] as const,
}

async function merchantFrozen({ sql }: ActDeps['database'], kind: FreezeKind, id: string) {
  const { id: merchantId, name } = await requireMerchant(sql, id as MerchantId)
  return { subject: { kind, merchantId, rail: null }, label: name } as const
}

const ofMerchant = { id: idOf('merchant', undefined, { value: 'merchant-id' }), reason }

/** The acts that begin and end a freeze or a suspension of one merchant, by the last word of their routes. */
function ofOneMerchant(kind: FreezeKind, verbs: Readonly<Record<'begin' | 'end', string>>) {
  const isFreeze = kind === 'FREEZE'
  const nameOf = (verb: string) => (isFreeze ? `${verb} merchant` : `merchant ${verb}`)
  const routeOf = (verb: string) => [`POST /operator/merchants/{id}/${verb}`, `${verb}Merchant`] as const
  return {
    begin: act({
      ...shared,
      ...ofBegun,
      commands: { [nameOf(verbs.begin)]: { sayWhy } },
      console: writing(...routeOf(verbs.begin), { concern: stops }),
      summary: isFreeze
        ? 'No money leaves from now on of one merchant, by every rail'
        : 'Takes no new payments of a merchant and lets none of its money out; it can still read everything',
      args: ofMerchant,
      carryOut: async (deps, operator, args) =>
        begin(deps, operator, await merchantFrozen(deps, kind, args.id), args.reason),
    }),
    end: act({
      ...shared,
      ...ofEnded,
      commands: { [nameOf(verbs.end)]: { sayWhy } },
      console: approving(...routeOf(verbs.end)),
      summary: isFreeze
        ? 'Ends a freeze of one merchant, by every rail: what waits leaves'
        : 'Ends the suspension of a merchant',
      secondPerson: 'sometimes',
      args: ofMerchant,
      async carryOut(deps, operator, args) {
        const frozen = await merchantFrozen(deps, kind, args.id)
        const order = { kind: 'freeze.end', subject: frozen.subject } as const
        const decided = await decideTerms(deps, operator, order, args.reason)
        if ('proposal' in decided) return { requested: decided.proposal }
        return ended(deps, frozen, decided.done)
      },
    }),
  }
}

export const { begin: freezeMerchant, end: unfreezeMerchant } = ofOneMerchant('FREEZE', {
  begin: 'freeze',
  end: 'unfreeze',
})
export const { begin: suspendMerchant, end: resumeMerchant } = ofOneMerchant('SUSPENSION', {
  begin: 'suspend',
  end: 'resume',
})

const ofRail = {
  rail: T.Optional(
    oneOf(
      'PaymentMethod',
      methods,
      'One rail: refunds of the method, and payouts of the type. Absent: all money.',
    ),
  ),
  reason,
}

/** Of every merchant: `all`, or by one rail. */
function commandsOf(word: string, summaryOf: (of: string) => string) {
  return {
    [`${word} all`]: {
      summary: summaryOf('of every merchant, by every rail'),
      fixed: { rail: undefined },
      sayWhy,
    },
    [`${word} rail`]: {
      summary: summaryOf('of every merchant, by one rail: refunds of the method, and payouts of the type'),
      words: ['rail'],
      sayWhy,
    },
  }
}

function widely(rail: string | undefined): Frozen {
  return { subject: { kind: 'FREEZE', merchantId: null, rail: rail ?? null }, label: rail ?? 'All money' }
}

export const freezeMoney = act({
  ...shared,
  ...ofBegun,
  commands: commandsOf('freeze', (of) => `No money leaves from now on ${of}`),
  console: writing('POST /operator/freezes', 'freezeMoney', { concern: stops }),
  summary: 'No money leaves of any merchant: by one rail, or at all',
  args: ofRail,
  carryOut: (deps, operator, args) => begin(deps, operator, widely(args.rail), args.reason),
})

export const unfreezeMoney = act({
  ...shared,
  ...ofEnded,
  commands: commandsOf('unfreeze', (of) => `Ends a freeze ${of}: what waits leaves`),
  console: approving('POST /operator/freezes/end', 'unfreezeMoney'),
  summary: 'Ends a freeze of one rail, or of all money: what waits leaves',
  args: ofRail,
  async carryOut(deps, operator, args) {
    const frozen = widely(args.rail)
    const done = await endFreeze(deps, operator, frozen.subject, args.reason)
    return ended(deps, frozen, { isFound: done !== undefined, isStillFrozen: done?.isStillFrozen === true })
  },
})
