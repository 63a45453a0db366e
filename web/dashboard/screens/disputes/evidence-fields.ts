// Which fields of evidence matter for which reason of a dispute (https://docs.stripe.com/disputes/categories). All others can be shown.
import type { DisputeEvidenceFileKind, DisputeEvidenceTexts } from '../../api/generated.ts'

export type TextName = keyof DisputeEvidenceTexts
export type FileKind = DisputeEvidenceFileKind

/** Texts that need more than a line. */
export const longTexts: readonly TextName[] = [
  'productDescription',
  'accessActivityLog',
  'cancellationPolicyDisclosure',
  'cancellationRebuttal',
  'refundPolicyDisclosure',
  'refundRefusalExplanation',
  'duplicateChargeExplanation',
  'statement',
]

type EvidenceFields = { readonly texts: readonly TextName[]; readonly files: readonly FileKind[] }

const shipping: EvidenceFields = {
  texts: ['shippingAddress', 'shippingCarrier', 'shippingDate', 'shippingTrackingNumber', 'serviceDate'],
  files: ['SHIPPING_DOCUMENTATION', 'SERVICE_DOCUMENTATION', 'CUSTOMER_COMMUNICATION'],
}
const refund: EvidenceFields = {
  texts: ['refundPolicyDisclosure', 'refundRefusalExplanation'],
  files: ['REFUND_POLICY', 'CUSTOMER_COMMUNICATION'],
}
const usage: EvidenceFields = {
  texts: ['customerPurchaseIp', 'billingAddress', 'accessActivityLog', ...shipping.texts],
  files: ['CUSTOMER_SIGNATURE', 'CUSTOMER_COMMUNICATION', 'SHIPPING_DOCUMENTATION'],
}

const byReason: Readonly<Record<string, EvidenceFields>> = {
  fraudulent: usage,
  unrecognized: usage,
  product_not_received: shipping,
  product_unacceptable: { texts: [...refund.texts, 'shippingTrackingNumber'], files: refund.files },
  credit_not_processed: refund,
  subscription_canceled: {
    texts: ['cancellationPolicyDisclosure', 'cancellationRebuttal', 'accessActivityLog'],
    files: ['CANCELLATION_POLICY', 'CUSTOMER_COMMUNICATION'],
  },
  duplicate: {
    texts: ['duplicateChargeId', 'duplicateChargeExplanation'],
    files: ['DUPLICATE_CHARGE_DOCUMENTATION'],
  },
}

/** The fields of evidence that are shown first for a dispute's reason. */
export function fieldsFor(reason: string | undefined): EvidenceFields {
  const special = byReason[reason ?? ''] ?? { texts: [], files: [] }
  return {
    texts: ['productDescription', 'customerName', 'customerEmail', ...special.texts, 'statement'],
    files: ['RECEIPT', ...special.files, 'OTHER'],
  }
}
