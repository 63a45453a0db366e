// Money that fits no payment, money that left unrecorded, and what one person requested of another.
import { Type as T } from 'typebox'
import { AppError } from '#/kernel/error.ts'
import { given } from '#/kernel/given.ts'
import type { Id, MerchantId } from '#/kernel/id.ts'
import { toDecimal, type Currency } from '#/kernel/money.ts'
import { oneOf } from '#/kernel/schema.ts'
import type { Unmatched } from '#/settlement/queries.ts'
import type { UnrecordedId } from '#/settlement/unrecorded-queries.ts'
import { approveProposal, type Approved } from '../approve.ts'
import type { ProposalId } from '../proposal-queries.ts'
import { refuseProposal } from '../proposals.ts'
import { decideSuspense, refusalOfSuspense } from '../suspense.ts'
import { proposeUnrecorded } from '../unrecorded.ts'
import { act, approving, idOf, why, whyInConsole } from './act.ts'

function ownerId(description: string, missing: string) {
  return idOf('merchant', description, { option: 'merchant', value: 'merchant-id', missing })
}

const resolutions = ['CREDITED', 'RETURNED'] as const

export const resolveSuspense = act({
  commands: {
    'suspense credit': {
      summary: "Credits the money to a merchant, into the currency's default wallet",
      fixed: { resolution: 'CREDITED' },
      requires: ['merchantId'],
    },
    'suspense return': {
      summary: 'Records that the money went back: return it at the provider first',
      fixed: { resolution: 'RETURNED', merchantId: undefined },
    },
  },
  console: approving('POST /operator/suspense/{id}/resolve', 'resolveSuspense'),
  summary: 'Credits the money to a merchant (`merchantId`), or records that it went back',
  secondPerson: 'sometimes',
  needs: 'books',
  args: {
    id: idOf('money in suspense'),
    resolution: oneOf('SuspenseResolution', resolutions, 'RETURNED: return it at the provider first.'),
    merchantId: T.Optional(ownerId('Whose it is; required', 'Name the owner of the money.')),
    reason: whyInConsole('Why, kept with the decision', { option: 'note' }),
  },
  see: 'See ./vintem suspense list.',
  async carryOut(deps, operator, { id, resolution, merchantId, reason }) {
    if ((resolution === 'CREDITED') !== (merchantId !== undefined))
      throw new AppError('invalid_request', 'CREDITED names the merchant; RETURNED names none.')
    const owner = merchantId?.toLowerCase() as MerchantId | undefined
    const decision = { id: id as Id<'unmatched'>, ...given({ merchantId: owner, note: reason }) }
    const verdict = await decideSuspense(deps, operator, decision)
    if (verdict.kind === 'proposed') return { requested: verdict.proposal }
    if (verdict.kind !== 'resolved') throw refusalOfSuspense(verdict)
    return verdict.unmatched
  },
  said: saidOf,
  logged: ({ resolution, amountMinor, currency }, { id, merchantId }) => [
    'a person decided on money in suspense',
    { unmatched: id, resolution, merchant: merchantId, amount: amountMinor, currency },
  ],
})

function saidOf(unmatched: Unmatched): string {
  const { walletId } = unmatched
  return `${amountOf(unmatched)} ${walletId === null ? 'has gone back' : `is credited to wallet ${walletId}`}.`
}

function amountOf(money: { readonly amountMinor: bigint; readonly currency: Currency }): string {
  return `${toDecimal({ minor: money.amountMinor, currency: money.currency })} ${money.currency}`
}

const sayWhy = 'Another person decides about it, and reads the reason.'

/** Of money that left: one person requests it, and another one approves it by `suspense approve`. */
export const resolveUnrecorded = act({
  commands: {
    'suspense charge': {
      summary: 'Requests that a merchant is debited for it: its wallets, and what they lack as a debt',
      fixed: { resolution: 'CHARGED' },
      requires: ['merchantId'],
      sayWhy,
    },
    'suspense write-off': {
      summary: 'Requests that it is written off: you bear it',
      fixed: { resolution: 'WRITTEN_OFF', merchantId: undefined },
      sayWhy,
    },
    'suspense came-back': {
      summary: 'Requests that it is recorded as returned: the provider holds it for you again',
      fixed: { resolution: 'RETURNED', merchantId: undefined },
      sayWhy,
    },
  },
  summary: 'Requests a decision about money that left unrecorded',
  secondPerson: 'always',
  needs: 'database',
  args: {
    id: idOf('money that left'),
    resolution: oneOf('UnrecordedResolution', ['CHARGED', 'WRITTEN_OFF', 'RETURNED'], 'What is requested.'),
    merchantId: T.Optional(ownerId('Whose it was; required', 'Name whose money it was.')),
    reason: why('Why; required, kept with the decision'),
  },
  see: 'See ./vintem suspense sent.',
  async carryOut(deps, operator, { id, resolution, merchantId, reason }) {
    const request = { id: id as UnrecordedId, resolution, ...given({ merchantId: merchantId as MerchantId }) }
    return { requested: await proposeUnrecorded(deps, operator, request, reason) }
  },
})

const requestId = idOf('request', undefined, { value: 'request-id' })
const seeWaiting = 'See ./vintem suspense waiting.'

export const approveRequest = act({
  commands: { 'suspense approve': {} },
  console: approving('POST /operator/approvals/{id}/approve', 'approveProposal', {
    wakes: ['onPayout', 'onSignal'],
  }),
  summary: 'Approves what another person requested, and carries it out',
  needs: 'books',
  args: { id: requestId },
  see: seeWaiting,
  async carryOut(deps, operator, { id }) {
    const approved = await approveProposal(deps, operator, id as ProposalId)
    if (approved.about !== 'suspense') return approved
    if (approved.verdict.kind !== 'resolved') throw refusalOfSuspense(approved.verdict)
    return { ...approved, unmatched: approved.verdict.unmatched }
  },
  said: saidOfApproved,
  logged: ({ proposal: { id, subject, reason } }) => [
    'a person approved what another one requested',
    { request: id, about: subject, why: reason },
  ],
})

type Carried =
  | Exclude<Approved, { readonly about: 'suspense' }>
  | (Extract<Approved, { readonly about: 'suspense' }> & { readonly unmatched: Unmatched })

function saidOfApproved(approved: Carried): string {
  const { subject } = approved.proposal
  switch (approved.about) {
    case 'suspense':
      return saidOf(approved.unmatched)
    case 'unrecorded':
      return `${amountOf(approved.unrecorded)} is ${approved.unrecorded.resolution}.`
    case 'withdrawal':
    case 'refund':
      return `The end of ${subject} is recorded.`
    case 'terms':
    case 'statement':
      return `It is carried out: ${subject}.`
  }
}

export const refuseRequest = act({
  commands: { 'suspense refuse': { sayWhy: 'Say why.' } },
  console: approving('POST /operator/approvals/{id}/refuse', 'refuseProposal', {
    concern: { none: 'the money stays' },
  }),
  summary: 'Refuses what another person requested, or takes back your own request',
  needs: 'database',
  args: { id: requestId, reason: why('Why; required, for the log') },
  see: seeWaiting,
  carryOut: ({ sql }, operator, { id, reason }) => refuseProposal(sql, operator, id as ProposalId, reason),
  said: () => 'It is refused.',
  logged: (_, { id }) => ['a request about money in suspense was refused', { request: id }],
})
