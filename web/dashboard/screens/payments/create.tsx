// A new payment that a person makes for one payer: amount, method, payer; then the link to send. It is the call of the API, with its schema
// and its faults.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { given } from '#/kernel/given.ts'
import { descriptors } from '#/rails/methods.ts'
import { useAttempt } from '../../api/act.ts'
import { call, type Body } from '../../api/call.ts'
import { currencies, type Currency, type Payment, type PaymentMethod } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant } from '../../api/session.ts'
import { Button, ButtonAnchor, ButtonLink } from '../../kit/button.tsx'
import { CopyAction } from '../../kit/copy.tsx'
import { FormFault, Loaded } from '../../kit/fault.tsx'
import { useFilters } from '../../kit/filter-values.ts'
import { Fields, named, type Item } from '../../kit/form.tsx'
import { minorOf } from '../../kit/format.ts'
import { useKeptDraft } from '../../kit/kept-draft.ts'
import { Card, PageHeader } from '../../kit/page.tsx'
import { PaymentState } from '../../kit/states.tsx'
import { newPaymentWords } from '../../words/new-payment.ts'
import { paymentWords } from '../../words/payments.ts'
import { useFormat, useReader, useWords } from '../../words/reader.ts'
import { stateWords } from '../../words/states.ts'

/** The form, or the payment that the address names: the link is still there after a reload. */
export function NewPayment() {
  const words = useWords(newPaymentWords)
  const { title } = useWords(paymentWords)
  const { id } = useMerchant()
  const [{ made = '' }] = useFilters()
  return (
    <>
      <PageHeader title={words.title} lead={words.lead} back={{ to: `/m/${id}/payments`, label: title }} />
      <div className="max-w-150">{made === '' ? <PaymentForm /> : <Made id={made} />}</div>
    </>
  )
}

// The form.

const blank = {
  currency: 'BRL',
  amount: '',
  method: '',
  description: '',
  checkout: 'default',
  customerName: '',
  customerEmail: '',
  customerTaxId: '',
  customerPhone: '',
}
type Written = typeof blank

function PaymentForm() {
  const words = useWords(newPaymentWords)
  const { locale } = useReader()
  const { id } = useMerchant()
  const client = useQueryClient()
  const navigate = useNavigate()
  const draft = useKeptDraft('payment', blank)
  const { attempt, isBusy, error } = useAttempt()
  const [wasTried, setTried] = useState(false)
  const minor = minorOf(draft.values.amount, locale)
  const isPayable = minor !== undefined && minor > 0n
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isPayable || isBusy) return
    const body = bodyOf(draft.values, minor)
    void attempt(async () => {
      const payment = await call('createPayment', { merchant: id, body }, { key: draft.keyOf(body) })
      draft.reset()
      void client.invalidateQueries({ queryKey: ['m', id] })
      await navigate({ to: `/m/${id}/payments/new`, search: { made: payment.id }, replace: true })
    })
  }
  const { what, who } = useItems(draft.values, isPayable)
  return (
    <Card>
      <form onSubmit={submit} className="flex flex-col gap-5 pt-1" noValidate>
        <Fields draft={draft} error={error} wasTried={wasTried} items={what} />
        <fieldset className="flex flex-col gap-4 border-t border-line pt-5">
          <legend className="aside">{words.payer}</legend>
          <div aria-hidden="true" className="text-15 font-strong">
            {words.payer}
          </div>
          <p className="-mt-3 text-13 text-ink-soft">{words.payerLead}</p>
          <Fields draft={draft} error={error} wasTried={wasTried} items={who} />
        </fieldset>
        <FormFault error={error} />
        <div className="flex justify-end">
          <Button type="submit" variant="primary" busy={isBusy} className="max-sm:w-full">
            {words.create}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function useItems(
  { currency, checkout }: Written,
  isPayable: boolean,
): Readonly<Record<'what' | 'who', readonly Item<Written>[]>> {
  const words = useWords(newPaymentWords)
  const { template, customerTexts } = useWords(paymentWords)
  const { currency: currencyWord } = useWords(paymentWords)
  const states = useWords(stateWords)
  const { may } = useMerchant()
  const templates = useRead('listTemplates', { enabled: may('templates:read') })
  const slugs = [...new Set(['default', checkout, ...(templates.data?.data ?? []).map(({ slug }) => slug)])]
  const methods = methodsOf(currency)
  return {
    what: [
      {
        className: 'grid-cols-[1fr_auto] gap-3!',
        row: [
          { name: 'amount', label: words.amount, currency, wrong: !isPayable && words.amountWrong },
          {
            name: 'currency',
            label: currencyWord,
            options: currencies,
            // A method that the new currency lacks would be refused.
            also: (next) => (methodsOf(next).some((each) => methods.includes(each)) ? {} : { method: '' }),
          },
        ],
      },
      {
        name: 'method',
        at: 'paymentMethods',
        label: words.method,
        options: [{ value: '', label: words.anyMethod }, ...named(methods, states.method)],
      },
      {
        name: 'description',
        label: words.description,
        help: words.descriptionHelp,
        maxLength: 500,
        autoComplete: 'off',
      },
      slugs.length > 1 && { name: 'checkout', label: template, options: slugs },
    ],
    who: [
      { name: 'customerName', label: customerTexts.customerName, maxLength: 100, autoComplete: 'off' },
      {
        name: 'customerEmail',
        label: customerTexts.customerEmail,
        type: 'email',
        maxLength: 254,
        autoComplete: 'off',
      },
      {
        row: [
          { name: 'customerTaxId', label: customerTexts.customerTaxId, maxLength: 30, autoComplete: 'off' },
          {
            name: 'customerPhone',
            label: customerTexts.customerPhone,
            type: 'tel',
            maxLength: 30,
            autoComplete: 'off',
          },
        ],
      },
    ],
  }
}

function methodsOf(currency: string): readonly PaymentMethod[] {
  return descriptors
    .filter((each) => each.currencies.some((own) => own === currency))
    .map(({ method }) => method)
}

/** As a merchant's program would send it: what is empty is absent. */
function bodyOf({ currency, method, checkout, ...texts }: Written, minor: bigint): Body<'createPayment'> {
  const written = Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) =>
      name === 'amount' || text.trim() === '' ? [] : [[name, text.trim()]],
    ),
  )
  const paymentMethods = method === '' ? undefined : [method as PaymentMethod]
  return { amount: minor, currency: currency as Currency, checkout, ...written, ...given({ paymentMethods }) }
}

// The link of the payment that was made.

function Made({ id }: { readonly id: string }) {
  return <Loaded of={useRead('getPayment', { id })}>{(payment) => <MadeLink payment={payment} />}</Loaded>
}

function MadeLink({ payment }: { readonly payment: Payment }) {
  const words = useWords(newPaymentWords)
  const format = useFormat()
  const { id, name } = useMerchant()
  const amount = format.money(payment.amount, payment.currency)
  const { checkoutUrl: url, customerEmail = '', customerPhone = '' } = payment
  const message = url === undefined ? '' : words.message(name, amount, url)
  const mail = new URLSearchParams({ subject: words.subject(name), body: message })
  return (
    <Card title={words.made(amount)}>
      <div className="flex flex-col gap-4">
        <p role="status" className="flex flex-wrap items-center gap-2 text-13 text-ink-soft">
          <PaymentState payment={payment} />
          {words.madeLead}
        </p>
        {url !== undefined && (
          <>
            <p
              aria-label={words.link}
              role="group"
              className="rounded-control bg-inset p-3 font-mono text-13 break-all select-all"
            >
              {url}
            </p>
            <div className="flex flex-wrap gap-2 max-sm:flex-col">
              <CopyAction value={url} label={words.copy} variant="primary" />
              <ButtonAnchor
                href={`https://wa.me/${digitsOf(customerPhone)}?text=${encodeURIComponent(message)}`}
                target="_blank"
                rel="noreferrer"
                icon="send"
              >
                {words.whatsapp}
              </ButtonAnchor>
              {/* Programs for mail take a plus sign for itself. */}
              <ButtonAnchor
                href={`mailto:${encodeURIComponent(customerEmail)}?${mail.toString().replaceAll('+', '%20')}`}
                icon="send"
              >
                {words.mail}
              </ButtonAnchor>
            </div>
          </>
        )}
        <div className="flex flex-wrap gap-2 border-t border-line pt-4 max-sm:flex-col">
          <ButtonLink to={`/m/${id}/payments/${payment.id}`} icon="eye">
            {words.see}
          </ButtonLink>
          <ButtonLink to={`/m/${id}/payments/new`} icon="plus">
            {words.another}
          </ButtonLink>
        </div>
      </div>
    </Card>
  )
}

/** Only a number with its country's code is one that WhatsApp knows. */
function digitsOf(phone: string): string {
  return phone.startsWith('+') ? phone.replaceAll(/\D/g, '') : ''
}
