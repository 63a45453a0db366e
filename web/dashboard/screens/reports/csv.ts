// The shown figures as CSV (RFC 4180), made in the browser.
import { isCurrency, toDecimal } from '#/kernel/money.ts'
import { figuresOf, lines, type WalletMonth } from './lines.ts'

/** One row for each line of each wallet. `amount` is minor units, as everywhere in the API. */
export function reportCsv(month: string, wallets: readonly WalletMonth[]): string {
  const rows = wallets.flatMap((wallet) => {
    const figures = figuresOf([wallet])
    const { walletId, label, currency } = wallet
    return lines.map((line) => {
      const amount = figures[line]
      const decimal = isCurrency(currency) ? toDecimal({ minor: amount, currency }) : ''
      return [
        quoted(month),
        quoted(walletId),
        quoted(label),
        quoted(currency),
        quoted(line),
        amount,
        decimal,
      ].join(',')
    })
  })
  return ['month,walletId,wallet,currency,line,amount,amountDecimal', ...rows, ''].join('\r\n')
}

/** An apostrophe in front makes plain text of what a spreadsheet would run as a formula. */
function quoted(text: string): string {
  const plain = /^[\s\p{Cf}]*[=+\-@＝＋－＠\t\r\n]/u.test(text) ? `'${text}` : text
  return `"${plain.replaceAll('"', '""')}"`
}
