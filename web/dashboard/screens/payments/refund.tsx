// Refunds a payment, the whole or a part. USDT goes to an address that the customer names; a bank transfer goes back to the account that
// paid, or to another account.
import { textIn } from '#/kernel/dictionary.ts'
import { given } from '#/kernel/given.ts'
import { descriptorOf } from '#/rails/methods.ts'
import type { Payment, Sender } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { useRead } from '../../api/queries.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { Approvers } from '../../kit/approvers.tsx'
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { Check } from '../../kit/field.tsx'
import type { Draft, Item } from '../../kit/form.tsx'
import { inputOf, minorOf, hasAddressForm } from '../../kit/format.ts'
import { useKeptDraft } from '../../kit/kept-draft.ts'
import { Notice } from '../../kit/page.tsx'
import { kitWords } from '../../words/kit.ts'
import { paymentActionWords } from '../../words/payment-actions.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'

type DialogProps = {
  readonly payment: Payment
  /** What can still go back. */
  readonly most: bigint
  readonly onClose: () => void
}

export function RefundDialog(props: DialogProps) {
  const { paymentMethod: method } = props.payment
  const { locale } = useReader()
  const why = method === undefined ? undefined : descriptorOf[method].noRefund
  return why === undefined ? (
    <RefundOfPayment {...props} />
  ) : (
    <NoRefund {...props} why={textIn(locale, why)} />
  )
}

/** Why this money cannot go back. */
function NoRefund({ payment, most, onClose, why }: DialogProps & { readonly why: string }) {
  const words = useWords(paymentActionWords)
  const kit = useWords(kitWords)
  const format = useFormat()
  return (
    <Dialog open onClose={onClose} title={words.refundTitle(format.money(most, payment.currency))} lead={why}>
      <DialogActions>
        <Button onClick={onClose}>{kit.close}</Button>
      </DialogActions>
    </Dialog>
  )
}

type Written = {
  readonly part: 'whole' | 'part'
  readonly amount: string
  readonly address: string
  readonly place: 'sender' | 'other'
  readonly iban: string
  readonly beneficiary: string
  readonly reason: string
  readonly covers: '' | 'yes'
}

function RefundOfPayment({ payment, most, onClose }: DialogProps) {
  const words = useWords(paymentActionWords)
  const format = useFormat()
  const { locale } = useReader()
  const { currency, paymentMethod } = payment
  const draft = useKeptDraft<Written>(`refund:${payment.id}`, {
    part: 'whole',
    amount: inputOf(most, locale),
    address: '',
    place: 'sender',
    iban: '',
    beneficiary: '',
    reason: '',
    covers: '',
  })
  const { part, reason, address, covers } = draft.values
  const account = useAccount(payment, draft)
  const minor = part === 'whole' ? most : minorOf(draft.values.amount, locale)
  const isGood = minor !== undefined && minor > 0n && minor <= most
  const amount = isGood ? format.money(minor, currency) : ''
  return (
    <ActionDialog
      call="createRefund"
      review="reviewRefund"
      approval={(names) => <Approvers names={names} />}
      id={payment.id}
      title={words.refundTitle(format.money(most, currency))}
      lead={words.refundLead}
      act={words.refundDo(amount)}
      draft={draft}
      fields={[
        partField(words, format.money(most, currency)),
        part === 'part' && {
          name: 'amount',
          label: words.refundAmount,
          currency,
          autoFocus: true,
          wrong: !isGood && words.refundAmountWrong,
        },
        ...(account?.items ?? [paymentMethod === 'CRYPTO' ? addressField(words, address) : toPayer(words)]),
        { name: 'reason', label: words.refundReason, maxLength: 140 },
      ]}
      // A sub-account lacks its share of the refund; our wallet may pay it.
      refusal={(error) =>
        faultOf(error, 'coverShortfall') && (
          <Notice tone="wait">
            <p>{words.shortfall}</p>
            <Check checked={covers !== ''} onChange={(isOn) => draft.put({ covers: isOn ? 'yes' : '' })}>
              {words.coverShortfall}
            </Check>
          </Notice>
        )
      }
      body={() =>
        account !== undefined && account.body === undefined
          ? undefined
          : given({
              amount: minor,
              cryptoAddress: paymentMethod === 'CRYPTO' ? address.trim() : undefined,
              ...account?.body,
              reason: reason.trim() || undefined,
              coverShortfall: covers !== '' || undefined,
            })
      }
      done={words.refundDone(amount)}
      onClose={onClose}
    />
  )
}

type Words = (typeof paymentActionWords)['en']

function partField(words: Words, whole: string): Item<Written> {
  return {
    name: 'part',
    label: words.refundAmount,
    cards: [
      { value: 'whole', label: words.refundWhole, help: whole },
      { value: 'part', label: words.refundPart },
    ],
  }
}

function toPayer(words: Words) {
  return (
    <div key="to" className="text-13">
      <p className="mb-1 font-strong">{words.refundTo}</p>
      <p className="text-ink-soft">{words.refundToPayer}</p>
    </div>
  )
}

function addressField(words: Words, address: string): Item<Written> {
  return {
    name: 'address',
    at: 'cryptoAddress',
    label: words.refundAddress,
    help: words.refundAddressHelp,
    spellCheck: false,
    autoComplete: 'off',
    placeholder: '0x…',
    className: 'font-mono text-13!',
    wrong: !hasAddressForm(address) && words.refundAddressWrong,
  }
}

/** Where a refund by bank transfer goes: the fields, and what they say, once its senders are known. Undefined for any other. */
function useAccount(
  payment: Payment,
  { values: { place, iban, beneficiary } }: Draft<Written>,
): { readonly items: readonly Item<Written>[]; readonly body: Partial<Sender> | undefined } | undefined {
  const words = useWords(paymentActionWords)
  const isTransfer = payment.paymentMethod === 'SEPA_TRANSFER'
  const { data, isPending, isError } = useRead('listSenders', { id: payment.id, enabled: isTransfer })
  if (!isTransfer) return undefined
  const withIban = (data?.senders ?? []).filter((each) => each.iban !== undefined)
  const senders = [...new Map(withIban.map((each) => [each.iban, each])).values()]
  const [first, ...others] = senders
  const isComing = isPending && !isError
  const isOther = place === 'other' || (!isComing && first === undefined)
  const written = { iban: iban.trim(), beneficiary: beneficiary.trim() }
  const note = (key: string, text: string) => (
    <p key={key} className="text-13 text-ink-soft">
      {text}
    </p>
  )
  return {
    body: isOther ? written : isComing ? undefined : {},
    items: [
      first === undefined
        ? isOther && note('unknown', words.refundSenderUnknown)
        : {
            name: 'place',
            label: words.refundTo,
            cards: [
              { value: 'sender', label: words.refundToSender, help: nameOf(first) },
              { value: 'other', label: words.refundToOther, help: words.refundToOtherHelp },
            ],
          },
      !isOther && others.length > 0 && note('senders', words.refundSenders(senders.length)),
      isOther && {
        name: 'iban',
        label: words.refundIban,
        spellCheck: false,
        autoComplete: 'off',
        className: 'font-mono text-13!',
        wrong: written.iban.length < 15 && words.refundIbanWrong,
      },
      isOther && {
        name: 'beneficiary',
        label: words.refundBeneficiary,
        maxLength: 70,
        autoComplete: 'off',
        wrong: written.beneficiary === '' && words.refundBeneficiaryWrong,
      },
    ],
  }
}

/** The account in groups of four, and its holder. */
function nameOf({ iban = '', beneficiary }: Sender): string {
  const grouped = iban.replaceAll(/(.{4})(?=.)/g, '$1 ')
  return beneficiary === undefined ? grouped : `${grouped} · ${beneficiary}`
}
