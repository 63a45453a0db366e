// Makes a payment link, in one screen.
import { given } from '#/kernel/given.ts'
import type { Body } from '../../api/call.ts'
import { currencies, type Currency, type PaymentLink } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { ActionDialog } from '../../kit/action-dialog.tsx'
import { startOfDay } from '../../kit/days.ts'
import { useDraft, type Item } from '../../kit/form.tsx'
import { minorOf } from '../../kit/format.ts'
import { linkWords } from '../../words/links.ts'
import { useReader, useWords, type Reader } from '../../words/reader.ts'

const blank = {
  name: '',
  description: '',
  currency: 'BRL' as Currency,
  kind: 'fixed' as 'fixed' | 'chosen',
  amount: '',
  least: '',
  most: '',
  checkout: 'default',
  usesMax: '',
  lastDay: '',
}
type Written = typeof blank

export function CreateLinkDialog({
  onClose,
  onMade,
}: {
  readonly onClose: () => void
  readonly onMade: (link: PaymentLink) => void
}) {
  const words = useWords(linkWords)
  const reader = useReader()
  const draft = useDraft(blank)
  const templates = useRead('listTemplates')
  const slugs = [...new Set(['default', ...(templates.data?.data ?? []).map(({ slug }) => slug)])]
  const { currency, kind } = draft.values
  const { wrong, body } = readDraft(draft.values, reader)
  const amount = (name: 'amount' | 'least' | 'most', at: string, sentence: string): Item<Written> =>
    ({ name, at, label: words[name], currency, wrong: wrong.has(name) && sentence }) as Item<Written>
  return (
    <ActionDialog
      call="createPaymentLink"
      title={words.add}
      lead={words.addLead}
      act={words.create}
      draft={draft}
      fields={[
        {
          name: 'name',
          label: words.name,
          help: words.nameHelp,
          maxLength: 100,
          autoFocus: true,
          autoComplete: 'off',
          wrong: wrong.has('name') && words.nameWrong,
        },
        { name: 'description', label: words.description, maxLength: 500, autoComplete: 'off' },
        { name: 'currency', label: words.currency, options: currencies },
        {
          name: 'kind',
          label: words.kind,
          cards: [
            { value: 'fixed', label: words.fixed },
            { value: 'chosen', label: words.chosen, help: words.chosenHelp },
          ],
        },
        kind === 'fixed'
          ? amount('amount', 'amount', words.amountWrong)
          : {
              className: 'grid-cols-2 gap-3!',
              row: [
                amount('least', 'minAmount', words.amountWrong),
                amount('most', 'maxAmount', words.mostWrong),
              ],
            },
        slugs.length > 1 && { name: 'checkout', label: words.template, options: slugs },
        {
          name: 'usesMax',
          label: words.usesMax,
          help: words.usesMaxHelp,
          inputMode: 'numeric',
          maxLength: 6,
          autoComplete: 'off',
          wrong: wrong.has('usesMax') && words.usesMaxWrong,
        },
        { name: 'lastDay', at: 'expiresAt', label: words.expiresAt, type: 'date' },
      ]}
      body={() => body}
      done={words.created}
      onAnswer={onMade}
      onClose={onClose}
    />
  )
}

type Fault = 'name' | 'amount' | 'least' | 'most' | 'usesMax'

/** The body of the request, or what is wrong. */
function readDraft(
  draft: Written,
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
  const expiresAt = draft.lastDay === '' ? undefined : startOfDay(draft.lastDay, 1, timeZone)
  return {
    wrong,
    body: {
      name,
      currency: draft.currency,
      checkout: draft.checkout,
      ...(isFixed ? { amount } : { minAmount: least, maxAmount: most }),
      ...given({ description: draft.description.trim() || undefined, usesMax, expiresAt }),
    },
  }
}
