// The shown figures as CSV (RFC 4180), made in the browser.
import { isCurrency, toDecimal } from '#/kernel/money.ts'
import { figuresByMethod, figuresOf, lines, methodLines, type WalletMonth } from './lines.ts'

/**
 * One row for each line of each wallet. Below it, one row for each line of each method of the wallet; they add up to the wallet's row. The
 * column `method` is empty in a wallet's own rows, and `NONE` for movements without a method. `amount` is in minor units, as everywhere in
 * the API.
 */
export function reportCsv(month: string, wallets: readonly WalletMonth[]): string {
  const rows = wallets.flatMap((wallet) => {
    const { walletId, label, currency } = wallet
    const whole = figuresOf([wallet])
    const cells = [
      ...lines.map((line) => ({ method: '', line, amount: whole[line] })),
      ...figuresByMethod(wallet).flatMap(({ method = 'NONE', figures }) =>
        methodLines.map((line) => ({ method, line, amount: figures[line] })),
      ),
    ]
    return cells.map(({ method, line, amount }) => {
      const decimal = isCurrency(currency) ? toDecimal({ minor: amount, currency }) : ''
      return [
        quoted(month),
        quoted(walletId),
        quoted(label),
        quoted(currency),
        quoted(method),
        quoted(line),
        amount,
        decimal,
      ].join(',')
    })
  })
  return ['month,walletId,wallet,currency,method,line,amount,amountDecimal', ...rows, ''].join('\r\n')
}

/** An apostrophe in front makes plain text of what a spreadsheet would run as a formula. */
function quoted(text: string): string {
  const plain = /^[\s\p{Cf}]*[=+\-@＝＋－＠\t\r\n]/u.test(text) ? `'${text}` : text
  return `"${plain.replaceAll('"', '""')}"`
}
