import { share } from '../share-in-process.ts'
import { createInstallation, type Env, type Installation } from './installation.ts'

/** A started installation with these settings that other files of this process use too. It is ended after them. */
export function sharedInstallation(env: Env = {}): Promise<Installation> {
  return share(`installation ${JSON.stringify(env)}`, async () => {
    // One that does not start is ended here: nobody else knows it.
    await using opened = new AsyncDisposableStack()
    const installation = opened.use(await createInstallation(env))
    await installation.start()
    opened.move()
    return installation
  })
}
