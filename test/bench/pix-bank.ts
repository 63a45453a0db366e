// The maximum of the simulated bank: charges made by the rail itself, without our server and database.
import { newId } from '#/kernel/id.ts'
import { createLog } from '#/kernel/log.ts'
import { addMs, hourMs, systemClock } from '#/kernel/time.ts'
import type { ProviderConnection } from '#/rails/connection.ts'
import { createPixRail } from '#/rails/pix/rail.ts'
import { bookOf } from '../rails/rail.ts'
import { beChild, drive } from './process.ts'

export type PixBankOptions = { readonly connection: ProviderConnection; readonly callers: number }

beChild(async ({ connection, callers }: PixBankOptions) => {
  const rail = createPixRail({
    connections: bookOf([connection]),
    clock: systemClock,
    log: createLog('warn', { role: 'bench', cell: 'a1' }),
  })
  const merchantId = newId<'merchant'>()

  async function askOnce(): Promise<void> {
    const opened = await rail.opens.open({
      id: newId(),
      merchantId,
      paymentId: newId(),
      method: 'PIX',
      connection: connection.id,
      amount: { minor: 1_234n, currency: 'BRL' },
      expiresAt: addMs(systemClock.now(), hourMs),
    })
    if (!opened.ok) throw new Error(`the bank said ${JSON.stringify(opened)}`)
  }

  return { run: (spanMs) => drive(callers, spanMs, askOnce), close: () => rail.stop() }
})
