// The keys of an installation that a test runs in its own process, by the names of their settings.

import { deriveKey } from '#/kernel/secret.ts'

export const worldKeys = {
  VINTEM_MASTER_KEY: 'ab'.repeat(32),
  VINTEM_WORKER_KEY: 'ef'.repeat(32),
  VINTEM_AUDIT_KEY: 'cd'.repeat(32),
}

/** The bytes of one of them. */
export function keyOf(name: keyof typeof worldKeys): Buffer {
  return Buffer.from(worldKeys[name], 'hex')
}

/** Seals the webhook secrets of merchants, as the installation does. */
export const webhookSealKey = deriveKey(keyOf('VINTEM_MASTER_KEY'), 'webhook secrets')
