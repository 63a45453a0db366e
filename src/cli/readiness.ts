// When a process that serves HTTP is ready: it is open, and its chain had time to connect. A chain that does not answer stops no
// deployment, because everything but CRYPTO works without it.
import type { ServerExtra } from '#/app/server.ts'
import { given } from '#/kernel/given.ts'
import { monotonicMs, secondMs, sleep } from '#/kernel/time.ts'
import type { ChainStanding } from '#/sandbox/chain-standing.ts'

/** How long a start waits for its chain before it reports ready without it. */
export const chainPatienceMs = 15 * secondMs

type Checks = Awaited<ReturnType<NonNullable<ServerExtra['ready']>>>

const pauseMs = 100

/** Waits until payments by CRYPTO work, at most `patienceMs`. Returns the reason if they still do not. */
export async function waitForChain(
  standing: ChainStanding,
  patienceMs: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const giveUpAt = monotonicMs() + patienceMs
  for (;;) {
    const fault = await standing()
    if (fault === undefined || signal.aborted || monotonicMs() > giveUpAt) return fault
    await sleep(pauseMs, signal)
  }
}

/** The checks of a process that has opened everything, or not yet. `standing`: of the chain, without which the rest works. */
export async function checksOf(isOpen: boolean, standing: ChainStanding | undefined): Promise<Checks> {
  const start = { name: 'start', ok: isOpen, ...(isOpen ? {} : { reason: 'It is still starting.' }) }
  if (standing === undefined || !isOpen) return [start]
  const reason = await standing()
  const chain = { name: 'chain', ok: reason === undefined, isPart: true as const }
  return [start, { ...chain, ...given({ reason }) }]
}
