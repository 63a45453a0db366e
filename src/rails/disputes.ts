// What a rail needs to know of a dispute, and the evidence that a merchant sends against it.
import type { evidenceFileKinds, evidenceFileTypes, evidenceTexts } from '#/contract/dispute-evidence.ts'
import type { AttemptId, ConnectionId, MerchantId, PaymentId } from '#/kernel/id.ts'
import type { Receipt } from './receipt.ts'

/** A dispute, by the provider's name for it. */
export type DisputeOrder = {
  readonly connection: ConnectionId
  readonly providerRef: string
  readonly attempt: { readonly id: AttemptId; readonly merchantId: MerchantId; readonly paymentId: PaymentId }
}

export type EvidenceText = keyof typeof evidenceTexts

export type EvidenceFileKind = (typeof evidenceFileKinds)[number]

export type EvidenceFileType = (typeof evidenceFileTypes)[number]

/** A file of evidence. Its id is our reference at the provider. */
export type EvidenceFile = {
  readonly id: string
  readonly kind: EvidenceFileKind
  readonly name: string
  readonly type: EvidenceFileType
  readonly bytes: Buffer
}

/** What a merchant submits against a dispute. `submissionId`: of this submission, our reference at the provider. */
export type EvidenceOrder = DisputeOrder & {
  readonly submissionId: string
  readonly texts: Readonly<Partial<Record<EvidenceText, string>>>
  readonly files: readonly EvidenceFile[]
  /** Whether this submission is still ours to send. Called right before it is submitted. */
  readonly mayLeave: () => Promise<boolean>
}

/** How evidence goes to the provider that decides about a dispute, or passes it on to the bank. */
export type EvidenceSender = {
  /** The provider's limits for all texts together, in characters, and for all files together, in bytes. */
  readonly charactersMax: number
  readonly bytesMax: number
  /**
   * Submits the evidence. The provider gets it once, whatever number of calls that takes. `again`: an earlier call has an unknown
   * end, so the submission is looked up first. Returns the state of the dispute after it. Throws ProviderError; `refused`: the
   * provider does not accept this evidence, or accepts none any more.
   */
  submit(order: EvidenceOrder, again: boolean): Promise<readonly Receipt[]>
}
