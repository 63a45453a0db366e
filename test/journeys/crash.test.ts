// What was acknowledged survives. Load runs while the server, PostgreSQL and the providers are killed again and again. Then
// everything that was acknowledged must be true, and the books must prove it.
import { describe, test } from 'node:test'
import { count } from '../counts.ts'
import { eventually } from '../eventually.ts'
import { startCrashLoad } from './crash-load.ts'
import { postmasterOf, simulatorOf } from './processes.ts'
import { behindProxy, sharedInstallation } from './shared-installation.ts'

const kills = count({ quick: 3, soak: 60 })

describe('killed again and again', () => {
  test('nothing that was acknowledged is lost: each payment by any method is credited and refunded once, each withdrawal arrives once', async (t) => {
    const installation = await sharedInstallation(behindProxy)
    // Also after a failure: a running load would keep the file from ending.
    await using stack = new AsyncDisposableStack()
    const load = await startCrashLoad(installation, stack)
    for (let round = 0; round < kills; round++) {
      await load.goOn(`kill ${round}`)
      if (round % 3 === 0) {
        await installation.kill()
        await installation.start()
      } else if (round % 3 === 1) {
        process.kill(postmasterOf(installation.dataDir), 'SIGKILL')
      } else {
        for (const name of ['pix-bank', 'acquirer', 'partner-wallet'] as const) {
          const simulator = await eventually(`${name} runs`, () => simulatorOf(installation.dataDir, name))
          process.kill(simulator, 'SIGKILL')
        }
      }
    }
    await load.stop()
    t.diagnostic(`${kills} kills`)
    await load.holds(t)
  })
})
