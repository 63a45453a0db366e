// The page at `/`, for people: accounts with their last entries, payments that wait, files, the log.
import type { Markup } from '../../web/live/markup.ts'
import { state } from '../../web/live/parts.ts'
import type { Route } from '../kit/http.ts'
import { actions, listSection, part, row, switches, when } from '../kit/page-parts.ts'
import { pageRoutes } from '../kit/page.ts'
import { euro, type Account, type Bank, type BankFile, type Entry, type Payout } from './bank.ts'
import type { Controls } from './control.ts'

const [accountsShown, rowsShown] = [5, 10]

export function bankPage(bank: Bank, controls: Controls): readonly Route[] {
  const last = <T>(all: Iterable<T>, count = rowsShown): readonly T[] => [...all].slice(-count).reverse()
  return pageRoutes({
    folder: import.meta.dirname,
    brand: 'SEPA bank',
    heading: 'You are the payer, and the bank',
    intro: 'Accounts in euro. Send a transfer as its payer; the bank tells of it in files.',
    lists: () => {
      const accounts = last(bank.accounts.all(), accountsShown).map((each) =>
        accountRow(controls, each, last([...bank.entries.all()].filter(({ iban }) => iban === each.iban))),
      )
      const payouts = last(bank.payouts.all()).map((each) => payoutRow(controls, each))
      const files = last(bank.files.all()).map((each) => fileRow(controls, each))
      return [
        [
          'div',
          { 'data-key': 'lists' },
          listSection({ key: 'accounts', title: 'Accounts', empty: 'No account yet.' }, accounts),
          listSection({ key: 'payouts', title: 'Payments of the holders', empty: 'None yet.' }, payouts),
          listSection({ key: 'files', title: 'Files', empty: 'None yet.' }, files),
        ],
      ]
    },
    // The account that was opened last.
    side: () =>
      last(bank.accounts.all(), 1).map((each) =>
        switches('Payments of the holder', controls.payoutMode.buttons(each)),
      ),
    log: bank.log.recent,
  })
}

function accountRow(controls: Controls, account: Account, entries: readonly Entry[]): Markup {
  const { iban, holder, balance, day } = account
  return row({
    key: iban,
    amount: `${euro(BigInt(balance))} EUR`,
    beside: day,
    about: [holder],
    id: iban,
    parts: [
      controls.transfer.form(account),
      ...entries.map((entry) => entryPart(controls, entry)),
      ...actions([...controls.close.buttons(account), ...controls.forge.buttons(account)]),
    ],
  })
}

function entryPart(controls: Controls, entry: Entry): Markup {
  const { reference, isCredit, cents, day, partyName, structured, text, endToEndId } = entry
  return part({
    key: reference,
    words: `${isCredit ? '+' : '−'}${euro(BigInt(cents))} EUR, ${partyName}, ${day}`,
    id: structured ?? text ?? endToEndId ?? '',
    parts: actions(controls.recall.buttons(entry)),
  })
}

const stateWords = {
  HELD: state('wait', 'Waiting'),
  PAID: state('good', 'Carried out'),
  REJECTED: state('bad', 'Refused'),
  RETURNED: state('bad', 'Came back'),
} as const

function payoutRow(controls: Controls, payout: Payout): Markup {
  const { endToEndId, cents, toName, toIban } = payout
  return row({
    key: endToEndId,
    amount: `${euro(BigInt(cents))} EUR`,
    beside: stateWords[payout.state],
    about: [`${toName}, ${toIban}`],
    id: endToEndId,
    parts: actions(controls.payout.buttons(payout)),
  })
}

function fileRow(controls: Controls, file: BankFile): Markup {
  const { id, iban, at } = file
  return row({
    key: id,
    about: [['a', { class: 'plain', href: `/_sim/files/${id}` }, id]],
    link: when(at),
    id: iban,
    parts: actions(controls.resend.buttons(file)),
  })
}
