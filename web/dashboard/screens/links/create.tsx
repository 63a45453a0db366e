// Makes a payment link, in one screen.
import { useState, type FormEvent } from 'react'
import { useAct } from '../../api/act.ts'
import type { Body } from '../../api/call.ts'
import { currencies, type Currency, type PaymentLink } from '../../api/generated.ts'
import { faultOf } from '../../api/problem.ts'
import { useRead } from '../../api/queries.ts'
import { Button } from '../../kit/button.tsx'
import { startOfDay } from '../../kit/days.ts'
import { Dialog, DialogActions } from '../../kit/dialog.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { AmountField, RadioCards, TextField } from '../../kit/field.tsx'
import { minorOf } from '../../kit/format.ts'
import { oneOf, SelectField } from '../../kit/select.tsx'
import { toast } from '../../kit/toast.tsx'
import { linkWords } from '../../words/links.ts'
import { useReader, useWords, type Reader } from '../../words/reader.ts'

const kinds = ['fixed', 'chosen'] as const

type Draft = {
  readonly name: string
  readonly description: string
  readonly currency: Currency
  readonly kind: (typeof kinds)[number]
  readonly amount: string
  readonly least: string
  readonly most: string
  readonly checkout: string
  readonly usesMax: string
  readonly lastDay: string
}

const blank: Draft = {
  name: '',
  description: '',
  currency: 'BRL',
  kind: 'fixed',
  amount: '',
  least: '',
  most: '',
  checkout: 'default',
  usesMax: '',
  lastDay: '',
}

export function CreateLinkDialog({
  onClose,
  onMade,
}: {
  readonly onClose: () => void
  readonly onMade: (link: PaymentLink) => void
}) {
  const words = useWords(linkWords)
  const reader = useReader()
  const act = useAct()
  const [draft, setDraft] = useState(blank)
  const [wasTried, setTried] = useState(false)
  const read = readDraft(draft, reader)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (read.body === undefined) return
    const link = await act.ask('createPaymentLink', { body: read.body })
    if (link === undefined) return
    toast(words.created)
    onMade(link)
  }
  const shared = { draft, wrong: wasTried ? read.wrong : new Set<Fault>(), error: act.error }
  const change = (more: Partial<Draft>) => setDraft({ ...draft, ...more })
  return (
    <Dialog open onClose={onClose} title={words.add} lead={words.addLead}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        <Purpose {...shared} onChange={change} />
        <Amounts {...shared} onChange={change} />
        <Limits {...shared} onChange={change} />
        <FormFault error={act.error} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="primary" busy={act.isBusy}>
            {words.create}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type Fault = 'name' | 'amount' | 'least' | 'most' | 'usesMax'
type PartProps = {
  readonly draft: Draft
  readonly wrong: ReadonlySet<Fault>
  readonly error: unknown
  readonly onChange: (more: Partial<Draft>) => void
}

function Purpose({ draft, wrong, error, onChange }: PartProps) {
  const words = useWords(linkWords)
  return (
    <>
      <TextField
        label={words.name}
        help={words.nameHelp}
        value={draft.name}
        maxLength={100}
        autoFocus
        autoComplete="off"
        onChange={(event) => onChange({ name: event.target.value })}
        fault={wrong.has('name') ? words.nameWrong : faultOf(error, 'name')}
      />
      <TextField
        label={words.description}
        value={draft.description}
        maxLength={500}
        autoComplete="off"
        onChange={(event) => onChange({ description: event.target.value })}
        fault={faultOf(error, 'description')}
      />
    </>
  )
}

function Amounts({ draft, wrong, error, onChange }: PartProps) {
  const words = useWords(linkWords)
  const field = (name: 'amount' | 'least' | 'most', pointer: string, fault: string) => (
    <AmountField
      label={words[name]}
      currency={draft.currency}
      value={draft[name]}
      onChange={(event) => onChange({ [name]: event.target.value })}
      fault={wrong.has(name) ? fault : faultOf(error, pointer)}
    />
  )
  return (
    <>
      <SelectField
        label={words.currency}
        value={draft.currency}
        onChange={(event) => onChange({ currency: oneOf(currencies, event.target.value) })}
        options={currencies.map((value) => ({ value, label: value }))}
        fault={faultOf(error, 'currency')}
      />
      <RadioCards
        legend={words.kind}
        value={draft.kind}
        onChange={(kind) => onChange({ kind })}
        options={[
          { value: 'fixed', label: words.fixed },
          { value: 'chosen', label: words.chosen, help: words.chosenHelp },
        ]}
      />
      {draft.kind === 'fixed' ? (
        field('amount', 'amount', words.amountWrong)
      ) : (
        <div className="grid grid-cols-2 gap-3">
          {field('least', 'minAmount', words.amountWrong)}
          {field('most', 'maxAmount', words.mostWrong)}
        </div>
      )}
    </>
  )
}

function Limits({ draft, wrong, error, onChange }: PartProps) {
  const words = useWords(linkWords)
  const templates = useRead('listTemplates')
  const slugs = [...new Set(['default', ...(templates.data?.data ?? []).map(({ slug }) => slug)])]
  return (
    <>
      {slugs.length > 1 && (
        <SelectField
          label={words.template}
          value={draft.checkout}
          onChange={(event) => onChange({ checkout: event.target.value })}
          options={slugs.map((value) => ({ value, label: value }))}
          fault={faultOf(error, 'checkout')}
        />
      )}
      <TextField
        label={words.usesMax}
        help={words.usesMaxHelp}
        inputMode="numeric"
        value={draft.usesMax}
        maxLength={6}
        autoComplete="off"
        onChange={(event) => onChange({ usesMax: event.target.value })}
        fault={wrong.has('usesMax') ? words.usesMaxWrong : faultOf(error, 'usesMax')}
      />
      <TextField
        label={words.expiresAt}
        type="date"
        value={draft.lastDay}
        onChange={(event) => onChange({ lastDay: event.target.value })}
        fault={faultOf(error, 'expiresAt')}
      />
    </>
  )
}

/** The body of the request, or what is wrong. */
function readDraft(
  draft: Draft,
  { locale, timeZone }: Reader,
): { readonly body?: Body<'createPaymentLink'>; readonly wrong: ReadonlySet<Fault> } {
  const wrong = new Set<Fault>()
  const name = draft.name.trim()
  if (name === '') wrong.add('name')
  const minor = (text: string, fault: Fault) => {
    const read = minorOf(text, locale)
    if (read === undefined || read <= 0n) wrong.add(fault)
    return read ?? 0n
  }
  const isFixed = draft.kind === 'fixed'
  const amount = isFixed ? minor(draft.amount, 'amount') : 0n
  const [least, most] = isFixed ? [0n, 0n] : [minor(draft.least, 'least'), minor(draft.most, 'most')]
  if (most < least) wrong.add('most')
  const usesMax = draft.usesMax.trim() === '' ? undefined : Number(draft.usesMax)
  if (usesMax !== undefined && !(Number.isInteger(usesMax) && usesMax >= 1 && usesMax <= 10_000))
    wrong.add('usesMax')
  if (wrong.size > 0) return { wrong }
  const description = draft.description.trim()
  const expiresAt = draft.lastDay === '' ? undefined : startOfDay(draft.lastDay, 1, timeZone)
  return {
    wrong,
    body: {
      name,
      currency: draft.currency,
      checkout: draft.checkout,
      ...(isFixed ? { amount } : { minAmount: least, maxAmount: most }),
      ...(description === '' ? {} : { description }),
      ...(usesMax === undefined ? {} : { usesMax }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    },
  }
}
