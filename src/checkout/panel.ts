// What the payer pays with, method by method. Adding a method is adding a function here, a panel to page-state.ts, and
// its view.
import type { Currency } from '#/kernel/money.ts'
import { sha256 } from '#/kernel/secret.ts'
import type { Payment } from '#/payments/payment.ts'
import { parseBrCode } from '#/rails/pix/br-code.ts'
import type { Coin } from '#/rails/rail.ts'
import type { RailFields } from '#/payments/record.ts'
import type { Format } from './format.ts'
import { labelOf, markOf, networkLabel, type Naming } from './marks.ts'
import type { Means } from './means.ts'
import type { Panel } from './page-state.ts'
import { qrCodeOf } from './qr-path.ts'
import { sumsOf } from './step.ts'

export type PanelInput = Naming & {
  readonly payment: Payment
  readonly means: Means
  readonly format: Format
  /** Path of the page, without a slash at its end. */
  readonly page: string
}

/** The panel of the payment's method; undefined while what the payer needs is not there. */
export function panelOf(input: PanelInput): Panel | undefined {
  switch (input.payment.method) {
    case 'PIX':
      return pixPanel(input)
    case 'CRYPTO':
      return cryptoPanel(input)
    case 'CREDIT_CARD':
      return cardPanel(input)
    case 'PARTNER_PAY':
      return partnerPanel(input)
    case undefined:
      return undefined
    default:
      return input.payment.method satisfies never
  }
}

function pixPanel({ means, sentences }: PanelInput): Panel | undefined {
  const code = means.fields['pixCopyPaste']
  if (typeof code !== 'string') return undefined
  const parsed = parseBrCode(code)
  const receiver = parsed.ok ? parsed.code.receiver.name.trim() : ''
  const qr = qrCodeOf(code, sentences.qr.PIX)
  return { method: 'PIX', code, qr, ...(receiver === '' ? {} : { receiver }) }
}

function cryptoPanel({ payment, means, format, sentences }: PanelInput): Panel | undefined {
  const { fields, coin } = means
  const address = fields['cryptoAddress']
  if (typeof address !== 'string') return undefined
  const currency: Currency = coin?.currency ?? 'USDT'
  const amount = format.money(sumsOf(payment).open, currency)
  const uri = transferUri(address, amount.value, coin)
  return {
    method: 'CRYPTO',
    address,
    addressQr: qrCodeOf(address, sentences.qr.address),
    uri,
    uriQr: qrCodeOf(uri, sentences.qr.wallet),
    amount,
    network: networkLabel(coin?.network ?? textOf(fields['cryptoNetwork'])),
    token: currency,
    deposits: depositsOf(fields).map((deposit) => {
      const needed = coin?.confirmations ?? 1
      return {
        txHash: deposit.txHash,
        amount: format.units(BigInt(deposit.amount), coin?.decimals ?? 18, currency),
        // The network may call a block final later than we do: the last step is done when the money is.
        confirmations: deposit.final ? needed : Math.min(deposit.confirmations, needed - 1),
        needed,
        isFinal: deposit.final,
      }
    }),
  }
}

/** EIP-681: a call of the token's `transfer(address, uint256)` on its chain, so that a wallet fills in all of it. */
function transferUri(address: string, amount: string, coin: Coin | undefined): string {
  if (coin === undefined) return `ethereum:${address}`
  const [whole = '0', fraction = ''] = amount.split('.')
  const units = BigInt(`${whole}${fraction.padEnd(coin.decimals, '0')}`)
  return `ethereum:${coin.contract}@${coin.chainId}/transfer?address=${address}&uint256=${units}`
}

export type ShownDeposit = {
  readonly txHash: string
  /** In the token's own units. */
  readonly amount: string
  readonly confirmations: number
  readonly final: boolean
}

/** The transfers that reached the payment's address, as the crypto rail describes them. */
export function depositsOf(fields: RailFields): readonly ShownDeposit[] {
  const deposits = fields['deposits']
  return Array.isArray(deposits) ? (deposits as readonly ShownDeposit[]) : []
}

function cardPanel({ means: { presentation }, page }: PanelInput): Panel | undefined {
  if (presentation?.kind !== 'FRAME' && presentation?.kind !== 'HOSTED') return undefined
  const hostedUrl = `${page}/provider`
  if (presentation.kind === 'HOSTED') return { method: 'CREDIT_CARD', hostedUrl }
  // An open page loads another frame when the provider has another session for the payment, and not before.
  const session = sha256(presentation.clientSecret).toString('base64url').slice(0, 8)
  return { method: 'CREDIT_CARD', frameUrl: `${page}/frame?session=${session}`, hostedUrl }
}

function partnerPanel({ means: { presentation }, sentences, walletName }: PanelInput): Panel | undefined {
  if (presentation?.kind !== 'APP' || !isLink(presentation.appUrl)) return undefined
  const { code, appUrl } = presentation
  const name = labelOf('PARTNER_PAY', { sentences, walletName })
  const qr = qrCodeOf(code, sentences.qr.PARTNER_PAY)
  return { method: 'PARTNER_PAY', qr, appUrl, name, mark: markOf('PARTNER_PAY', walletName) }
}

/** A web page or an app; nothing that a browser would run or show as ours. */
function isLink(url: string): boolean {
  return (
    URL.canParse(url) &&
    !['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'].includes(new URL(url).protocol)
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
