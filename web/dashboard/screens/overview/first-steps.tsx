// For a merchant without payments: in the sandbox a test payment by one click, its page, and where to watch it.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIdempotencyKeys, useAttempt } from '../../api/act.ts'
import { call } from '../../api/call.ts'
import type { CreatedPayment, Payment } from '../../api/generated.ts'
import { useRead } from '../../api/queries.ts'
import { useMerchant, useSession } from '../../api/session.ts'
import { Button, ButtonAnchor, ButtonLink } from '../../kit/button.tsx'
import { Empty } from '../../kit/empty.tsx'
import { FormFault } from '../../kit/fault.tsx'
import { Card } from '../../kit/page.tsx'
import { PaymentState } from '../../kit/states.tsx'
import { overviewWords } from '../../words/overview.ts'
import { useFormat, useWords, useReader } from '../../words/reader.ts'

const test = { amount: 1_000, currency: 'BRL' } as const

type Props = {
  /** The test payment of this visit. */
  readonly made: CreatedPayment | undefined
  readonly onMade: (payment: CreatedPayment) => void
}

export function FirstSteps(props: Props) {
  const words = useWords(overviewWords)
  const { id, mode, may } = useMerchant()
  const mayDevelop = may('keys:read')
  if (mode === 'SANDBOX' && may('payments:write')) return <TestPayment {...props} />
  return (
    <Card>
      <Empty
        icon="payments"
        title={words.liveTitle}
        action={mayDevelop && <ButtonLink to={`/m/${id}/developers/keys`}>{words.liveDo}</ButtonLink>}
      >
        {mayDevelop ? words.liveLead : words.latestNone}
      </Empty>
    </Card>
  )
}

/** The shortest way to a page of one's own that is paid: three clicks, with the choice of Pix there. */
function OwnCheckout() {
  const words = useWords(overviewWords)
  const { begin, isBusy, error } = useFirstTemplate()
  return (
    <>
      <section
        aria-labelledby="own-checkout"
        className="mt-6 flex flex-col items-start gap-3 rounded-control bg-inset p-4"
      >
        <div>
          <h3 id="own-checkout" className="text-15 font-strong">
            {words.ownTitle}
          </h3>
          <p className="text-13 text-ink-soft">{words.ownNote}</p>
        </div>
        <Button variant="primary" icon="templates" busy={isBusy} onClick={() => void begin()}>
          {words.ownDo}
        </Button>
        <FormFault error={error} />
      </section>
      <p className="mt-8 text-13 text-ink-soft">{words.plainTitle}</p>
    </>
  )
}

function TestPayment({ made, onMade }: Props) {
  const words = useWords(overviewWords)
  const format = useFormat()
  const { id, may } = useMerchant()
  const mayDesign = may('templates:write') && made === undefined
  const { keyOf } = useIdempotencyKeys()
  const { attempt, isBusy, error } = useAttempt()
  const madeId = made?.id ?? ''
  // The feed of changes keeps it up to date.
  const present = useRead('getPayment', { id: madeId, enabled: made !== undefined })
  const amount = format.money(test.amount, test.currency)
  const body = { ...test, checkout: 'default', description: words.testDescription }
  const make = () =>
    attempt(async () => onMade(await call('createPayment', { merchant: id, body }, { key: keyOf(body) })))
  const payment = present.data ?? (made && { ...made, refundStatus: 'NONE' as const })
  const isPaid = payment?.status === 'PAID'
  return (
    <Card>
      <div className="mx-auto max-w-140 py-6 phone:py-2">
        <h2 className="text-20 font-strong">{words.startTitle}</h2>
        <p className="mt-1 text-13 text-ink-soft">{words.startLead}</p>
        {mayDesign && <OwnCheckout />}
        <ol className="mt-6 flex flex-col gap-6">
          <Step
            number={1}
            title={words.startMake}
            note={made === undefined ? words.startMakeNote(amount) : words.startMade(amount)}
          >
            {made === undefined && (
              <Button variant={mayDesign ? 'plain' : 'primary'} busy={isBusy} onClick={() => void make()}>
                {words.startMakeDo}
              </Button>
            )}
            <FormFault error={error} />
          </Step>
          <Step number={2} title={words.startOpen} note={words.startOpenNote}>
            {made?.checkoutUrl !== undefined && !isPaid && <OpenPage url={made.checkoutUrl} />}
          </Step>
          <Step number={3} title={words.startWatch} note={words.startWatchNote}>
            {payment !== undefined && <Watched payment={payment} />}
          </Step>
        </ol>
      </div>
    </Card>
  )
}

function OpenPage({ url }: { readonly url: string }) {
  const words = useWords(overviewWords)
  return (
    <ButtonAnchor variant="primary" icon="external" href={url} target="_blank" rel="noreferrer">
      {words.startOpenDo}
    </ButtonAnchor>
  )
}

function Watched({ payment }: { readonly payment: Pick<Payment, 'id' | 'status' | 'refundStatus'> }) {
  const words = useWords(overviewWords)
  const { id } = useMerchant()
  return (
    <div className="flex flex-wrap items-center gap-3">
      <span role="status">
        <PaymentState payment={payment} />
      </span>
      <ButtonLink to={`/m/${id}/payments/${payment.id}`}>{words.startWatchDo}</ButtonLink>
    </div>
  )
}

function Step({
  number,
  title,
  note,
  children,
}: {
  readonly number: number
  readonly title: string
  readonly note: string
  readonly children: ReactNode
}) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden="true"
        className="figures grid size-6 shrink-0 place-items-center rounded-full bg-inset text-13 font-strong text-ink-soft"
      >
        {number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
        <div>
          <h3 className="text-15 font-strong">{title}</h3>
          <p className="text-13 text-ink-soft">{note}</p>
        </div>
        {children}
      </div>
    </li>
  )
}

// The first template of a merchant, by one press: a draft with a name, open in the editor.

const slug = 'my-checkout'

/** Opens the draft, or what has become of it since. */
function useFirstTemplate() {
  const { locale } = useReader()
  const { id } = useMerchant()
  const navigate = useNavigate()
  const { user } = useSession()
  const client = useQueryClient()
  const { attempt, ...state } = useAttempt()
  const begin = () =>
    attempt(async () => {
      const { data, drafts } = await call('listTemplates', { merchant: id })
      if (![...data, ...drafts].some((each) => each.slug === slug)) {
        const original = await call('getTemplate', { merchant: id, id: 'default', query: { revision: 0 } })
        // The editor's parts and texts are large, and few first views need them.
        const [{ createDraft }, { templateWords }] = await Promise.all([
          import('../templates/draft.ts'),
          import('../../words/templates.ts'),
        ])
        const author = { client, userId: user.id, merchantId: id }
        await createDraft(author, slug, templateWords[locale].firstName, original)
      }
      await navigate({ to: `/m/${id}/templates/${slug}` })
    })
  return { ...state, begin }
}
