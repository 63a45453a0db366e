// The control calls: accounts, transfers by scenario, days, files, payments. For callers on this machine.
import { clockRoute } from '../kit/account-clock.ts'
import { iso } from '../kit/clock.ts'
import { bad, oneOf } from '../kit/control-fields.ts'
import { route } from '../kit/control-route.ts'
import { asText, type Fields } from '../kit/fields.ts'
import { given } from '../kit/given.ts'
import type { Reply, Route } from '../kit/http.ts'
import { eventsRoute } from '../kit/log.ts'
import { controlProblem } from '../kit/refusal.ts'
import { accountAt, closeDay, deliver, deliverTo, forgeStatement, openAccount } from './accounts.ts'
import {
  centsOf,
  euro,
  payoutModes,
  versions,
  type Account,
  type Bank,
  type BankFile,
  type Entry,
  type Task,
} from './bank.ts'
import { actOn, payoutActs, takePayments } from './payouts.ts'
import { payerName, recall, scenarios, send } from './transfers.ts'

/** A file of a thousand payments has about half a megabyte. */
const uploadBytesMax = 4 * 1024 * 1024
const listed = 200

export function controlRoutes(bank: Bank): readonly Route[] {
  return [
    ...accountRoutes(bank),
    ...fileRoutes(bank),
    route('POST', '/_sim/payouts/:endToEndId', (body, { params }) => {
      const act = oneOf(body, 'act', payoutActs)
      return ok(together(bank, () => actOn(bank, params['endToEndId'] ?? '', act)))
    }),
    route('POST', '/_sim/entries/:reference/recall', (_, { params }) =>
      ok({ entries: together(bank, () => recall(bank, params['reference'] ?? '')).map(entrySheet) }),
    ),
    route('GET', '/_sim/state', () =>
      ok({
        accounts: [...bank.accounts.all()].map(sheetOf),
        entries: [...bank.entries.all()].slice(-listed),
        payouts: [...bank.payouts.all()].slice(-listed),
        files: [...bank.files.all()].slice(-listed).map(fileSheet),
      }),
    ),
    eventsRoute({
      recent: () => bank.log.recent(),
      shown: ({ sequence, at, words, about }) => ({ sequence, at: iso(at), words, about }),
    }),
    clockRoute<Task>({
      eventStore: bank.store,
      find: (iban) => bank.accounts.get(iban)?.iban,
      accountOf: ({ iban }) => iban,
      move: () => ({}),
    }),
  ]
}

function accountRoutes(bank: Bank): readonly Route[] {
  const at = (path: string, work: (iban: string, body: Fields) => unknown, bodyBytesMax?: number): Route => ({
    ...route('POST', `/_sim/accounts/:iban${path}`, (body, { params }) =>
      ok(together(bank, () => work(params['iban'] ?? '', body))),
    ),
    ...given({ bodyBytesMax }),
  })
  return [
    route('POST', '/_sim/accounts', (body) => {
      const holder = asText(body['holder'], 70)
      const cents = centsOf(body['balance'] ?? '0.00')
      if (holder === undefined) throw bad('holder is a name of at most 70 letters')
      if (cents === undefined) throw bad('balance is an amount such as 10.00')
      const { callbackKey, ...account } = together(bank, () => openAccount(bank, { holder, cents }))
      return { status: 201, body: { ...sheetOf(account), callbackKey } }
    }),
    at('', (iban, body) => {
      const account = accountAt(bank, iban)
      const version = body['version'] === undefined ? account.version : oneOf(body, 'version', versions)
      const payouts = body['payouts'] === undefined ? account.payouts : oneOf(body, 'payouts', payoutModes)
      return sheetOf(bank.accounts.put(iban, { ...account, version, payouts }))
    }),
    at('/webhook', (iban, body) => {
      const url = asText(body['url'], 256)
      if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url))
        throw bad('url is an address that begins with http or https')
      deliverTo(bank, iban, url)
      return { url }
    }),
    at('/transfers', (iban, body) => transfer(bank, iban, body)),
    // What the page's switch sends.
    at('/payouts', (iban, body) => {
      const payouts = oneOf(body, 'mode', payoutModes)
      return sheetOf(bank.accounts.put(iban, { ...accountAt(bank, iban), payouts }))
    }),
    at('/close', (iban) => fileSheet(closeDay(bank, iban))),
    at('/forge', (iban) => fileSheet(forgeStatement(bank, iban))),
    at(
      '/payment-files',
      (iban, body) => {
        const file = asText(body['file'], uploadBytesMax)
        if (file === undefined) throw bad('file is the text of a pain.001')
        accountAt(bank, iban)
        return { report: takePayments(bank, iban, file) }
      },
      uploadBytesMax,
    ),
  ]
}

function transfer(bank: Bank, iban: string, body: Fields) {
  const scenario = oneOf(body, 'scenario', scenarios)
  const cents = centsOf(body['amount'] ?? (scenario === 'return' ? '0.00' : undefined))
  if (cents === undefined || (cents === 0n && scenario !== 'return'))
    throw bad('amount is an amount such as 10.00')
  const reference = asText(body['reference'], 35) ?? ''
  if (reference === '' && scenario !== 'no_reference') throw bad('reference is missing')
  const name = asText(body['name'], 70) ?? payerName
  const from = asText(body['iban'], 34)
  const sent = { scenario, cents, reference, name, ...given({ iban: from }) }
  return { entries: send(bank, iban, sent).map(entrySheet) }
}

function fileRoutes(bank: Bank): readonly Route[] {
  const fileAt = (id: string | undefined): BankFile => {
    const found = bank.files.get(id ?? '')
    if (found === undefined) throw controlProblem(404, 'not_found', 'There is no such file')
    return found
  }
  return [
    route('GET', '/_sim/files/:id', (_, { params }) => ({
      status: 200,
      type: 'application/xml; charset=utf-8',
      headers: { 'content-disposition': `attachment; filename="${fileAt(params['id']).id}.xml"` },
      body: fileAt(params['id']).text,
    })),
    route('POST', '/_sim/files/:id/send', (_, { params }) => {
      const file = fileAt(params['id'])
      together(bank, () => deliver(bank, file))
      return ok(fileSheet(file))
    }),
  ]
}

function ok(body: unknown): Reply {
  return { status: 200, body }
}

function together<T>({ store }: Bank, work: () => T): T {
  return store.together(work)
}

function sheetOf({ iban, bic, holder, url, version, payouts, day, balance }: Omit<Account, 'callbackKey'>) {
  return { iban, bic, holder, url, version, payouts, day, balance: euro(BigInt(balance)) }
}

function entrySheet({ reference, isCredit, cents, day }: Entry) {
  return { reference, isCredit, amount: euro(BigInt(cents)), day }
}

function fileSheet({ id, iban, message, at }: BankFile) {
  return { id, iban, message, at: iso(at) }
}
