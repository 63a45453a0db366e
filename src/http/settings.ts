// What a merchant decides for all its payments.
import type { Of } from '#/contract/record.ts'
import { settings, settingsRequest } from '#/contract/settings.ts'
import { must } from '#/kernel/check.ts'
import { isCountry } from '#/kernel/country.ts'
import { AppError, type FieldFault } from '#/kernel/error.ts'
import { parseTaxIdOf } from '#/kernel/foreign-tax-id.ts'
import { withoutNulls } from '#/kernel/given.ts'
import type { Mode } from '#/kernel/mode.ts'
import { pageUrlFaults } from '#/kernel/page-url.ts'
import { selectMerchantWithSettings, writeSettings, type MerchantSettings } from '#/merchants/queries.ts'
import { route, type Route } from './route.ts'

const example = {
  returnUrl: 'https://shop.example.com/thanks',
  legalName: 'Livraria da Ana Ltda.',
  taxId: '11222333000181',
  country: 'BR',
}

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
    const faults = faultsOf(body, mode)
    const [fault] = faults
    if (fault !== undefined)
      throw new AppError('invalid_request', `${fault.pointer} ${fault.message}.`, { faults })
    const merchant = await sql.begin(async (tx) => {
      if (await writeSettings(tx, id, settingsOf(body))) await beside?.(tx)
      return selectMerchantWithSettings(tx, id)
    })
    return { record: settingsRecord(must(merchant, 'a key has a merchant')) }
  },
})

function faultsOf(body: Of<typeof settingsRequest>, mode: Mode): readonly FieldFault[] {
  const { returnUrl, legalName, taxId, country = 'BR' } = body
  const faults: FieldFault[] = [...pageUrlFaults('/returnUrl', returnUrl, mode)]
  if (legalName?.trim() === '')
    faults.push({ pointer: '/legalName', code: 'malformed', message: 'has nothing to read' })
  if (!isCountry(country))
    faults.push({
      pointer: '/country',
      code: 'malformed',
      message: 'is no country of ISO 3166-1, such as PT',
    })
  else if (taxId !== undefined && parseTaxIdOf(country, taxId) === undefined) {
    const what = country === 'BR' ? 'CPF or CNPJ' : `tax id of ${country}`
    const message = `is no ${what}: its check digits do not hold`
    faults.push({ pointer: '/taxId', code: 'malformed', message })
  }
  return faults
}

function settingsOf(body: Of<typeof settingsRequest>): MerchantSettings {
  const { returnUrl = null, legalName, taxId, country = null } = body
  return {
    returnUrl,
    legalName: legalName?.trim() ?? null,
    taxId: (taxId === undefined ? undefined : parseTaxIdOf(country ?? 'BR', taxId)) ?? null,
    country,
  }
}

function settingsRecord({ returnUrl, legalName, taxId, country }: MerchantSettings): Of<typeof settings> {
  return withoutNulls({ returnUrl, legalName, taxId, country })
}

export const settingsRoutes: readonly Route[] = [get, set]
