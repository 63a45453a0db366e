// What a merchant decides for all its payments.
import type { Of } from '#/contract/record.ts'
import { settings, settingsRequest } from '#/contract/settings.ts'
import { must } from '#/kernel/check.ts'
import { AppError } from '#/kernel/error.ts'
import { withoutNulls } from '#/kernel/given.ts'
import { pageUrlFaults } from '#/kernel/page-url.ts'
import { selectMerchantWithSettings, writeReturnUrl, type MerchantSettings } from '#/merchants/queries.ts'
import { route, type Route } from './route.ts'

const example = { returnUrl: 'https://shop.example.com/thanks' }

const get = route({
  route: 'GET /v1/settings',
  scope: 'payments:read',
  operationId: 'getSettings',
  summary: 'Get your settings',
  description: 'What you decide for all your payments.',
  answer: settings,
  example,
  async handle({ sql }, { merchant: { id } }) {
    return { record: settingsRecord(must(await selectMerchantWithSettings(sql, id), 'a key has a merchant')) }
  },
})

const set = route({
  route: 'PUT /v1/settings',
  scope: 'payments:write',
  audit: { action: 'settings.set', subjectOf: ({ merchant }) => `merchant:${merchant.id}` },
  starts: 'setting',
  concern: 'payers',
  operationId: 'setSettings',
  summary: 'Set your settings',
  description:
    'All of them: a field that you leave out is removed. Pages of payments that exist follow, too.',
  answer: settings,
  example,
  body: settingsRequest,
  exampleBody: example,
  async handle({ sql }, { merchant: { id, mode }, body }, { beside }) {
    const { returnUrl } = body
    const faults = pageUrlFaults('/returnUrl', returnUrl, mode)
    const [fault] = faults
    if (fault !== undefined)
      throw new AppError('invalid_request', `${fault.pointer} ${fault.message}.`, { faults })
    const merchant = await sql.begin(async (tx) => {
      if (await writeReturnUrl(tx, id, returnUrl ?? null)) await beside?.(tx)
      return selectMerchantWithSettings(tx, id)
    })
    return { record: settingsRecord(must(merchant, 'a key has a merchant')) }
  },
})

function settingsRecord({ returnUrl }: MerchantSettings): Of<typeof settings> {
  return withoutNulls({ returnUrl })
}

export const settingsRoutes: readonly Route[] = [get, set]
