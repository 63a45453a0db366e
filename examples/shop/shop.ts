// Starts the shop beside a sandbox: `npm start` here, after `npm start` in the repository's root.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { serve } from '@hono/node-server'
import { createClient } from '@vintem/sdk'
import { createApp } from './app.ts'
import { openOrders } from './orders.ts'

const here = import.meta.dirname
const port = Number(process.env.SHOP_PORT ?? 3000)
const url = process.env.SHOP_URL ?? `http://127.0.0.1:${port}`
const { apiKey, apiUrl, webhookSecret } = settings()

const vintem = createClient({ apiKey, baseUrl: apiUrl })
const orders = openOrders(process.env.SHOP_DB ?? join(here, 'shop.db'))
serve({ fetch: createApp({ vintem, orders, webhookSecret, url }).fetch, port, hostname: '127.0.0.1' }, () =>
  console.log(`The shop is open at ${url}`),
)

// Webhooks bring news at once. This loop brings what no webhook brought: both call the same code, so nothing happens twice.
for await (const { events, readTo } of vintem.events.followBatches({ after: orders.position() }))
  orders.applyAll(events, readTo)

/** Those of the sandbox, unless the environment says otherwise. */
function settings(): { readonly apiKey: string; readonly apiUrl: string; readonly webhookSecret: string } {
  const { VINTEM_API_KEY: apiKey, VINTEM_API_URL: apiUrl, VINTEM_WEBHOOK_SECRET: webhookSecret } = process.env
  if (apiKey !== undefined && apiUrl !== undefined && webhookSecret !== undefined)
    return { apiKey, apiUrl, webhookSecret }
  // As for the sandbox itself, a relative folder begins at the repository's root.
  const file = resolve(here, '../..', process.env.VINTEM_DATA_DIR ?? '.vintem', 'sandbox.json')
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof settings>
  } catch (cause) {
    throw new Error(
      'No sandbox runs: npm start in the root first, or set VINTEM_API_URL, VINTEM_API_KEY and VINTEM_WEBHOOK_SECRET',
      { cause },
    )
  }
}
