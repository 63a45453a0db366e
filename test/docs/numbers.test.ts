// Numbers that pages state and that the code decides: where one changes, its sentence does.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { suggestedApprovalAbove } from '#/kernel/suggested-approval.ts'
import { railMost } from '#/money-out/limits.ts'
import { checkoutEnd } from '#/payments/payment.ts'
import { descriptorOf } from '#/rails/methods.ts'
import { sepaCountries } from '#/rails/sepa/countries.ts'
import { draftsMax } from '#/templates/draft.ts'
import { root } from './page.ts'

const spaced = (value: number | bigint) => value.toLocaleString('en-US')
const money = (minor: bigint) => `${spaced(minor / 100n)}.${String(minor % 100n).padStart(2, '0')}`

const openapi = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as {
  readonly components: {
    readonly schemas: {
      readonly CreatePaymentRequest: {
        readonly properties: {
          readonly expiresIn: { readonly minimum: number; readonly maximum: number }
        }
      }
    }
  }
}
const { minimum, maximum } = openapi.components.schemas.CreatePaymentRequest.properties.expiresIn
const secondsOf = (method: 'MB_WAY' | 'PARTNER_PAY') => {
  const most = descriptorOf[method].lifetimeMaxMs
  assert.ok(most !== undefined)
  return spaced(most / 1_000)
}
const now = new Date(0)
const hours = (checkoutEnd(now, {}).getTime() - now.getTime()) / 3_600_000
const { PIX, SEPA, CRYPTO } = suggestedApprovalAbove
const suggested = `${money(PIX)} BRL by PIX, ${money(SEPA)} EUR by SEPA and ${money(CRYPTO)} USDT by CRYPTO`

const sentences: readonly (readonly [page: string, sentence: string])[] = [
  ['limits.md', `| drafts of templates | ${draftsMax};`],
  ['checkout.md', `of ${minimum} to ${spaced(maximum)} (30 days); default: ${hours} hours`],
  ['checkout.md', `MB_WAY takes ${secondsOf('MB_WAY')} at most, PARTNER_PAY ${secondsOf('PARTNER_PAY')}`],
  [
    'integrating.md',
    `${minimum} to ${spaced(maximum)}. Each method has its own default and maximum; a checkout has ${hours} hours`,
  ],
  [
    'rails/partner-pay.md',
    `\`expiresIn\` above ${secondsOf('PARTNER_PAY')} is refused with 400 at \`/expiresIn\`. A checkout may last longer (${hours} hours`,
  ],
  [
    'withdrawals.md',
    `One withdrawal by SEPA is at most ${money(railMost.SEPA)}, one by PIX at most ${money(railMost.PIX)}`,
  ],
  ['withdrawals.md', suggested],
  [
    'rails/sepa.md', // Gibraltar has letters of its own and is no country of the scheme.
    `one of the ${sepaCountries.size - 1} that the SEPA schemes reach`,
  ],
]

for (const [page, sentence] of sentences)
  test(`docs/${page}: ${sentence}`, () => {
    assert.ok(readFileSync(join(root, 'docs', page), 'utf8').includes(sentence))
  })
