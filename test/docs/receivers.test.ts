// Runs the receiver in Node of docs/webhooks.md, as the built page shows it. `npm run test:tools` also runs the receivers in Python and Go,
// with deliveries of a sandbox, because they need other people's software.
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '../ports.ts'
import { root } from './page.ts'
import { shownReceiver, startReceiver, tryReceiver } from './receivers.ts'

test('the receiver in Node takes what is signed once, and refuses what is forged, changed or stale', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vintem-receiver-'))
  try {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    await writeFile(join(folder, 'receiver.mjs'), await shownReceiver('receiver.mjs'))
    const secret = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`
    const port = await freePort()
    await using receiver = await startReceiver([process.execPath, 'receiver.mjs'], {
      cwd: folder,
      secret,
      port,
    })
    await tryReceiver(receiver, secret)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
