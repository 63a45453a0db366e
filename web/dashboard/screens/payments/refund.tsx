// Refunds a payment, the whole or a part. USDT goes to an address that the customer names; a bank transfer goes back to the account that
// paid, or to another account.
import { useState, type FormEvent } from 'react'
import { textIn } from '#/kernel/dictionary.ts'
import { descriptorOf } from '#/rails/methods.ts'
import { useAct } from '../../api/act.ts'
import type { Payment, Sender } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { useRead } from '../../api/queries.ts'
import { hasAddressForm } from '../../kit/address.ts'
import { Button } from '../../kit/button.tsx'
import { Check } from '../../kit/checks.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { AmountField, RadioCards, TextField } from '../../kit/field.tsx'
import { inputOf, minorOf } from '../../kit/format.ts'
import { Notice } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
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

function RefundOfPayment({ payment, most, onClose }: DialogProps) {
  const words = useWords(paymentActionWords)
  const format = useFormat()
  const form = useRefundForm(payment, most, onClose)
  const { act, amount } = form
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.refundTitle(format.money(most, payment.currency))}
      lead={words.refundLead}
    >
      <form onSubmit={(event) => void form.submit(event)} className="flex flex-col gap-4" noValidate>
        <RadioCards
          legend={words.refundAmount}
          value={form.part}
          onChange={form.setPart}
          options={[
            { value: 'whole', label: words.refundWhole, help: format.money(most, payment.currency) },
            { value: 'part', label: words.refundPart },
          ]}
        />
        {form.part === 'part' && (
          <AmountField
            label={words.refundAmount}
            currency={payment.currency}
            value={form.text}
            autoFocus
            onChange={(event) => form.setText(event.target.value)}
            fault={form.amountFault}
          />
        )}
        <Destination form={form} />
        <TextField
          label={words.refundReason}
          value={form.reason}
          maxLength={140}
          onChange={(event) => form.setReason(event.target.value)}
        />
        {form.isShort ? (
          <Notice tone="wait">
            <p>{words.shortfall}</p>
            <Check checked={form.isCovering} onChange={form.setCovering}>
              {words.coverShortfall}
            </Check>
          </Notice>
        ) : (
          <FormFault error={act.error} />
        )}
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {words.refundDo(amount)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Destination({ form }: { readonly form: RefundForm }) {
  const words = useWords(paymentActionWords)
  if (form.account.needsAccount) return <AccountFields account={form.account} />
  if (!form.isCrypto)
    return (
      <div className="text-13">
        <p className="mb-1 font-strong">{words.refundTo}</p>
        <p className="text-ink-soft">{words.refundToPayer}</p>
      </div>
    )
  return (
    <TextField
      label={words.refundAddress}
      help={words.refundAddressHelp}
      value={form.address}
      onChange={(event) => form.setAddress(event.target.value)}
      spellCheck={false}
      autoComplete="off"
      placeholder="0x…"
      className="font-mono text-13!"
      fault={form.addressFault}
    />
  )
}

function AccountFields({ account }: { readonly account: Account }) {
  const words = useWords(paymentActionWords)
  const { senders, place, isOther } = account
  const [first, ...others] = senders
  const senderOption = first && { value: 'sender' as const, label: words.refundToSender, help: nameOf(first) }
  return (
    <>
      {senderOption === undefined ? (
        isOther && <p className="text-13 text-ink-soft">{words.refundSenderUnknown}</p>
      ) : (
        <RadioCards
          legend={words.refundTo}
          value={place}
          onChange={account.setPlace}
          options={[
            senderOption,
            { value: 'other', label: words.refundToOther, help: words.refundToOtherHelp },
          ]}
        />
      )}
      {!isOther && others.length > 0 && (
        <p className="text-13 text-ink-soft">{words.refundSenders(senders.length)}</p>
      )}
      {isOther && (
        <>
          <TextField
            label={words.refundIban}
            value={account.iban}
            onChange={(event) => account.setIban(event.target.value)}
            spellCheck={false}
            autoComplete="off"
            className="font-mono text-13!"
            fault={account.ibanFault}
          />
          <TextField
            label={words.refundBeneficiary}
            value={account.beneficiary}
            maxLength={70}
            onChange={(event) => account.setBeneficiary(event.target.value)}
            autoComplete="off"
            fault={account.beneficiaryFault}
          />
        </>
      )}
    </>
  )
}

/** The account in groups of four, and its holder. */
function nameOf({ iban = '', beneficiary }: Sender): string {
  const grouped = iban.replaceAll(/(.{4})(?=.)/g, '$1 ')
  return beneficiary === undefined ? grouped : `${grouped} · ${beneficiary}`
}

type Account = ReturnType<typeof useAccount>

/** Where a refund by bank transfer goes. `fields`: of the body; undefined when something is missing. */
function useAccount(payment: Payment, wasTried: boolean, error: unknown) {
  const words = useWords(paymentActionWords)
  const needsAccount = payment.paymentMethod === 'SEPA_TRANSFER'
  const { data, isError } = useRead('listSenders', { id: payment.id, enabled: needsAccount })
  const [place, setPlace] = useState<'sender' | 'other'>('sender')
  const [iban, setIban] = useState('')
  const [beneficiary, setBeneficiary] = useState('')
  const withIban = (data?.senders ?? []).filter((each) => each.iban !== undefined)
  const senders = [...new Map(withIban.map((each) => [each.iban, each])).values()]
  const isOther = place === 'other' || ((data !== undefined || isError) && senders.length === 0)
  const written = { iban: iban.trim(), beneficiary: beneficiary.trim() }
  const isIbanGood = written.iban.length >= 15
  const fault = (isGood: boolean, wrong: string, name: string) =>
    wasTried && !isGood ? wrong : faultOf(error, name)
  const isGood = isIbanGood && written.beneficiary !== ''
  return {
    needsAccount,
    isOther,
    senders,
    place,
    setPlace,
    iban,
    setIban,
    beneficiary,
    setBeneficiary,
    fields: !needsAccount || (!isOther && senders.length > 0) ? {} : isOther && isGood ? written : undefined,
    ibanFault: fault(isIbanGood, words.refundIbanWrong, 'iban'),
    beneficiaryFault: fault(written.beneficiary !== '', words.refundBeneficiaryWrong, 'beneficiary'),
  }
}

type RefundForm = ReturnType<typeof useRefundForm>

function useRefundForm(payment: Payment, most: bigint, onClose: () => void) {
  const words = useWords(paymentActionWords)
  const format = useFormat()
  const { locale } = useReader()
  const act = useAct()
  const isCrypto = payment.paymentMethod === 'CRYPTO'
  const [part, setPart] = useState<'whole' | 'part'>('whole')
  const [text, setText] = useState(inputOf(most, locale))
  const [address, setAddress] = useState('')
  const [reason, setReason] = useState('')
  const [isCovering, setCovering] = useState(false)
  const [wasTried, setTried] = useState(false)
  const account = useAccount(payment, wasTried, act.error)
  const minor = part === 'whole' ? most : minorOf(text, locale)
  const isAmountGood = minor !== undefined && minor > 0n && minor <= most
  const isAddressGood = !isCrypto || hasAddressForm(address)
  const amount = isAmountGood ? format.money(minor, payment.currency) : ''
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isAmountGood || !isAddressGood || account.fields === undefined) return
    const body = {
      amount: minor,
      ...(isCrypto ? { cryptoAddress: address.trim() } : {}),
      ...account.fields,
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      ...(isCovering ? { coverShortfall: true } : {}),
    }
    if (!(await act.send('createRefund', { id: payment.id, body }))) return
    toast(words.refundDone(amount))
    onClose()
  }
  const amountFault = wasTried && !isAmountGood ? words.refundAmountWrong : faultOf(act.error, 'amount')
  const addressFault =
    wasTried && !isAddressGood ? words.refundAddressWrong : faultOf(act.error, 'cryptoAddress')
  // A sub-account lacks its share of the refund; our wallet may pay it.
  const isShort = faultOf(act.error, 'coverShortfall') !== undefined
  const values = { part, text, address, reason, amount, isCrypto, isShort, isCovering, account }
  return {
    ...values,
    setCovering,
    setPart,
    setText,
    setAddress,
    setReason,
    amountFault,
    addressFault,
    act,
    submit,
  }
}
