// The samples of the SDK's page, as the built page shows them, made into modules that a test can call.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type * as Sdk from '../../sdk/typescript/src/vintem.ts'
import { builtBlocks } from '../docs/built.ts'

type Batch = { readonly events: readonly Sdk.WebhookEvent[]; readonly readTo: number }

export type Samples = {
  /** Creates the payment of the first sample. Only the address of the sandbox is another one. */
  create(): Promise<{ readonly id: string; readonly checkoutUrl?: string }>
  /** Verifies a request as the second sample does. Returns the event's type. */
  receive(request: Request): Promise<string>
  /** Follows events as the third sample does, until `handle` throws. */
  follow(vintem: object, tools: FollowTools): Promise<void>
}

export type FollowTools = {
  storedPosition(): Promise<number>
  inOneTransaction(work: (database: object) => Promise<void>): Promise<void>
  handle(database: object, event: Sdk.WebhookEvent): Promise<void>
  storePosition(database: object, readTo: Batch['readTo']): Promise<void>
}

/** Writes the samples into the project in `folder`, which has the SDK, and loads them. */
export async function loadSamples(folder: string, apiUrl: string): Promise<Samples> {
  const found = (await builtBlocks('sdk.html')).filter(({ language }) => language === 'ts')
  assert.equal(found.length, 3, 'the samples of the page')
  const [create = '', receive = '', follow = ''] = found.map(({ text }) => text)
  assert.ok(create.includes("baseUrl: 'http://127.0.0.1:4000'"))
  const load = async (name: string, text: string) => {
    await writeFile(join(folder, `${name}.ts`), text)
    return (await import(join(folder, `${name}.ts`))) as Samples
  }
  const imports = (text: string) => text.split('\n').filter((line) => line.startsWith('import '))
  const rest = (text: string) => text.split('\n').filter((line) => !line.startsWith('import '))
  const made = (text: string, head: string, tail: string) =>
    [...imports(text), head, ...rest(text), tail, '}', ''].join('\n')
  const here = create.replace('http://127.0.0.1:4000', apiUrl)
  const of = {
    ...(await load('create', made(here, 'export async function create() {', 'return payment'))),
    ...(await load(
      'receive',
      made(receive, 'export async function receive(request: Request) {', 'return event.type'),
    )),
    ...(await load(
      'follow',
      made(
        follow,
        'export async function follow(vintem: any, { storedPosition, inOneTransaction, handle, storePosition }: any) {',
        '',
      ),
    )),
  }
  return of
}
