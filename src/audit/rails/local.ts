// The inspections of the acquirer's local methods: a bank must accept each voucher that a payer was shown.
// Inspects what rails/acquirer/local-open.ts decides.
import type { ArtifactRules } from '#/audit/payments.ts'
import { given } from '#/kernel/given.ts'
import { boletoLineOf, isBoletoBarcode, readBoletoLine } from '#/rails/acquirer/boleto-line.ts'
import { isMultibancoReference } from '#/rails/acquirer/multibanco-reference.ts'

type Fields = Readonly<Record<string, unknown>>

export const voucherArtifacts: ArtifactRules = {
  opensWithPage: true,
  fault(kept, amountMinor) {
    const voucher = voucherOf(kept)
    if (voucher === undefined) return undefined
    const { line, barcode, entity, reference } = voucher
    if (line === undefined)
      return isMultibancoReference(String(entity), String(reference), amountMinor)
        ? undefined
        : 'has a reference that does not belong to its entity and amount'
    if (typeof barcode !== 'string' || !isBoletoBarcode(barcode) || boletoLineOf(barcode) !== line)
      return 'has a line that does not belong to its bar code'
    return readBoletoLine(line)?.amountMinor === amountMinor ? undefined : 'has a line of another amount'
  },
  shown(kept) {
    const voucher = voucherOf(kept)
    if (voucher === undefined) return {}
    const { expiresAt } = kept
    return { voucher: { ...voucher, ...given({ expiresAt }) } }
  },
}

function voucherOf({ voucher }: Fields): Fields | undefined {
  return typeof voucher === 'object' && voucher !== null ? (voucher as Fields) : undefined
}
