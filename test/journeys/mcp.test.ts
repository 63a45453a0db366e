// `mcp` as an agent's program starts it, with the protocol's official client on the other side.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { eventually } from '../eventually.ts'
import { main, type Installation } from './installation.ts'
import { sharedInstallation } from './shared-installation.ts'

let installation: Installation
let client: Client

before(async () => {
  installation = await sharedInstallation()
  client = new Client({ name: 'test', version: '1.0.0' })
  const env = {
    PATH: process.env.PATH ?? '',
    VINTEM_DATA_DIR: installation.dataDir,
    PORT: String(installation.port),
  }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env }))
})
after(() => client.close())

/** The JSON that a tool answers. */
async function call(name: string, args: Readonly<Record<string, unknown>> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const [first] = content as readonly { readonly text: string }[]
  assert.notEqual(isError, true, first?.text ?? '')
  return JSON.parse(first?.text ?? '') as Readonly<Record<string, unknown>>
}

test('an agent creates a payment, pays it, sees it PAID, and reads why', async () => {
  const created = await call('createPayment', {
    amount: 1234,
    currency: 'BRL',
    paymentMethods: ['PIX'],
    idempotencyKey: 'by-an-agent',
  })
  const { id } = created as { readonly id: string }
  await call('paySandboxPayment', { id, scenario: 'exact' })
  await eventually('PAID', async () => (await call('getPayment', { id }))['status'] === 'PAID')
  assert.match(JSON.stringify(await call('explainPayment', { id })), /PAID/)
})

test('a refusal of the API is an error that says why, and the connection lives on', async () => {
  const refused = await client.callTool({
    name: 'getPayment',
    arguments: { id: '019aa3c2-7b1e-7c4d-9f00-5a1b2c3d4e5f' },
  })
  assert.equal(refused.isError, true)
  assert.match(JSON.stringify(refused.content), /404/)
  assert.equal(typeof (await call('getMe'))['merchant'], 'object')
})

test('no tool sends money out, and an unknown tool is refused', async () => {
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.filter(({ name }) => /^(?:create|approve)(?:Refund|Withdrawal|Transfer)/.test(name)),
    [],
  )
  const unknown = await client.callTool({ name: 'createWithdrawal', arguments: {} }).then(
    ({ isError }) => isError,
    () => true,
  )
  assert.equal(unknown, true)
})

test('the documents are resources', async () => {
  const { resources } = await client.listResources()
  const webhooks = resources.find(({ uri }) => uri.endsWith('/webhooks.md'))
  const { contents } = await client.readResource({ uri: webhooks?.uri ?? '' })
  assert.match(JSON.stringify(contents), /Standard Webhooks/)
})
