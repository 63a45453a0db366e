// Evidence against a dispute: files are uploaded, then one call submits them with the texts. The provider takes one submission; its
// metadata contains our id, by which a call without an answer is looked up.
import { ProviderError } from '#/kernel/error.ts'
import type { Clock } from '#/kernel/time.ts'
import type { EvidenceFileKind, EvidenceOrder, EvidenceSender, EvidenceText } from '#/rails/disputes.ts'
import { requireLeave } from '#/rails/rail.ts'
import { CardError, type Answered, type CardClient, type Form } from './client.ts'
import type { OpenConnections } from './connections.ts'
import { toSource } from './follow.ts'
import { receiptsOfDispute } from './receipts.ts'
import { underKey } from './replay.ts'
import type { Dispute } from './wire.ts'

/** The provider's names (https://docs.stripe.com/api/disputes/evidence_object). */
const textNames: Readonly<Record<EvidenceText, string>> = {
  productDescription: 'product_description',
  customerName: 'customer_name',
  customerEmail: 'customer_email_address',
  customerPurchaseIp: 'customer_purchase_ip',
  billingAddress: 'billing_address',
  accessActivityLog: 'access_activity_log',
  serviceDate: 'service_date',
  shippingAddress: 'shipping_address',
  shippingCarrier: 'shipping_carrier',
  shippingDate: 'shipping_date',
  shippingTrackingNumber: 'shipping_tracking_number',
  cancellationPolicyDisclosure: 'cancellation_policy_disclosure',
  cancellationRebuttal: 'cancellation_rebuttal',
  refundPolicyDisclosure: 'refund_policy_disclosure',
  refundRefusalExplanation: 'refund_refusal_explanation',
  duplicateChargeId: 'duplicate_charge_id',
  duplicateChargeExplanation: 'duplicate_charge_explanation',
  statement: 'uncategorized_text',
}

const fileNames: Readonly<Record<EvidenceFileKind, string>> = {
  RECEIPT: 'receipt',
  CUSTOMER_COMMUNICATION: 'customer_communication',
  CUSTOMER_SIGNATURE: 'customer_signature',
  SERVICE_DOCUMENTATION: 'service_documentation',
  SHIPPING_DOCUMENTATION: 'shipping_documentation',
  CANCELLATION_POLICY: 'cancellation_policy',
  REFUND_POLICY: 'refund_policy',
  DUPLICATE_CHARGE_DOCUMENTATION: 'duplicate_charge_documentation',
  OTHER: 'uncategorized_file',
}

/** How this rail submits evidence. */
export function createEvidenceSender({
  open,
  clock,
}: {
  readonly open: OpenConnections
  readonly clock: Clock
}): EvidenceSender {
  return {
    // https://docs.stripe.com/api/disputes/update
    charactersMax: 150_000,
    // One file has at most 5 MB (https://stripe.com/docs/guides/file-upload). We found no limit of all together: this one is on the safe side.
    bytesMax: 4_500_000,
    async submit(order, again) {
      const connection = open.collecting(order.connection)
      const { client } = connection
      const dispute =
        (again ? await findSubmitted(client, order) : undefined) ?? (await submitOnce(client, order))
      const source = toSource(connection, clock, dispute.raw)
      const { attempt } = order
      return receiptsOfDispute(source, dispute.value, attempt.id).map((receipt) => ({ ...receipt, attempt }))
    },
  }
}

/** The dispute, if the provider has this submission. */
async function findSubmitted(
  client: CardClient,
  { providerRef, submissionId }: EvidenceOrder,
): Promise<Answered<Dispute> | undefined> {
  const found = await client.getDispute(providerRef)
  return found?.value.submission === submissionId && found.value.isSubmitted ? found : undefined
}

async function submitOnce(client: CardClient, order: EvidenceOrder): Promise<Answered<Dispute>> {
  const form = await formOf(client, order)
  await requireLeave(order)
  const find = () => findSubmitted(client, order)
  const ask = async (key: string) => {
    const answered = await client.submitEvidence(order.providerRef, form, key)
    if (answered === undefined)
      throw new ProviderError('refused', 'this dispute belongs to no payment of ours')
    return answered
  }
  try {
    return await underKey(order.submissionId, { ask, find })
  } catch (error) {
    if (!(error instanceof CardError) || error.outcome !== 'refused') throw error
    // An earlier call of this submission may have been carried out: then the provider takes no other.
    const found = await find()
    if (found === undefined) throw error
    return found
  }
}

/** Uploads the files. An upload changes nothing at the provider until a submission names it, so it may be repeated. */
async function formOf(client: CardClient, { texts, files, submissionId }: EvidenceOrder): Promise<Form> {
  const form: Record<string, string> = { submit: 'true', 'metadata[evidence_id]': submissionId }
  for (const [name, text] of Object.entries(texts))
    form[`evidence[${textNames[name as EvidenceText]}]`] = text
  for (const file of files) form[`evidence[${fileNames[file.kind]}]`] = await client.uploadFile(file, file.id)
  return form
}
