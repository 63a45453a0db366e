// Faults of API calls: late, refused, cut off before or after the work.
import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '../kit/clock.ts'
import { given } from '../kit/given.ts'
import type { Call, Reply } from '../kit/http.ts'
import { seededChance } from '../kit/seed.ts'
import type { Bank, Fault } from './bank.ts'
import { problem } from './problem.ts'

/** Does the work, or what a matching fault demands. */
export async function spoil(bank: Bank, call: Call, work: () => Promise<Reply>): Promise<Reply> {
  const { faults } = bank.passing
  if (faults.length === 0) return work()
  const fault = faults.find((each) => fits(each, call) && happens(bank, each))
  if (fault === undefined) return work()
  if (fault.left !== undefined) fault.left -= 1
  bank.passing.faults = faults.filter(({ left }) => left !== 0)
  const { method, path } = call
  const traceparent = call.headers['traceparent']?.toString()
  bank.eventStore.record({
    type: 'call.spoiled',
    at: now(),
    method,
    path,
    how: fault.action,
    ...given({ traceparent }),
  })
  if (fault.delayMs !== undefined) await sleep(fault.delayMs)
  switch (fault.action) {
    case 'delay':
      return work()
    case 'status':
      return refusal(fault.status ?? 503)
    case 'reset':
      return { status: 500, cut: 'all' }
    case 'drop_response':
      return { ...(await answerOf(work)), cut: 'all' }
    case 'truncate':
      return { ...(await answerOf(work)), cut: 'half' }
  }
}

function fits(fault: Fault, { method, path }: Call): boolean {
  return (
    (fault.method === undefined || fault.method === method) &&
    (fault.path === undefined || new RegExp(fault.path).test(path))
  )
}

function happens(bank: Bank, fault: Fault): boolean {
  fault.matched += 1
  if (fault.probability === undefined) return true
  return seededChance(bank.eventStore.seed, `fault-${fault.id}`, fault.matched) < fault.probability
}

function refusal(status: number): Reply {
  const { reply } = problem(
    status === 503 ? 'ServicoIndisponivel' : 'ErroInternoDoServidor',
    'Falha simulada.',
    {
      status,
    },
  )
  return reply
}

/** A refusal is an answer too, and is cut like one. */
async function answerOf(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && 'reply' in error) return error.reply as Reply
    throw error
  }
}
