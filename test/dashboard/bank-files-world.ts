// A console beside a bank account, and a worker that reads what is handed in there.
import assert from 'node:assert/strict'
import { workerParts } from '#/app/work.ts'
import { must } from '#/kernel/check.ts'
import { eventually } from '../eventually.ts'
import { openSepaWorld } from '../sepa-world.ts'
import { ok, openOperators, type Row } from './operator-world.ts'
import type { Person } from './world.ts'

export type BankFilesWorld = Awaited<ReturnType<typeof openBankFiles>>

export const partBytes = 1024 * 1024

/** `shows`: the routes whose answers the test file compares with their schemas. */
export async function openBankFiles(shows: readonly string[]) {
  const world = await openSepaWorld()
  const { core, clock } = world.pix
  const { sql, lane, connections } = core
  const { dashboard, ana, bea } = await openOperators({ over: { sql, lane, clock }, connections, shows })
  const stopping = new AbortController()
  const part = workerParts(core).find(({ name }) => name === 'jobs of operators')
  const working = must(part, 'a worker runs jobs').run(stopping.signal)

  async function sendPart(person: Person, id: unknown, number: number, bytes: Buffer): Promise<number> {
    const answer = await fetch(
      `http://127.0.0.1:${dashboard.port}/api/operator/uploads/${String(id)}/parts?number=${number}`,
      {
        method: 'POST',
        headers: { ...dashboard.ownPage, cookie: person.cookie, 'content-type': 'application/octet-stream' },
        body: new Uint8Array(bytes),
      },
    )
    await answer.text()
    return answer.status
  }

  /** Hands in a file as the page does. Returns its id. */
  async function upload(person: Person, name: string, bytes: Buffer): Promise<unknown> {
    const { id } = await ok(person, 'POST', 'uploads', { name, size: bytes.length }, 201)
    for (let number = 0; number * partBytes < bytes.length; number += 1) {
      const some = bytes.subarray(number * partBytes, (number + 1) * partBytes)
      assert.equal(await sendPart(person, id, number, some), 204)
    }
    return id
  }

  /** Requests the import of these files, and waits until a worker has ended it. */
  async function importAll(person: Person, uploads: readonly unknown[]): Promise<Row> {
    const body = { kind: 'statement.import', arguments: { uploads }, reason: 'the day is over' }
    const { id } = await ok(person, 'POST', 'jobs', body, 202)
    return eventually('the end of the import', async () => {
      const job = await ok(person, 'GET', `jobs/${String(id)}`)
      return job['endedAt'] !== undefined && job
    })
  }

  const close = async () => {
    stopping.abort()
    await working
    await dashboard.close()
    await world[Symbol.asyncDispose]()
  }
  return { world, dashboard, ana, bea, sendPart, upload, importAll, close }
}
