// Signals that could not be settled and wait for a person.
import { Type as T } from 'typebox'
import { AppError } from '#/kernel/error.ts'
import { aboutSignal, dropSignal, retrySignal } from '../parked.ts'
import { act, approving, text, why, writing } from './act.ts'

const shared = { needs: 'database', see: 'See ./vintem inbox list.' } as const

const id = text(18, 'Its number.')

export const retryParkedSignal = act({
  ...shared,
  commands: { 'inbox retry': {} },
  console: writing('POST /operator/inbox/{id}/retry', 'retrySignal'),
  summary: 'Retries a signal, up to five times again; remove the cause first',
  args: { id, reason: T.Optional(why('What was wrong, for the log', { option: 'why' })) },
  async carryOut({ sql }, operator, args) {
    if (!(await retrySignal(sql, operator, numberOf(args), args.reason))) throw notParked(args)
    return undefined
  },
  said: (_, args) => `Signal ${args.id} is due: a worker claims it at once.`,
  shown: (_, args) => ({ id: args.id, state: 'due' }),
  logged: (_, args) => ['a parked signal is tried again by a person', { signal: numberOf(args) }],
})

export const dropParkedSignal = act({
  ...shared,
  commands: { 'inbox drop': { sayWhy: 'Say why nothing of this signal is to be settled.' } },
  console: approving('POST /operator/inbox/{id}/drop', 'dropSignal'),
  summary: 'Drops a signal for good: its content is never settled. Shows it this last time',
  args: { id, reason: why('Why it reports no money of ours; required, for the log') },
  async carryOut({ sql }, operator, args) {
    const dropped = await dropSignal(sql, operator, numberOf(args), args.reason)
    if (dropped === undefined) throw notParked(args)
    return dropped
  },
  said: (_, args) => `Signal ${args.id} is dropped.`,
  logged: (dropped, args) => [
    'a parked signal was dropped by a person',
    { signal: numberOf(args), ...aboutSignal(dropped) },
  ],
})

function numberOf(args: { readonly id: string }): bigint {
  if (!/^\d{1,18}$/.test(args.id)) throw notParked(args)
  return BigInt(args.id)
}

function notParked(args: { readonly id: string }): AppError {
  return new AppError('not_found', `No signal ${args.id} waits for a person.`)
}
