// The control calls: accounts, transfers by scenario, days, files, payments. For callers on this machine.
import { clockControl } from '../kit/account-clock.ts'
import { iso } from '../kit/clock.ts'
import {
  bad,
  field,
  oneOf,
  optional,
  text,
  usually,
  webAddress,
  type FieldTable,
} from '../kit/control-fields.ts'
import { control, route, type ControlCall } from '../kit/control.ts'
import { asText } from '../kit/fields.ts'
import { given } from '../kit/given.ts'
import type { Route } from '../kit/http.ts'
import { eventsRoute } from '../kit/log.ts'
import { found } from '../kit/refusal.ts'
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
  type Payout,
  type PayoutMode,
  type Task,
} from './bank.ts'
import { actOn, payoutActs, takePayments } from './payouts.ts'
import { payerName, recall, scenarios, send, type Scenario } from './transfers.ts'

/** A file of a thousand payments has about half a megabyte. */
const uploadBytesMax = 4 * 1024 * 1024
const listed = 200

const amount = field('an amount such as 10.00', centsOf, {
  inputmode: 'decimal',
  pattern: '\\d{1,9}[.,]\\d{2}',
  title: 'An amount with two decimals, such as 45.00',
})

const scenarioWords: Readonly<Record<Scenario, string>> = {
  exact: 'As typed here',
  under: 'Half of the amount',
  over: 'A tenth more than the amount',
  no_reference: 'Without a reference',
  typo: 'One character of the reference is wrong',
  late: 'On the next banking day: closes this one',
  twice: 'Twice',
  return: 'A payment of the holder comes back',
}
const modeWords: Readonly<Record<PayoutMode, string>> = {
  pay: 'Carry out',
  hold: 'Wait',
  reject: 'Refuse',
  return: 'Send back',
}

export type Controls = ReturnType<typeof controlTable>

export function controlTable(bank: Bank) {
  return {
    ...accountControls(bank),
    ...payerControls(bank),
    ...payoutControls(bank),
    ...readingControls(bank),
  }
}

type OfAccount<Of extends FieldTable> = Omit<ControlCall<Of, Account, Account>, 'path' | 'find' | 'names'>

/** A call about one account. */
function ofAccount<Of extends FieldTable>(bank: Bank, rest: string, call: OfAccount<Of>) {
  return control(bank.store, {
    ...call,
    path: `accounts/:iban${rest}`,
    find: ({ iban }) => accountAt(bank, iban),
    names: ({ iban }) => ({ iban }),
  })
}

function accountControls(bank: Bank) {
  const { store, accounts } = bank
  return {
    account: control(store, {
      path: 'accounts',
      status: 201,
      fields: { holder: text(70), balance: usually(0n, amount) },
      run: ({ holder, balance }) => {
        const { callbackKey, ...account } = openAccount(bank, { holder, cents: balance })
        return { ...sheetOf(account), callbackKey }
      },
    }),
    settings: ofAccount(bank, '', {
      fields: { version: optional(oneOf(versions)), payouts: optional(oneOf(payoutModes)) },
      run: (changed, account) => sheetOf(accounts.put(account.iban, { ...account, ...given(changed) })),
    }),
    webhook: ofAccount(bank, '/webhook', {
      fields: { url: webAddress },
      run: ({ url }, { iban }) => {
        deliverTo(bank, iban, url)
        return { url }
      },
    }),
    close: ofAccount(bank, '/close', {
      run: (_, { iban }) => fileSheet(closeDay(bank, iban)),
      buttons: () => [['Close the day', {}]],
    }),
    forge: ofAccount(bank, '/forge', {
      run: (_, { iban }) => fileSheet(forgeStatement(bank, iban)),
      buttons: () => [['Send a forged statement', {}]],
    }),
  }
}

function payerControls(bank: Bank) {
  const { store, entries } = bank
  return {
    transfer: ofAccount(bank, '/transfers', {
      fields: {
        amount: optional(amount),
        reference: optional(text(35)),
        name: optional(text(70)),
        scenario: oneOf(scenarios, scenarioWords),
        iban: optional(text(34)),
      },
      run: ({ scenario, amount: cents = 0n, reference = '', name = payerName, iban }, account) => {
        if (cents === 0n && scenario !== 'return') throw bad('amount is an amount such as 10.00')
        if (reference === '' && scenario !== 'no_reference') throw bad('reference is missing')
        const transfer = { scenario, cents, reference, name, ...given({ iban }) }
        return { entries: send(bank, account.iban, transfer).map(entrySheet) }
      },
      form: () => ({
        labels: {
          amount: 'Amount in EUR',
          reference: 'Reference, or EndToEndId of what comes back',
          name: 'Name of the payer',
          scenario: 'How it comes',
        },
        placeholders: { amount: '45.00', name: payerName },
        submit: 'Send the transfer',
        style: 'first',
      }),
    }),
    recall: control(store, {
      path: 'entries/:reference/recall',
      find: ({ reference }) => reference ?? '',
      run: (_, reference) => ({ entries: recall(bank, reference).map(entrySheet) }),
      names: ({ reference }: Entry) => ({ reference }),
      buttons: ({ reference, isCredit, returned }) => {
        const isTakenBack = [...entries.all()].some(({ recalls }) => recalls === reference)
        return [['Take it back', {}, { when: isCredit && returned === undefined && !isTakenBack }]]
      },
    }),
  }
}

function payoutControls(bank: Bank) {
  const { store, accounts } = bank
  return {
    payoutMode: ofAccount(bank, '/payouts', {
      fields: { mode: oneOf(payoutModes) },
      run: ({ mode }, account) => sheetOf(accounts.put(account.iban, { ...account, payouts: mode })),
      buttons: ({ payouts }) =>
        payoutModes.map((mode) => [modeWords[mode], { mode }, { isOn: mode === payouts }]),
    }),
    handIn: ofAccount(bank, '/payment-files', {
      bodyBytesMax: uploadBytesMax,
      fields: { file: field('the text of a pain.001', (file) => asText(file, uploadBytesMax)) },
      run: ({ file }, { iban }) => ({ report: takePayments(bank, iban, file) }),
    }),
    payout: control(store, {
      path: 'payouts/:endToEndId',
      fields: { act: oneOf(payoutActs) },
      find: ({ endToEndId }) => endToEndId ?? '',
      run: ({ act }, endToEndId) => actOn(bank, endToEndId, act),
      names: ({ endToEndId }: Payout) => ({ endToEndId }),
      buttons: ({ state }) => [
        ['Carry out', { act: 'pay' }, { when: state === 'HELD', style: 'first' }],
        ['Refuse', { act: 'reject' }, { when: state === 'HELD' }],
        ['Send back', { act: 'return' }, { when: state === 'PAID' }],
      ],
    }),
  }
}

function readingControls(bank: Bank) {
  const { store, accounts, entries } = bank
  return {
    resend: control(store, {
      path: 'files/:id/send',
      find: ({ id }) => fileAt(bank, id),
      run: (_, file) => {
        deliver(bank, file)
        return fileSheet(file)
      },
      names: ({ id }: BankFile) => ({ id }),
      buttons: () => [['Deliver again', {}]],
    }),
    state: control(store, {
      method: 'GET',
      path: 'state',
      run: () => ({
        accounts: [...accounts.all()].map(sheetOf),
        entries: [...entries.all()].slice(-listed),
        payouts: [...bank.payouts.all()].slice(-listed),
        files: [...bank.files.all()].slice(-listed).map(fileSheet),
      }),
    }),
    clock: clockControl<Task>({
      eventStore: store,
      find: (iban) => accounts.get(iban)?.iban,
      accountOf: ({ iban }) => iban,
      move: () => ({}),
    }),
  }
}

export function routesOf(bank: Bank, controls: Controls): readonly Route[] {
  return [
    ...Object.values(controls).map((each) => each.route),
    route('GET', '/_sim/files/:id', (_, { params }) => {
      const { id, text: body } = fileAt(bank, params['id'])
      const headers = { 'content-disposition': `attachment; filename="${id}.xml"` }
      return { status: 200, type: 'application/xml; charset=utf-8', headers, body }
    }),
    eventsRoute({
      recent: () => bank.log.recent(),
      shown: ({ sequence, at, words, about }) => ({ sequence, at: iso(at), words, about }),
    }),
  ]
}

function fileAt({ files }: Bank, id = ''): BankFile {
  return found(files.get(id), 'There is no such file')
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
