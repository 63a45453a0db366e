// The page at `/`, for people: accounts with their last entries, payments that wait, files, the log.
import { join } from 'node:path'
import type { Markup } from '../../web/live/markup.ts'
import { state } from '../../web/live/parts.ts'
import type { Route } from '../kit/http.ts'
import { lastOf, logSection } from '../kit/log.ts'
import { action, actions, choices, listSection, side, when } from '../kit/page-parts.ts'
import { controlPage, pageRoutes } from '../kit/page.ts'
import { euro, type Account, type Bank, type BankFile, type Entry, type Payout } from './bank.ts'
import { payerName, scenarios, type Scenario } from './transfers.ts'

const [accountsShown, rowsShown] = [5, 10]

export function pageOf(bank: Bank): readonly Route[] {
  const live = () => [
    [
      'div',
      { 'data-key': 'lists' },
      accountsSection(bank),
      payoutsSection(bank),
      filesSection(bank),
    ] as const,
    sideOf(bank),
  ]
  return pageRoutes({
    icon: join(import.meta.dirname, 'page.svg'),
    page: () =>
      controlPage({
        title: 'SEPA bank simulator',
        brand: 'SEPA bank',
        heading: 'You are the payer, and the bank',
        intro: 'Accounts in euro. Send a transfer as its payer; the bank tells of it in files.',
        live: live(),
      }),
    live,
    last: () => lastOf(bank.log.recent()),
  })
}

function accountsSection(bank: Bank): Markup {
  const accounts = [...bank.accounts.all()].slice(-accountsShown).reverse()
  return listSection(
    { key: 'accounts', title: 'Accounts', empty: 'No account yet.' },
    accounts.map((account) => accountRow(bank, account)),
  )
}

function accountRow(bank: Bank, { iban, holder, balance, day }: Account): Markup {
  const entries = [...bank.entries.all()].filter((each) => each.iban === iban).slice(-rowsShown)
  const path = `/_sim/accounts/${iban}`
  const takenBack = new Set(entries.flatMap(({ recalls }) => recalls ?? []))
  return [
    'li',
    { 'data-key': iban },
    ['div', { class: 'line' }, ['h3', { class: 'amount' }, `${euro(BigInt(balance))} EUR`], day],
    ['div', { class: 'line soft' }, ['span', {}, holder]],
    ['code', { class: 'id' }, iban],
    transferForm(iban),
    ...entries.toReversed().map((entry) => entryPart(entry, takenBack.has(entry.reference))),
    ...actions(
      action('Close the day', `${path}/close`, {}),
      action('Send a forged statement', `${path}/forge`, {}),
    ),
  ]
}

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

/** What a payer enters in the bank's app, and how the transfer then comes. */
function transferForm(iban: string): Markup {
  const field = (name: string, words: string, attributes: Readonly<Record<string, string>>): Markup => [
    'label',
    {},
    words,
    ['input', { name, autocomplete: 'off', ...attributes }],
  ]
  return [
    'form',
    { class: 'send', 'data-key': `send-${iban}`, 'data-call': `/_sim/accounts/${iban}/transfers` },
    field('amount', 'Amount in EUR', {
      inputmode: 'decimal',
      placeholder: '45.00',
      pattern: '\\d{1,9}[.,]\\d{2}',
      title: 'An amount with two decimals, such as 45.00',
    }),
    field('reference', 'Reference, or EndToEndId of what comes back', { maxlength: '35' }),
    field('name', 'Name of the payer', { maxlength: '70', placeholder: payerName }),
    [
      'label',
      {},
      'How it comes',
      [
        'select',
        { name: 'scenario' },
        ...scenarios.map((scenario): Markup => ['option', { value: scenario }, scenarioWords[scenario]]),
      ],
    ],
    ['button', { class: 'first', type: 'submit' }, 'Send the transfer'],
  ]
}

function entryPart(
  { reference, isCredit, cents, day, partyName, structured, text, endToEndId, returned }: Entry,
  isTakenBack: boolean,
): Markup {
  const canTakeBack = isCredit && returned === undefined && !isTakenBack
  const words = structured ?? text ?? endToEndId ?? ''
  return [
    'div',
    { class: 'pix', 'data-key': reference },
    ['p', {}, `${isCredit ? '+' : '−'}${euro(BigInt(cents))} EUR, ${partyName}, ${day}`],
    ['code', { class: 'id' }, words],
    ...actions(...(canTakeBack ? [action('Take it back', `/_sim/entries/${reference}/recall`, {})] : [])),
  ]
}

const stateWords = {
  HELD: 'Waiting',
  PAID: 'Carried out',
  REJECTED: 'Refused',
  RETURNED: 'Came back',
} as const

function payoutsSection(bank: Bank): Markup {
  const rows = [...bank.payouts.all()].slice(-rowsShown).reverse().map(payoutRow)
  return listSection({ key: 'payouts', title: 'Payments of the holders', empty: 'None yet.' }, rows)
}

function payoutRow({ endToEndId, cents, toName, toIban, state: at }: Payout): Markup {
  const path = `/_sim/payouts/${endToEndId}`
  const tone = at === 'PAID' ? 'good' : at === 'HELD' ? 'wait' : 'bad'
  const buttons =
    at === 'HELD'
      ? [action('Carry out', path, { act: 'pay' }, 'first'), action('Refuse', path, { act: 'reject' })]
      : at === 'PAID'
        ? [action('Send back', path, { act: 'return' })]
        : []
  return [
    'li',
    { 'data-key': endToEndId },
    [
      'div',
      { class: 'line' },
      ['h3', { class: 'amount' }, `${euro(BigInt(cents))} EUR`],
      state(tone, stateWords[at]),
    ],
    ['div', { class: 'line soft' }, ['span', {}, `${toName}, ${toIban}`]],
    ['code', { class: 'id' }, endToEndId],
    ...actions(...buttons),
  ]
}

function filesSection(bank: Bank): Markup {
  const rows = [...bank.files.all()].slice(-rowsShown).reverse().map(fileRow)
  return listSection({ key: 'files', title: 'Files', empty: 'None yet.' }, rows)
}

function fileRow({ id, iban, at }: BankFile): Markup {
  return [
    'li',
    { 'data-key': id },
    ['div', { class: 'line soft' }, ['a', { class: 'plain', href: `/_sim/files/${id}` }, id], when(at)],
    ['code', { class: 'id' }, iban],
    ...actions(action('Deliver again', `/_sim/files/${id}/send`, {})),
  ]
}

function sideOf(bank: Bank): Markup {
  const last = [...bank.accounts.all()].at(-1)
  return side(...(last === undefined ? [] : modesOf(last)), logSection(bank.log.recent()))
}

const modeWords = { pay: 'Carry out', hold: 'Wait', reject: 'Refuse', return: 'Send back' } as const

/** The switches of the account that was opened last. */
function modesOf({ iban, payouts }: Account): readonly Markup[] {
  return [choices('Payments of the holder', `/_sim/accounts/${iban}/payouts`, modeWords, payouts)]
}
