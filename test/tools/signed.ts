// A webhook as it is signed by Standard Webhooks, for the tests of shop systems.
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

export function signed(body: string, secret: string, at = new Date()): Readonly<Record<string, string>> {
  const id = randomUUID()
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
}
