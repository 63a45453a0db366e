// Gives money of a payment back: all, or a part; USDT to an address that the customer names.
import { useState, type FormEvent } from 'react'
import { useDeed } from '../../api/deed.ts'
import { faultOf } from '../../api/problem.ts'
import type { Payment } from '../../api/records.ts'
import { Button } from '../../kit/button.tsx'
import { Check } from '../../kit/checks.tsx'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { AmountField, RadioCards, TextField } from '../../kit/field.tsx'
import { inputOf, minorOf } from '../../kit/format.ts'
import { Notice } from '../../kit/page.tsx'
import { toast } from '../../kit/toast.tsx'
import { kitWords } from '../../words/kit.ts'
import { paymentDeedWords } from '../../words/payment-deeds.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'

export function RefundDialog({
  payment,
  most,
  onClose,
}: {
  readonly payment: Payment
  /** What can still go back. */
  readonly most: bigint
  readonly onClose: () => void
}) {
  const words = useWords(paymentDeedWords)
  const kit = useWords(kitWords)
  const format = useFormat()
  const form = useRefundForm(payment, most, onClose)
  const { deed, amount } = form
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
          <FormFault error={deed.error} />
        )}
        <DialogActions>
          <Button onClick={onClose}>{kit.cancel}</Button>
          <Button type="submit" look="primary" busy={deed.isBusy}>
            {words.refundDo(amount)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Destination({ form }: { readonly form: RefundForm }) {
  const words = useWords(paymentDeedWords)
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

type RefundForm = ReturnType<typeof useRefundForm>

function useRefundForm(payment: Payment, most: bigint, onClose: () => void) {
  const words = useWords(paymentDeedWords)
  const format = useFormat()
  const { locale } = useReader()
  const deed = useDeed()
  const isCrypto = payment.paymentMethod === 'CRYPTO'
  const [part, setPart] = useState<'whole' | 'part'>('whole')
  const [text, setText] = useState(inputOf(most, locale))
  const [address, setAddress] = useState('')
  const [reason, setReason] = useState('')
  const [isCovering, setCovering] = useState(false)
  const [wasTried, setTried] = useState(false)
  const minor = part === 'whole' ? most : minorOf(text, locale)
  const isAmountGood = minor !== undefined && minor > 0n && minor <= most
  const isAddressGood = !isCrypto || /^0x[0-9a-fA-F]{40}$/.test(address.trim())
  const amount = isAmountGood ? format.money(minor, payment.currency) : ''
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isAmountGood || !isAddressGood) return
    const body = {
      amount: minor,
      ...(isCrypto ? { cryptoAddress: address.trim() } : {}),
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      ...(isCovering ? { coverShortfall: true } : {}),
    }
    if (!(await deed.send(`payments/${payment.id}/refunds`, body))) return
    toast(words.refundDone(amount))
    onClose()
  }
  const amountFault = wasTried && !isAmountGood ? words.refundAmountWrong : faultOf(deed.error, 'amount')
  const addressFault =
    wasTried && !isAddressGood ? words.refundAddressWrong : faultOf(deed.error, 'cryptoAddress')
  // A sub-account lacks its share of the refund; our wallet may pay it.
  const isShort = faultOf(deed.error, 'coverShortfall') !== undefined
  const values = { part, text, address, reason, amount, isCrypto, isShort, isCovering }
  return {
    ...values,
    setCovering,
    setPart,
    setText,
    setAddress,
    setReason,
    amountFault,
    addressFault,
    deed,
    submit,
  }
}
