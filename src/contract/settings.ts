// What a merchant decides for all its payments.
import { Type as T } from 'typebox'
import { pageUrl } from './words.ts'

const returnUrl =
  'Where the payer’s page leads when the payer is done, for payments that have no `returnUrl` of their own or of their template.'

export const settings = T.Object(
  { returnUrl: T.Optional(T.String({ description: `${returnUrl} Absent: the page stays.` })) },
  { title: 'Settings', description: 'What you decide for all your payments.' },
)

export const settingsRequest = T.Object(
  { returnUrl: T.Optional(pageUrl(`${returnUrl} Absent: none.`)) },
  { title: 'SetSettingsRequest', additionalProperties: false },
)
