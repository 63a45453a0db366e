// Withdrawals and refunds without an end: how a person ends one, stops it, or has it tried again.
import { Type as T } from 'typebox'
import { AppError } from '#/kernel/error.ts'
import type { RefundId, WithdrawalId } from '#/kernel/id.ts'
import { toDecimal } from '#/kernel/money.ts'
import { oneOf } from '#/kernel/schema.ts'
import {
  decideRefund,
  decideWithdrawal,
  refusalOfEnd,
  requireRefund,
  requireWithdrawal,
  retryRefund,
  retryWithdrawal,
  stopPayoutAs,
} from '../payouts.ts'
import { act, approving, idOf, text, why, writing } from './act.ts'

const ends = ['sent', 'refused'] as const

const ofWithdrawal = { args: { id: idOf('withdrawal') }, see: 'See ./vintem withdrawal list.' }
const ofRefund = { args: { id: idOf('refund') }, see: 'See ./vintem refund list.' }

export const resolveWithdrawalAct = act({
  commands: { 'withdrawal resolve': { words: ['id', 'end'], sayWhy: 'Say how you know.' } },
  console: approving('POST /operator/withdrawals/{id}/resolve', 'resolveWithdrawal', { wakes: ['onPayout'] }),
  summary:
    'Records how a withdrawal ended whose provider reports no end: "sent", the recipient has it; "refused", it was not paid',
  secondPerson: 'sometimes',
  needs: 'books',
  args: {
    ...ofWithdrawal.args,
    end: oneOf('WithdrawalEnd', ends, '`sent`: the recipient has it; `refused`: it was not paid.'),
    reason: why('How you know; required, kept with the withdrawal'),
  },
  see: ofWithdrawal.see,
  async carryOut(deps, operator, { id, end, reason }) {
    const decided = await decideWithdrawal(deps, operator, id as WithdrawalId, { end, reason })
    return decided.kind === 'proposed' ? { requested: decided.proposal } : decided
  },
  said: ({ withdrawal, isLater }) =>
    isLater ? 'The worker settles it now.' : `The withdrawal is ${withdrawal.status}.`,
  logged: (_, { id, end }) => ['a withdrawal was ended by a person', { withdrawal: id, end }],
})

export const stopPayout = act({
  commands: { 'withdrawal stop': { sayWhy: 'Say why it is not to be paid.' } },
  console: writing('POST /operator/payouts/{id}/stop', 'stopPayout', { wakes: ['onPayout'] }),
  summary:
    'Requests that a withdrawal or refund by CRYPTO, or one by SEPA that is in no file yet, is not paid, while that is still possible; its money comes back',
  needs: 'database',
  args: { ...ofWithdrawal.args, reason: why('Why; required, for the log') },
  see: ofWithdrawal.see,
  async carryOut(deps, operator, { id, reason }) {
    if (!(await stopPayoutAs(deps, operator, id, reason)))
      throw new AppError(
        'invalid_state',
        'There is nothing that could still be stopped: it is no withdrawal or refund by CRYPTO or SEPA, it is in a file of payments, it has ended, or it was requested before.',
      )
  },
  said: (_, { id }) =>
    `It is stopped, on a chain unless its transaction is mined: ./vintem withdrawal show ${id}`,
  logged: (_, { id }) => ['a person requested to stop a payout', { withdrawal: id }],
})

export const endRefundAct = act({
  commands: { 'refund end': { sayWhy: 'Say why it cannot be sent.' } },
  console: approving('POST /operator/refunds/{id}/end', 'endRefund', { wakes: ['onRefund'] }),
  summary: 'Ends a refund that cannot be sent: it is FAILED, and its money is in the wallet again',
  secondPerson: 'sometimes',
  needs: 'books',
  args: {
    ...ofRefund.args,
    reason: why('Why; required, and the merchant reads it'),
    proof: T.Optional(
      text(500, "Where something may have been sent: the provider's statement that nothing was given back"),
    ),
    found: T.Optional(
      oneOf(
        'RefundEnd',
        ends,
        'Only where a foreign transaction used the nonce of its payout: whether the recipient has it',
      ),
    ),
  },
  see: ofRefund.see,
  async carryOut(deps, operator, { id, ...decision }) {
    const verdict = await decideRefund(deps, operator, id as RefundId, decision)
    if (verdict.kind === 'proposed') return { requested: verdict.proposal }
    if (verdict.kind !== 'later' && verdict.kind !== 'decided') throw refusalOfEnd(verdict)
    return { refund: verdict.refund, isLater: verdict.kind === 'later' }
  },
  said: ({ refund: { status, amountMinor, currency }, isLater }) =>
    isLater
      ? 'The worker settles it now.'
      : `The refund is ${status}; ${toDecimal({ minor: amountMinor, currency })} ${currency} is in the wallet again.`,
  logged: (_, { id, proof, found }) => ['a refund was ended by a person', { refund: id, proof, found }],
})

const again = {
  commands: {},
  summary:
    'Has a worker send it now, or ask its provider about it. What may have been sent is never sent twice',
  needs: 'database',
} as const
const reason = T.Optional(why('Why. Kept in the audit log.'))

function notWaiting(): AppError {
  const detail = 'A worker has it in hand at this moment, or nothing is due about it. Look again in a minute.'
  return new AppError('invalid_state', detail)
}

export const retryWithdrawalAct = act({
  ...again,
  ...ofWithdrawal,
  console: writing('POST /operator/withdrawals/{id}/retry', 'retryWithdrawal', { wakes: ['onPayout'] }),
  args: { ...ofWithdrawal.args, reason },
  async carryOut({ sql }, operator, args) {
    const found = await requireWithdrawal(sql, args.id as WithdrawalId)
    if (!(await retryWithdrawal(sql, operator, found, args.reason))) throw notWaiting()
  },
})

export const retryRefundAct = act({
  ...again,
  ...ofRefund,
  console: writing('POST /operator/refunds/{id}/retry', 'retryRefund', { wakes: ['onRefund'] }),
  args: { ...ofRefund.args, reason },
  async carryOut({ sql }, operator, args) {
    const found = await requireRefund(sql, args.id as RefundId)
    if (!(await retryRefund(sql, operator, found, args.reason))) throw notWaiting()
  },
})
