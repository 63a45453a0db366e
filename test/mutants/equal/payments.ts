import type { EqualMutant } from './equal-mutant.ts'

const ofIndex =
  'The comparison with the four digits is not true of null either; the condition is that of the partial index, which the planner needs.'

const ofEach = 'The list has an entry for each share; only its type does not say so.'

const ofNone = 'Checks of no attempts, or of no methods, are no rows: only a statement is spared.'

export const payments: readonly EqualMutant[] = [
  {
    file: 'src/payments/payment.ts',
    find: "method === 'CRYPTO' && currency === 'USD'",
    put: "(method === 'CRYPTO')",
    why: 'A payment by CRYPTO is in USD or in USDT, and of both the ledger counts USDT.',
  },
  {
    file: 'src/payments/create.ts',
    find: 'attempt === undefined || payment.method === undefined ?',
    put: '(payment.method === undefined) ?',
    why: 'Without an attempt the rail is looked up, and shows nothing.',
  },
  {
    file: 'src/payments/find-queries.ts',
    find: "${merchantId} and receipt.means ->> 'last4' is not null\n         ",
    put: '${merchantId} ',
    why: ofIndex,
  },
  {
    file: 'src/payments/find-queries.ts',
    find: "payment.merchant_id and receipt.means ->> 'last4' is not null\n         ",
    put: 'payment.merchant_id ',
    why: ofIndex,
  },
  {
    file: 'src/payments/find-queries.ts',
    find: 'length: 1 << paymentExceptions.length',
    put: 'length: 2 << paymentExceptions.length',
    why: 'The sets beyond are those of no payment, so more values are looked up and none of them is found.',
  },
  {
    file: 'src/payments/book-shares.ts',
    find: 'const kept = minor > 0n ?',
    put: 'const kept = minor >= 0n ?',
    why: 'Of nothing nothing is kept in either branch: what the platform kept is never below zero.',
  },
  {
    file: 'src/payments/book-shares.ts',
    find: 'shareMinors[index] ?? 0n) - (shares',
    put: 'shareMinors[index] ?? 1n) - (shares',
    why: ofEach,
  },
  {
    file: 'src/payments/book-shares.ts',
    find: '(shares[index]?.unreleasedMinor ?? 0n)',
    put: '(shares[index]?.unreleasedMinor ?? 1n)',
    why: ofEach,
  },
  {
    file: 'src/payments/book-shares.ts',
    find: '{ minor: 0n, kept: 0n }',
    put: '{ minor: 1n, kept: 0n }',
    why: ofEach,
  },
  {
    file: 'src/payments/book-shares.ts',
    find: '{ minor: 0n, kept: 0n }',
    put: '{ minor: 0n, kept: 1n }',
    why: ofEach,
  },
  {
    file: 'src/payments/book-shares.ts',
    find: 'waiting[index] ?? 0n',
    put: 'waiting[index] ?? 1n',
    why: ofEach,
  },
  {
    file: 'src/payments/book-shares.ts',
    find: '(amounts[index] ?? 0n)',
    put: '(amounts[index] ?? 1n)',
    why: ofEach,
  },
  {
    file: 'src/payments/book-shares.ts',
    find: '=== false ? (shareMinors[index] ?? 0n)',
    put: '=== false ? (shareMinors[index] ?? 1n)',
    why: ofEach,
  },
  {
    file: 'src/payments/book-shares.ts',
    find: 'terms.released?.receipt ?? 0',
    put: 'terms.released?.receipt ?? 1',
    why: 'Without a receipt that is released nothing is released, and its number is not used.',
  },
  {
    file: 'src/payments/open-kind.ts',
    find: 'opened.length > 0 && checked.length > 0',
    put: '(opened.length > 0)',
    why: ofNone,
  },
  {
    file: 'src/payments/open-kind.ts',
    find: 'opened.length > 0 && checked.length > 0',
    put: '(checked.length > 0)',
    why: ofNone,
  },
  {
    file: 'src/payments/open-kind.ts',
    find: 'opened.length > 0 && checked.length > 0 && insertChecks(tx, opened, checked, firstCheckMs)',
    put: '(insertChecks(tx, opened, checked, firstCheckMs))',
    why: ofNone,
  },
  {
    file: 'src/payments/open-kind.ts',
    find: 'opened.length > 0 && checked',
    put: 'opened.length >= 0 && checked',
    why: ofNone,
  },
  {
    file: 'src/payments/open-kind.ts',
    find: 'checked.length > 0 && insertChecks',
    put: 'checked.length >= 0 && insertChecks',
    why: ofNone,
  },
  {
    file: 'src/payments/plan-split.ts',
    find: "whole !== '' && ppm >= 1n",
    put: '(ppm >= 1n)',
    why: 'A text of another form has no digits here, so it is zero, which is refused.',
  },
  {
    file: 'src/payments/plan-split.ts',
    find: '?.minor ?? 0n',
    put: '?.minor ?? 1n',
    why: 'A fee payer that is none of the recipients was refused before.',
  },
  {
    file: 'src/payments/routing.ts',
    find: '? 0 : 1)',
    put: '? 0 : 2)',
    why: 'Only which of the two ranks comes first counts.',
  },
  {
    file: 'src/payments/payer-choice.ts',
    find: 'paper > end ? paper',
    put: 'paper >= end ? paper',
    why: 'At the same instant both are that instant.',
  },
  {
    file: 'src/payments/payer-choice.ts',
    find: 'chosen < last ? chosen',
    put: 'chosen <= last ? chosen',
    why: 'At the same instant both are that instant.',
  },
  {
    file: 'src/payments/link-uses.ts',
    find: 'taken.get(linkId) ?? 0',
    put: 'taken.get(linkId) ?? 1',
    why: 'Every limited link is counted, and how often another one was used is not compared.',
  },
  {
    file: 'src/payments/open.ts',
    find: 'overAt: null, movedMs: 0',
    put: 'overAt: null, movedMs: 1',
    why: 'Only the end of an attempt that its payer chose is computed from it, and nobody chose this one.',
  },
  {
    file: 'src/payments/create.ts',
    find: '(a < b ? -1',
    put: '(a <= b ? -1',
    why: 'No two keys of the map are equal.',
  },
  {
    file: 'src/payments/create.ts',
    find: '(a < b ? -1 : 1)',
    put: '(a < b ? -2 : 1)',
    why: 'Only the sign of a comparison counts.',
  },
  {
    file: 'src/payments/create.ts',
    find: '(a < b ? -1 : 1)',
    put: '(a < b ? -1 : 2)',
    why: 'Only the sign of a comparison counts.',
  },
  {
    file: 'src/payments/create.ts',
    find: 'Buffer.alloc(0)',
    put: 'Buffer.alloc(1)',
    why: 'Nothing is written, so nobody reads this fingerprint.',
  },
  {
    file: 'src/payments/capture-kind.ts',
    find: 'each.attemptId !== attemptId || each.hasEnded',
    put: '(each.attemptId !== attemptId)',
    why: 'An attempt has one order at most, and the one that is dropped has not ended.',
  },
  {
    file: 'src/payments/capture-kind.ts',
    find: 'earlier.kind !== item.request || earlier.amountMinor !== amountOf(item, earlier.authorisedMinor)',
    put: '(earlier.amountMinor !== amountOf(item, earlier.authorisedMinor))',
    why: 'A capture has an amount and a void has none, so what differs in kind differs in the amount.',
  },
  {
    file: 'src/payments/describe.ts',
    find: 'all.length <= shownMax',
    put: 'all.length < shownMax',
    why: 'Of exactly so many names all are kept either way.',
  },
  {
    file: 'src/payments/create.ts',
    find: 'notInserted.length > 0',
    put: 'notInserted.length >= 0',
    why: 'No keys find nothing: only a statement is spared.',
  },
  {
    file: 'src/payments/create.ts',
    find: '!stored.has(keyOf(item)) && !refused.has(item.payment.id)',
    put: '(!stored.has(keyOf(item)))',
    why: 'A refusal by a link comes first: only the statement names more merchants.',
  },
  {
    file: 'src/payments/create.ts',
    find: '!stored.has(keyOf(item)) && !refused.has(item.payment.id)',
    put: '(!refused.has(item.payment.id))',
    why: 'A stored payment comes first: only the statement names more merchants.',
  },
  {
    file: 'src/payments/create.ts',
    find: 'inserted.get(payment.id) === true && payment.request.metadata !== undefined',
    put: '(inserted.get(payment.id) === true)',
    why: 'Without metadata there is no value under any key: only a statement is spared.',
  },
  {
    file: 'src/payments/create.ts',
    find: 'inserted.get(payment.id) === true && payment.request.metadata !== undefined',
    put: '(payment.request.metadata !== undefined)',
    why: 'Without declared keys, or without its row, nothing of a payment is indexed: only a statement is spared.',
  },
  {
    file: 'src/payments/queries.ts',
    find: 'walletId === undefined || money.length > 0 ?',
    put: '(walletId === undefined) ?',
    why: 'Wallets of payments with money are read too, and only payments without money use what is read.',
  },
  {
    file: 'src/payments/queries.ts',
    find: 'walletId === undefined || money.length > 0',
    put: 'walletId === undefined || money.length > 1',
    why: 'Wallets of payments with money are read too, and only payments without money use what is read.',
  },
  {
    file: 'src/payments/queries.ts',
    find: "kind = 'SUSPENSION' and merchant_id is not null)",
    put: "kind = 'SUSPENSION' )",
    why: 'Every suspension names a merchant, by a rule of the table.',
  },
  {
    file: 'src/payments/queries.ts',
    find: 'wanted.merchant_id and wallet.id = wanted.id`',
    put: 'wanted.merchant_id `',
    why: 'Other wallets of the merchant are read too, and none of them is looked up.',
  },
  {
    file: 'src/payments/queries.ts',
    find: 'each.lastError && JSON.stringify(each.lastError)',
    put: '(JSON.stringify(each.lastError))',
    why: 'The text of nothing is nothing.',
  },
]
