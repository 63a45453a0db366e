// What a member gets by mail, and whether the merchant's payers get receipts.
import { Type as T } from 'typebox'
import { oneOf } from '#/kernel/schema.ts'
import { noticeNames } from '#/mail/notices.ts'
import { chooseNotice, chooseReceipts, readMailChoice } from '#/mail/settings.ts'
import { none } from '#/people/concern.ts'
import { bodyOf } from './place.ts'
import { memberRoute, type DashboardRoute } from './route.ts'

const kind = oneOf('MailNotice', noticeNames, 'What is told.')

const get = memberRoute({
  route: 'GET /mail',
  // Every role has this permission: every member decides about their own mail.
  permission: 'payments:read',
  operationId: 'getMail',
  summary: 'What comes to the member by mail, and whether payers get receipts',
  answer: T.Object(
    {
      canSend: T.Boolean({ description: 'Whether a mail server is set.' }),
      notices: T.Array(T.Object({ kind, isOn: T.Boolean() }, { title: 'MailNoticeChoice' })),
      receipts: T.Boolean(),
    },
    { title: 'MailChoice' },
  ),
  async handle({ http, post }, { caller }) {
    const choice = await readMailChoice(http.sql, caller.merchant.id, caller.visitor.user.id)
    return { canSend: post !== undefined, ...choice }
  },
})

const setNotice = memberRoute({
  route: 'PUT /mail/notices',
  permission: 'payments:read',
  starts: 'setting',
  concern: none('which letters the member gets'),
  operationId: 'chooseNotice',
  summary: 'Turns a notice to the member on or off',
  body: bodyOf({ kind, isOn: T.Boolean() }),
  handle: ({ http }, { caller, body, by }) =>
    chooseNotice(http.sql, caller.merchant.id, caller.visitor.user.id, body, by),
})

const setReceipts = memberRoute({
  route: 'PUT /mail/receipts',
  permission: 'profile:write',
  starts: 'setting',
  concern: none('whether payers get receipts'),
  operationId: 'chooseReceipts',
  summary: 'Whether payers get receipts by mail',
  body: bodyOf({ isOn: T.Boolean() }),
  handle: ({ http }, { caller, body, by }) => chooseReceipts(http.sql, caller.merchant.id, body.isOn, by),
})

export const mailRoutes: readonly DashboardRoute[] = [get, setNotice, setReceipts]
