// Every column that may contain data of a payer, and what an erasure does with it. docs/personal-data.md has the same list. A
// test searches for a payer's data in all columns of the database that this list does not keep.

/**
 * - ERASED: `./vintem payer erase` erases it; the parts that are named beside it stay.
 * - KEPT: it stays, for the reason that is given.
 * - PASSING: it is deleted without an erasure.
 */
export type PlaceFate = 'ERASED' | 'KEPT' | 'PASSING'
export type PayerPlace = { readonly column: string; readonly fate: PlaceFate; readonly why: string }

const order = 'the order to a bank and the proof of who got the money: accounting law requires it'
const voucher =
  "the bank's own file or what it says, with the movements of many people: a voucher that must stay whole"
const proof = 'a hash: the books, the hash chain and idempotency compare it, and it names nobody'
const chain = 'public on its chain'

export const payerPlaces: readonly PayerPlace[] = [
  erased('payment.request', 'amount, currency, methods, `webhookUrl`, checkout, lifetime and splits stay'),
  erased('payment.payer', 'what the payer typed, and when and from where a mandate was accepted'),
  erased('event.body', 'amounts, states, times, ids, end-to-end ids, deposits and payment codes stay'),
  erased('receipt.evidence', "the provider's report; that of a deposit stays, which is public on its chain"),
  erased('receipt.means', 'such as the last digits of a card'),
  erased('refund.request', 'amount and the account that the money went to stay'),
  erased('refund.reason', 'as the merchant wrote it'),
  erased('refund.metadata', 'as the merchant wrote it'),
  erased('attempt.asked', 'until when it could be paid, and the amount of a rest, stay'),
  erased('attempt.refusal', "the provider's own words; code and time stay"),
  erased('dispute_evidence.texts', 'of disputes that have ended'),
  erased('dispute_evidence_file.bytes', 'the row goes'),
  erased('dispute_evidence_file.name', 'the row goes'),
  erased('delivery_attempt.response_body', "what the merchant's server answered"),
  erased('sandbox_inbox.body', 'the row goes'),
  erased('metadata_value.value_hash', 'the row of the index goes'),
  kept('payment.fingerprint', proof),
  kept('refund.fingerprint', proof),
  kept('transfer.cause', proof),
  kept('erased.before_digest', proof),
  kept(
    'payment.idempotency_key',
    "the merchant's name of the request: without it, the request would be carried out again",
  ),
  kept('refund.idempotency_key', 'the same'),
  kept('payment.webhook_url', "the merchant's own address"),
  kept('delivery.url', "the merchant's own address"),
  kept('payment.last_error', 'a code and our words'),
  kept('attempt.artifacts', 'what the payer paid with: it names the merchant and the amount'),
  kept('receipt.provider_ref', "the provider's or the banks' name of the money, such as the end-to-end id"),
  kept('refund.destination', order),
  kept('refund.failure', "a code, and the provider's words about the refund"),
  kept('dispute.reason', "the provider's code"),
  kept('withdrawal.request', `a merchant's own payout; ${order}`),
  kept('withdrawal.destination', order),
  kept('sepa_payout.iban', order),
  kept('sepa_payout.beneficiary', order),
  kept('sepa_payout.note', order),
  kept('sepa_batch.bytes', order),
  kept('sepa_file.bytes', voucher),
  kept('sepa_entry.fact', voucher),
  kept('sepa_entry.names', voucher),
  kept('sepa_foreign.fact', voucher),
  kept('sepa_foreign.reason', 'what an operator decided about it'),
  kept('unmatched.evidence', 'money that fits no payment: the only record of who sent it'),
  kept('unmatched.note', 'what an operator decided about it'),
  kept('operator_proposal.reason', 'what an operator proposed about it'),
  kept('chain_transfer.sender', chain),
  kept('chain_transfer.log', chain),
  kept('coin_move.sender', chain),
  kept('audit_log.after', 'who did what. The log is sealed, and no entry has what a payer is known by'),
  kept('audit_log.reason', "what a member of the merchant's staff or an operator wrote: name nobody there"),
  passing('inbox.body', "a provider's report, until it is settled"),
  passing('letter.sealed', 'a mail, sealed, until it is sent'),
  passing('operator_upload_part.bytes', "a bank's file, until it is imported or a day old"),
]

function erased(column: string, why: string): PayerPlace {
  return { column, fate: 'ERASED', why }
}

function kept(column: string, why: string): PayerPlace {
  return { column, fate: 'KEPT', why }
}

function passing(column: string, why: string): PayerPlace {
  return { column, fate: 'PASSING', why }
}
