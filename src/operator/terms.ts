// What the operator agrees with a merchant (limits, destinations, fees), and the end of its freeze: carried out at once, or requested where
// whoever does it is a member of the merchant. Then another operator, who is no member, approves it.
import type { Sql, Tx } from '#/db/client.ts'
import { given } from '#/kernel/given.ts'
import type { MerchantId } from '#/kernel/id.ts'
import type { FeeRule } from '#/merchants/fee.ts'
import type { Limit } from '#/money-out/limits.ts'
import type { PayoutType } from '#/rails/payout-rail.ts'
import type { Operator } from './deps.ts'
import { setFee } from './fees.ts'
import { endFreeze, type FreezeSubject } from './freezes.ts'
import { mayActAlone } from './interest.ts'
import { addDestination, changeLimit, removeDestination, type LimitChange, type Listed } from './limits.ts'
import type { Proposal } from './proposal-queries.ts'
import { propose } from './proposals.ts'

type Beside = (tx: Tx) => Promise<void>
type TermsDeps = { readonly sql: Sql; readonly cell: string }

/** What is done, with what it needs. */
export type TermsAct =
  | { readonly kind: 'terms.limit'; readonly change: LimitChange }
  | { readonly kind: 'terms.destination-add' | 'terms.destination-remove'; readonly listed: Listed }
  | { readonly kind: 'terms.fee'; readonly rule: FeeRule }
  | { readonly kind: 'freeze.end'; readonly subject: FreezeSubject & { readonly merchantId: MerchantId } }

/** `isFound`: false when there was nothing to remove or to end. */
export type TermsDone = { readonly isFound: boolean; readonly isStillFrozen: boolean }

/** Carries it out, or requests it where another person has to approve. */
export async function decideTerms(
  deps: TermsDeps,
  operator: Operator,
  act: TermsAct,
  reason: string | undefined,
): Promise<{ readonly proposal: Proposal } | { readonly done: TermsDone }> {
  const merchantId = merchantOf(act)
  if (await mayActAlone(deps.sql, operator, [merchantId]))
    return { done: await carryOut(deps, operator, act, reason) }
  const request = { kind: act.kind, subject: subjectOf(act), arguments: writeAct(act), reason, merchantId }
  return { proposal: await propose(deps.sql, operator, { ...request, concerned: [merchantId] }) }
}

/** Carries out what another person has requested. */
export function approveTerms(
  deps: TermsDeps,
  operator: Operator,
  { kind, arguments: asked, reason }: Proposal & { readonly kind: TermsAct['kind'] },
  beside: Beside,
): Promise<TermsDone> {
  return carryOut(deps, operator, readAct(kind, asked), reason, beside)
}

async function carryOut(
  deps: TermsDeps,
  operator: Operator,
  act: TermsAct,
  reason: string | undefined,
  beside?: Beside,
): Promise<TermsDone> {
  const { sql } = deps
  const done = { isFound: true, isStillFrozen: false }
  switch (act.kind) {
    case 'terms.limit':
      await changeLimit(sql, operator, act.change, reason, beside)
      return done
    case 'terms.destination-add':
      await addDestination(sql, operator, act.listed, reason, beside)
      return done
    case 'terms.destination-remove':
      return { ...done, isFound: await removeDestination(sql, operator, act.listed, reason, beside) }
    case 'terms.fee':
      await setFee(sql, operator, act.rule, reason, beside)
      return done
    case 'freeze.end': {
      const ended = await endFreeze(deps, operator, act.subject, reason ?? '', beside)
      return { isFound: ended !== undefined, isStillFrozen: ended?.isStillFrozen === true }
    }
  }
}

function merchantOf(act: TermsAct): MerchantId {
  if (act.kind === 'terms.limit') return act.change.merchantId
  if (act.kind === 'terms.fee') return act.rule.merchantId
  return act.kind === 'freeze.end' ? act.subject.merchantId : act.listed.merchantId
}

/** One request at a time is open about one of these. */
function subjectOf(act: TermsAct): string {
  switch (act.kind) {
    case 'terms.limit':
      return `limit:${act.change.merchantId}/${act.change.type}`
    case 'terms.fee':
      return `fee:${act.rule.merchantId}/${act.rule.method}/${act.rule.currency}`
    case 'freeze.end':
      return `merchant:${act.subject.merchantId}/${act.subject.kind}`
    case 'terms.destination-add':
    case 'terms.destination-remove':
      return `destination:${act.listed.merchantId}/${act.listed.type}/${act.listed.destination}`
  }
}

/** As its request keeps it: whole numbers are texts there. */
function writeAct(act: TermsAct): Readonly<Record<string, unknown>> {
  switch (act.kind) {
    case 'terms.limit': {
      const { eachMinor, dayMinor, approvalAboveMinor, ...rest } = act.change
      return { ...rest, ...textsOf({ eachMinor, dayMinor, approvalAboveMinor }) }
    }
    case 'terms.fee': {
      const { fixedMinor, ratePpm, ...rest } = act.rule
      return { ...rest, ...textsOf({ fixedMinor, ratePpm }) }
    }
    case 'freeze.end':
      return { ...act.subject, freeze: act.subject.kind }
    case 'terms.destination-add':
    case 'terms.destination-remove':
      return act.listed
  }
}

function textsOf(
  amounts: Readonly<Record<string, bigint | null | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(amounts).flatMap(([name, minor]) =>
      minor === undefined ? [] : [[name, minor === null ? 'none' : minor.toString()]],
    ),
  )
}

function readAct(kind: TermsAct['kind'], asked: Readonly<Record<string, unknown>>): TermsAct {
  const merchantId = asked['merchantId'] as MerchantId
  const type = asked['type'] as PayoutType
  switch (kind) {
    case 'terms.limit': {
      const amounts = Object.fromEntries(
        (['eachMinor', 'dayMinor', 'approvalAboveMinor'] as const).flatMap((name) =>
          asked[name] === undefined
            ? []
            : [[name, asked[name] === 'none' ? null : BigInt(asked[name] as string)]],
        ),
      ) as Partial<Limit>
      const { listedOnly } = asked as { readonly listedOnly?: boolean }
      return {
        kind,
        change: { merchantId, type, ...amounts, ...given({ listedOnly }) },
      }
    }
    case 'terms.fee': {
      const { method, currency } = asked as Pick<FeeRule, 'method' | 'currency'>
      const [fixedMinor, ratePpm] = [
        BigInt(asked['fixedMinor'] as string),
        BigInt(asked['ratePpm'] as string),
      ]
      return { kind, rule: { merchantId, method, currency, fixedMinor, ratePpm } }
    }
    case 'freeze.end':
      return { kind, subject: { merchantId, rail: null, kind: asked['freeze'] as FreezeSubject['kind'] } }
    case 'terms.destination-add':
    case 'terms.destination-remove':
      return { kind, listed: { merchantId, type, destination: asked['destination'] as string } }
  }
}
